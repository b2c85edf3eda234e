import MartletValues

/// What INSERT, UPDATE and DELETE must hold.
///
/// Always true: an ORDER BY of a write comes with a LIMIT, and only the last upsert clause may lack a target.
extension ValidationWalk {
  func insert(_ node: ASTInsert) throws(RequestError) {
    try known(node.unknownFields)
    try choice("or", node.or.rawValue, node.or.sql, isOptional: true)
    try required("into", node.hasInto, table(node.into))
    try refuse(node.into.hint != nil, "into", "INSERT takes no index hint. Remove it.")
    try text("alias", node.alias)
    try noMore(node.columns.count, than: limits.resultColumnsMax, "columns", "columns")
    try names("columns", node.columns)
    try mayWrite(node.into, node.needs, "into", or: node.or)
    try mayAssign(node.columns, of: node.into)
    try insertSource(node)
    try enter(target: node.into, node.alias)
    defer { leaveTarget() }
    try each("upserts", node.upserts, { clause throws(RequestError) in try upsert(clause, of: node.into) })
    for clause in node.upserts.dropLast() where clause.target.isEmpty {
      throw invalid("Only the last conflict clause may be without a target. Name its columns.", "upserts")
    }
    try each("returning", node.returning, returned)
  }

  private func insertSource(_ node: ASTInsert) throws(RequestError) {
    switch node.source {
    case .values(let values):
      try at("values", self.values(values))
      let width = values.rows.first?.elements.count ?? 0
      if !node.columns.isEmpty { try fits(width, node.columns, "values") }
    case .query(let query): try at("query", self.query(query))
    case .rows(let parameter):
      try refuse(node.columns.isEmpty, "columns", "Bulk rows need the columns that they fill. Name them.")
      try at("rows", rows(parameter, width: node.columns.count))
    case .defaultValues(true):
      try refuse(!node.columns.isEmpty, "columns", "DEFAULT VALUES takes no columns. Remove them.")
      try refuse(!node.upserts.isEmpty, "upserts", "DEFAULT VALUES takes no conflict clause. Insert values instead.")
    case .defaultValues(false), nil:
      throw invalid("There is nothing to insert. Give values, a query, rows or default values.", "source")
    }
  }

  private func upsert(_ node: ASTUpsert, of table: ASTTable) throws(RequestError) {
    try known(node.unknownFields)
    for assignment in node.assignments { try mayAssign(assignment.columns, of: table, "assignments") }
    try each("target", node.target, indexedColumn)
    try refuse(
      node.target.isEmpty && node.hasTargetWhere, "target_where",
      "A condition needs a conflict target. Name its columns.")
    try optional("target_where", node.hasTargetWhere, value(node.targetWhere))
    try each("assignments", node.assignments, assignment)
    try refuse(
      node.assignments.isEmpty && node.hasWhere, "where",
      "DO NOTHING takes no condition. Assign something, or remove it.")
    try optional("where", node.hasWhere, value(node.where))
  }

  func indexedColumn(_ node: ASTIndexedColumn) throws(RequestError) {
    try known(node.unknownFields)
    try required("expression", node.hasExpression, value(node.expression))
    try text("collation", node.collation)
    try choice("direction", node.direction.rawValue, node.direction.sql, isOptional: true)
  }

  private func assignment(_ node: ASTAssignment) throws(RequestError) {
    try known(node.unknownFields)
    try refuse(node.columns.isEmpty, "columns", "An assignment names no column. Name one.")
    try names("columns", node.columns)
    guard node.columns.count > 1 else {
      return try required("value", node.hasValue, value(node.value))
    }
    try required("value", node.hasValue, expression(node.value, as: .row))
    if let width = Self.width(of: node.value) { try fits(width, node.columns, "value") }
  }

  private func fits(_ width: Int, _ columns: [String], _ field: StaticString) throws(RequestError) {
    guard width != columns.count else { return }
    throw invalid("There are \(width) values for \(columns.count) columns. Give each column one.", field)
  }

  func update(_ node: ASTUpdate) throws(RequestError) {
    try known(node.unknownFields)
    try choice("or", node.or.rawValue, node.or.sql, isOptional: true)
    try required("table", node.hasTable, table(node.table))
    try text("alias", node.alias)
    try mayWrite(node.table, node.needs, "table", or: node.or)
    for assignment in node.assignments { try mayAssign(assignment.columns, of: node.table, "assignments") }
    try enter(target: node.table, node.alias)
    defer { leaveTarget() }
    try atLeastOne("assignments", node.assignments, assignment)
    try optional("from", node.hasFrom, updateSource(node.from))
    try refuseJoins(!node.hasFrom && !node.joins.isEmpty)
    try joins(node.joins)
    try standsApart(node)
    try optional("where", node.hasWhere, value(node.where))
    try each("returning", node.returning, returned)
    try bounds(node.orderBy, node.hasLimit ? node.limit : nil, node.hasOffset ? node.offset : nil)
  }

  /// A subquery in a FROM sees nothing of the table that is updated.
  private func updateSource(_ node: ASTTableSource) throws(RequestError) {
    guard case .subquery = node.kind, let targets = access?.targets else { return try source(node) }
    access?.replaceTargets([])
    // Whatever is wrong with the subquery, the caller leaves its target after it.
    defer { access?.replaceTargets(targets) }
    try source(node)
  }

  func delete(_ node: ASTDelete) throws(RequestError) {
    try known(node.unknownFields)
    try required("from", node.hasFrom, table(node.from))
    try text("alias", node.alias)
    try mayWrite(node.from, node.needs, "from")
    try enter(target: node.from, node.alias)
    defer { leaveTarget() }
    try optional("where", node.hasWhere, value(node.where))
    try each("returning", node.returning, returned)
    try bounds(node.orderBy, node.hasLimit ? node.limit : nil, node.hasOffset ? node.offset : nil)
  }

  private func bounds(_ terms: [ASTOrderingTerm], _ limit: ASTExpression?, _ offset: ASTExpression?)
    throws(RequestError)
  {
    try refuse(
      !terms.isEmpty && limit == nil && offset == nil, "order_by",
      "The order of a write matters only with a limit. Set it.")
    try ordering(terms)
    try rowBound("limit", limit != nil, limit ?? ASTExpression())
    try rowBound("offset", offset != nil, offset ?? ASTExpression())
  }
}
