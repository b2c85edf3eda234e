import MartletValues

/// What a query must hold: SELECT, compounds, VALUES, WITH and what they share.
///
/// Always true: whatever passes here has every child that its renderer asks for.
extension ValidationWalk {
  /// `areAlone`: there are joins, and nothing that they could be joined to.
  func refuseJoins(_ areAlone: Bool) throws(RequestError) {
    try refuse(areAlone, "joins", "A join needs a FROM before it. Set `from`.")
  }

  func select(_ node: ASTSelect) throws(RequestError) {
    try known(node.unknownFields)
    try noMore(node.columns.count, than: limits.resultColumnsMax, "columns", "result columns")
    try refuse(
      node.columns.isEmpty && !node.hasFrom, "columns",
      "There is nothing to select from. Name columns, or give it a FROM.")
    try each("columns", node.columns, resultColumn)
    try optional("from", node.hasFrom, source(node.from))
    try refuseJoins(!node.hasFrom && !node.joins.isEmpty)
    try joins(node.joins)
    try optional("where", node.hasWhere, value(node.where))
    try each("group_by", node.groupBy, value)
    try optional("having", node.hasHaving, value(node.having))
    try each("windows", node.windows, namedWindow)
    try ordering(node.orderBy)
    try rowBound("limit", node.hasLimit, node.limit)
    try rowBound("offset", node.hasOffset, node.offset)
  }

  func resultColumn(_ node: ASTResultColumn) throws(RequestError) {
    try known(node.unknownFields)
    switch node.kind {
    case .expression(let expression):
      try at("expression", value(expression))
      try text("alias", node.alias)
      noteName(ofColumn: node.alias)
    case .all(let all):
      try at("all", allColumns(all))
      try refuse(!node.alias.isEmpty, "alias", "Only an expression can have an alias, not `*`. Remove the alias.")
    case nil: throw invalid("A result column is empty. Set one of its kinds.")
    }
  }

  private func allColumns(_ node: ASTAllColumns) throws(RequestError) {
    try known(node.unknownFields)
    try text("table", node.table)
  }

  /// What RETURNING may hold.
  func returned(_ node: ASTResultColumn) throws(RequestError) {
    if case .all(let all) = node.kind, !all.table.isEmpty {
      throw invalid("RETURNING takes `*` without a table. Leave the table empty.", "all")
    }
    try resultColumn(node)
  }

  func compound(_ node: ASTCompound) throws(RequestError) {
    try known(node.unknownFields)
    try required("first", node.hasFirst, query(node.first))
    try atLeastOne("terms", node.terms, compoundTerm)
    try ordering(node.orderBy)
    try rowBound("limit", node.hasLimit, node.limit)
    try rowBound("offset", node.hasOffset, node.offset)
  }

  private func compoundTerm(_ node: ASTCompound.Term) throws(RequestError) {
    try known(node.unknownFields)
    try choice("operator", node.operator.rawValue, node.operator.sql)
    try required("query", node.hasQuery, query(node.query))
  }

  func values(_ node: ASTValues) throws(RequestError) {
    try known(node.unknownFields)
    let width = node.rows.first?.elements.count ?? 0
    try atLeastOne(
      "rows", node.rows,
      { row throws(RequestError) in
        guard row.elements.count == width else {
          throw invalid("This row has \(row.elements.count) values and the first has \(width). Give all rows the same.")
        }
        try tuple(row)
      })
  }

  func with(_ node: ASTWith) throws(RequestError) {
    try known(node.unknownFields)
    try enter(node)
    defer { leaveWith() }
    try atLeastOne("tables", node.tables, commonTable)
    guard node.hasBody else { throw invalid("This part is missing. Set it.", "body") }
    switch node.body.kind {
    case .select, .compound, .values, .insert, .update, .delete, .raw, nil: try at("body", statement(node.body))
    case .with: throw invalid("A WITH cannot hold another directly. List all tables in one.", "body")
    default: throw invalid("A WITH stands before a query or a write. Remove it here.", "body")
    }
  }

  private func commonTable(_ node: ASTCommonTable) throws(RequestError) {
    try known(node.unknownFields)
    try name("name", node.name)
    try names("columns", node.columns)
    for column in node.columns { noteName(ofColumn: column) }
    try choice("materialization", node.materialization.rawValue, node.materialization.sql, isOptional: true)
    try required("query", node.hasQuery, query(node.query))
  }

  func ordering(_ terms: [ASTOrderingTerm]) throws(RequestError) {
    try each("order_by", terms, orderingTerm)
  }

  private func orderingTerm(_ node: ASTOrderingTerm) throws(RequestError) {
    try known(node.unknownFields)
    try required("expression", node.hasExpression, value(node.expression))
    try choice("direction", node.direction.rawValue, node.direction.sql, isOptional: true)
    try choice("nulls", node.nulls.rawValue, node.nulls.sql, isOptional: true)
  }
}
