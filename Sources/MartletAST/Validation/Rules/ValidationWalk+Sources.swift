import MartletValues

/// What stands in a FROM: tables, subqueries, functions, lists of rows, and joins between them.
///
/// Always true: one FROM has at most `joinsMax` joins, those in parentheses included.
extension ValidationWalk {
  func source(_ node: ASTTableSource) throws(RequestError) {
    try nested(node.unknownFields, sourceKind(node))
    try text("alias", node.alias)
  }

  private func sourceKind(_ node: ASTTableSource) throws(RequestError) {
    switch node.kind {
    case .table(let table):
      try at("table", self.table(table))
      try mayRead(table)
    case .subquery(let query): try at("subquery", self.query(query))
    case .function(let function): try at("function", tableFunction(function))
    case .joined(let joined): try at("joined", joinedTables(joined))
    case .rows(let parameter): try at("rows", rows(parameter, width: nil))
    case .raw(let raw): try at("raw", rawWithin(raw))
    case nil: throw invalid("A source of rows is empty. Set one of its kinds.")
    }
  }

  func table(_ node: ASTTable) throws(RequestError) {
    try known(node.unknownFields)
    try text("schema", node.schema)
    try name("name", node.name)
    noteTable(node.name)
    guard case .indexedBy(let index) = node.hint else { return }
    try name("indexed_by", index)
    // SQLite's words would tell whether there is an index of that name, over columns that are hidden, too.
    if let rule = access?.rule(for: node), rule.readColumns != nil || rule.rows != nil {
      throw denied(
        "This client may read a part of the table only, so it may not name its indexes. Leave the choice to SQLite.",
        "indexed_by")
    }
  }

  private func tableFunction(_ node: ASTTableFunction) throws(RequestError) {
    try known(node.unknownFields)
    try text("schema", node.schema)
    try name("name", node.name)
    try functionIsKnown(node.name, "name")
    noteTable(node.name)
    try mayCall(node)
    try each("arguments", node.arguments, value)
  }

  /// Notes that a table which SQLite has for a pragma needs the permission for pragmas.
  func noteTable(_ name: String) {
    if PragmaTable.isCalled(name) { facts.needs.insert(.pragmas) }
  }

  private func joinedTables(_ node: ASTJoinedTables) throws(RequestError) {
    try known(node.unknownFields)
    try required("from", node.hasFrom, source(node.from))
    try joins(node.joins)
  }

  func joins(_ joins: [ASTJoin]) throws(RequestError) {
    try noMore(joins.count, than: limits.joinsMax, "joins", "joins")
    try each("joins", joins, self.join)
  }

  private func join(_ node: ASTJoin) throws(RequestError) {
    try known(node.unknownFields)
    try choice("kind", node.kind.rawValue, node.kind.sql)
    if node.kind == .right || node.kind == .full { facts.hasRightJoin = true }
    try required("source", node.hasSource, source(node.source))
    try refuse(node.hasOn && !node.using.isEmpty, "using", "A join has either `on` or `using`. Remove one.")
    try refuse(
      node.natural && (node.hasOn || !node.using.isEmpty), "natural",
      "A natural join has neither `on` nor `using`. Remove them, or `natural`.")
    try optional("on", node.hasOn, value(node.on))
    try names("using", node.using)
  }

  /// A list parameter that stands for rows.
  ///
  /// - Parameter width: how many columns are asked of it; nil if it says so itself.
  func rows(_ node: ASTParameter, width: Int?) throws(RequestError) {
    guard node.list else { throw invalid("Rows come from a list parameter. Set `list`.", "list") }
    let own = node.columns == 0 ? (width ?? 1) : Int(node.columns)
    if let width, own != width {
      throw invalid("The list has \(own) columns where \(width) are asked for. Make them equal.", "columns")
    }
    try parameter(node, width: own)
  }
}
