import MartletValues

/// What CREATE TABLE, ALTER TABLE and CREATE VIRTUAL TABLE must hold.
///
/// Always true: no parameter stands in what SQLite keeps as text, because SQLite refuses it there.
extension ValidationWalk {
  func createTable(_ node: ASTCreateTable) throws(RequestError) {
    try known(node.unknownFields)
    try objectName(schema: node.schema, name: node.name, isTemporary: node.temporary)
    guard !node.hasAs else {
      try refuse(
        !node.columns.isEmpty || !node.constraints.isEmpty, "columns",
        "A table from a query takes its columns from there. Remove these.")
      try refuse(
        node.withoutRowid || node.strict, "as",
        "A table from a query is neither STRICT nor WITHOUT ROWID. Name its columns.")
      return try at("as", query(node.as))
    }
    try noMore(node.columns.count, than: limits.resultColumnsMax, "columns", "columns")
    try atLeastOne("columns", node.columns, columnDefinition)
    try each("constraints", node.constraints, tableConstraint)
  }

  func objectName(schema: String, name: String, isTemporary: Bool = false) throws(RequestError) {
    try text("schema", schema)
    try self.name("name", name)
    try refuse(
      isTemporary && !schema.isEmpty, "schema", "What is temporary has no other schema. Remove one of the two.")
  }

  private func columnDefinition(_ node: ASTColumnDefinition) throws(RequestError) {
    try known(node.unknownFields)
    try name("name", node.name)
    if !node.type.isEmpty { try typeName("type", node.type) }
    try each("constraints", node.constraints, columnConstraint)
  }

  private func columnConstraint(_ node: ASTColumnConstraint) throws(RequestError) {
    try known(node.unknownFields)
    try text("name", node.name)
    switch node.kind {
    case .primaryKey(let key):
      try at("primary_key", primaryKey(key))
    case .notNull(let constraint):
      try at("not_null", onConflict(constraint.onConflict, constraint.unknownFields))
    case .unique(let constraint):
      try at("unique", onConflict(constraint.onConflict, constraint.unknownFields))
    case .check(let condition):
      try inside(Scope(schemaPart: "a CHECK", allowsSubqueries: false), at("check", value(condition)))
    case .default(let expression):
      try inside(Scope(schemaPart: "a DEFAULT", allowsSubqueries: false), at("default", value(expression)))
    case .collation(let collation): try name("collation", collation)
    case .references(let key): try at("references", foreignKey(key))
    case .generated(let generated): try at("generated", self.generated(generated))
    case nil: throw invalid("A constraint is empty. Set one of its kinds.")
    }
  }

  private func primaryKey(_ node: ASTColumnConstraint.PrimaryKey) throws(RequestError) {
    try choice("direction", node.direction.rawValue, node.direction.sql, isOptional: true)
    try onConflict(node.onConflict, node.unknownFields)
  }

  private func generated(_ node: ASTColumnConstraint.Generated) throws(RequestError) {
    try known(node.unknownFields)
    try inside(
      Scope(schemaPart: "a generated column", allowsSubqueries: false),
      required("expression", node.hasExpression, value(node.expression)))
  }

  private func tableConstraint(_ node: ASTTableConstraint) throws(RequestError) {
    try known(node.unknownFields)
    try text("name", node.name)
    switch node.kind {
    case .primaryKey(let key): try at("primary_key", self.key(key))
    case .unique(let key): try at("unique", self.key(key))
    case .check(let condition):
      try inside(Scope(schemaPart: "a CHECK", allowsSubqueries: false), at("check", value(condition)))
    case .foreignKey(let foreign): try at("foreign_key", self.foreign(foreign))
    case nil: throw invalid("A constraint is empty. Set one of its kinds.")
    }
  }

  private func key(_ node: ASTTableConstraint.Key) throws(RequestError) {
    try onConflict(node.onConflict, node.unknownFields)
    try atLeastOne("columns", node.columns, keyColumn)
  }

  private func keyColumn(_ node: ASTIndexedColumn) throws(RequestError) {
    try indexedColumn(node)
    guard case .column(let column) = node.expression.kind, column.table.isEmpty else {
      throw invalid(
        "A key is of columns of its own table. Name one, or create an index on the expression.", "expression")
    }
  }

  private func foreign(_ node: ASTTableConstraint.Foreign) throws(RequestError) {
    try known(node.unknownFields)
    try refuse(node.columns.isEmpty, "columns", "A foreign key names no column. Name one.")
    try names("columns", node.columns)
    try required("references", node.hasReferences, foreignKey(node.references))
    try refuse(
      !node.references.columns.isEmpty && node.references.columns.count != node.columns.count, "references",
      "A foreign key refers to as many columns as it has. Make them equal.")
  }

  private func foreignKey(_ node: ASTForeignKey) throws(RequestError) {
    try known(node.unknownFields)
    try name("table", node.table)
    try names("columns", node.columns)
    try choice("on_delete", node.onDelete.rawValue, node.onDelete.sql, isOptional: true)
    try choice("on_update", node.onUpdate.rawValue, node.onUpdate.sql, isOptional: true)
    try choice("deferral", node.deferral.rawValue, node.deferral.sql, isOptional: true)
  }

  func alterTable(_ node: ASTAlterTable) throws(RequestError) {
    try known(node.unknownFields)
    try objectName(schema: node.schema, name: node.name)
    switch node.change {
    case .renameTo(let name): try self.name("rename_to", name)
    case .renameColumn(let rename): try at("rename_column", renameColumn(rename))
    case .addColumn(let column): try at("add_column", columnDefinition(column))
    case .dropColumn(let column): try name("drop_column", column)
    case nil: throw invalid("ALTER TABLE changes nothing. Set a change.", "change")
    }
  }

  private func renameColumn(_ node: ASTAlterTable.RenameColumn) throws(RequestError) {
    try known(node.unknownFields)
    try name("from", node.from)
    try name("to", node.to)
  }
}
