internal import MartletValues

/// What indexes, views, triggers, virtual tables and DROP must hold.
///
/// Always true: a trigger's body holds only what SQLite's grammar of triggers takes.
extension ValidationWalk {
  func onConflict(_ resolution: ASTConflictResolution, _ unknown: UnknownFields) throws(RequestError) {
    try known(unknown)
    try choice("on_conflict", resolution.rawValue, resolution.sql, isOptional: true)
  }

  func createIndex(_ node: ASTCreateIndex) throws(RequestError) {
    try known(node.unknownFields)
    try objectName(schema: node.schema, name: node.name)
    try name("table", node.table)
    try inside(
      Scope(schemaPart: "an index", allowsSubqueries: false), atLeastOne("columns", node.columns, indexedColumn))
    try inside(
      Scope(schemaPart: "an index", allowsSubqueries: false), optional("where", node.hasWhere, value(node.where)))
  }

  func createView(_ node: ASTCreateView) throws(RequestError) {
    try known(node.unknownFields)
    try objectName(schema: node.schema, name: node.name, isTemporary: node.temporary)
    try names("columns", node.columns)
    try inside(Scope(schemaPart: "a view"), required("query", node.hasQuery, query(node.query)))
  }

  func createTrigger(_ node: ASTCreateTrigger) throws(RequestError) {
    try known(node.unknownFields)
    try objectName(schema: node.schema, name: node.name, isTemporary: node.temporary)
    try choice("timing", node.timing.rawValue, node.timing.sql)
    try choice("event", node.event.rawValue, node.event.sql)
    try refuse(
      node.event != .update && !node.updateColumns.isEmpty, "update_columns", "Only an UPDATE has columns. Remove them."
    )
    try names("update_columns", node.updateColumns)
    try name("table", node.table)
    try inside(Scope(schemaPart: "a trigger"), optional("when", node.hasWhen, value(node.when)))
    try inside(
      Scope(schemaPart: "a trigger", allowsRaise: true), atLeastOne("body", node.body, triggerStatement))
  }

  private func triggerStatement(_ node: ASTStatement) throws(RequestError) {
    switch node.kind {
    case .insert(let insert):
      try bare(insert.into, alias: insert.alias, "insert")
      let isPlain = insert.returning.isEmpty && insert.source != .defaultValues(true)
      try refuse(!isPlain, "insert", "A trigger's INSERT has values or a query and no RETURNING. Change it.")
    case .update(let update):
      try bare(update.table, alias: update.alias, "update")
      let isPlain = update.returning.isEmpty && update.orderBy.isEmpty && !update.hasLimit && !update.hasOffset
      try refuse(!isPlain, "update", "A trigger's UPDATE has no RETURNING, order or limit. Remove them.")
    case .delete(let delete):
      try bare(delete.from, alias: delete.alias, "delete")
      let isPlain = delete.returning.isEmpty && delete.orderBy.isEmpty && !delete.hasLimit && !delete.hasOffset
      try refuse(!isPlain, "delete", "A trigger's DELETE has no RETURNING, order or limit. Remove them.")
    case .select, .compound, .values, .raw, nil: break
    default: throw invalid("A trigger's body holds INSERT, UPDATE, DELETE and queries without WITH. Use one of them.")
    }
    try statement(node)
  }

  private func bare(_ table: ASTTable, alias: String, _ field: StaticString) throws(RequestError) {
    try refuse(
      !table.schema.isEmpty || !alias.isEmpty || table.hint != nil, field,
      "A trigger's body names a table without schema, alias or index. Remove them.")
  }

  func createVirtualTable(_ node: ASTCreateVirtualTable) throws(RequestError) {
    try known(node.unknownFields)
    try objectName(schema: node.schema, name: node.name)
    try name("module", node.module)
    try each("arguments", node.arguments, moduleArgument)
  }

  private func moduleArgument(_ node: ASTModuleArgument) throws(RequestError) {
    try known(node.unknownFields)
    switch node.kind {
    case .column(let column): try at("column", moduleColumn(column))
    case .option(let option): try at("option", moduleOption(option))
    case nil: throw invalid("An argument is empty. Set one of its kinds.")
    }
  }

  private func moduleColumn(_ node: ASTModuleArgument.Column) throws(RequestError) {
    try known(node.unknownFields)
    try name("name", node.name)
    try each("attributes", node.attributes, bareWord)
  }

  private func moduleOption(_ node: ASTModuleArgument.Option) throws(RequestError) {
    try known(node.unknownFields)
    try at("name", bareWord(node.name))
    try text("value", node.value)
    // A full-text table may read its rows from any table.
    noteTable(node.value)
    try names("arguments", node.arguments)
  }

  private func bareWord(_ text: String) throws(RequestError) {
    guard !Identifier.isPlain(text) else { return }
    throw invalid("Only a bare word can stand here: letters, digits and underscores.")
  }

  func drop(_ node: ASTDrop) throws(RequestError) {
    try known(node.unknownFields)
    try choice("kind", node.kind.rawValue, node.kind.sql)
    try objectName(schema: node.schema, name: node.name)
  }
}
