import MartletValues

/// What operators and functions take: how many operands, of which kind, and which clauses belong to functions.
///
/// Always true: an operator that passes has as many operands as SQLite's grammar asks for.
extension ValidationWalk {
  func call(_ node: ASTCall) throws(RequestError) {
    try known(node.unknownFields)
    noteLeaks(of: node)
    switch node.callee {
    case .operator(let symbol): try operation(symbol, node)
    case .function(let function): try self.function(function, node)
    case nil: throw invalid("A call names neither an operator nor a function. Set one.", "callee")
    }
  }

  private func operation(_ symbol: ASTOperator, _ node: ASTCall) throws(RequestError) {
    try choice("operator", symbol.rawValue, symbol.sql)
    let functionsOnly: StaticString? =
      node.star
      ? "star"
      : node.distinct
        ? "distinct"
        : !node.orderBy.isEmpty ? "order_by" : node.hasFilter ? "filter" : node.hasOver ? "over" : nil
    if let functionsOnly { throw invalid("Only a function takes this, not an operator. Remove it.", functionsOnly) }
    let arity = symbol.arity
    guard arity.contains(node.arguments.count) else {
      let wanted =
        arity.upperBound == Int.max
        ? "\(arity.lowerBound) or more"
        : arity.count == 1 ? "\(arity.lowerBound)" : "\(arity.lowerBound) or \(arity.upperBound)"
      throw invalid("This operator takes \(wanted) operands, not \(node.arguments.count).", "arguments")
    }
    switch symbol.operands {
    case .values: try each("arguments", node.arguments, value)
    case .rows:
      try sameWidth(node.arguments)
      try each("arguments", node.arguments, row)
    case .membership: try membership(node.arguments)
    }
  }

  private func sameWidth(_ operands: [ASTExpression]) throws(RequestError) {
    let widths = operands.compactMap(Self.width)
    guard let first = widths.first, let other = widths.first(where: { $0 != first }) else { return }
    throw invalid("A row of \(first) values is compared with one of \(other). Make them equal.", "arguments")
  }

  private func membership(_ operands: [ASTExpression]) throws(RequestError) {
    let width = Self.width(of: operands[0])
    for (index, operand) in operands.enumerated() {
      try each(at: index, "arguments", index == 0 ? row(operand) : members(operand, width: width))
    }
  }

  private func members(_ node: ASTExpression, width: Int?) throws(RequestError) {
    switch node.kind {
    case .list(let list):
      try nested(node.unknownFields, at("list", self.list(list, width: width)))
    case .parameter(let parameter) where parameter.list:
      try nested(node.unknownFields, at("parameter", rows(parameter, width: width)))
    case .subquery, .raw: try row(node)
    default: throw invalid("At the right of IN stands a list, a subquery or a list parameter. Use one.")
    }
  }

  private func function(_ name: String, _ node: ASTCall) throws(RequestError) {
    try self.name("function", name)
    if access != nil, RuledFunctions.closed.contains(name.lowercasedASCII) {
      throw denied("This client may use some tables only, and not this function.", "function")
    }
    try mayAskIndex(name, node.arguments)
    try functionIsKnown(name, "function")
    try dateModifiersAreKnown(name, node.arguments)
    try refuse(
      node.star && (!node.arguments.isEmpty || node.distinct || !node.orderBy.isEmpty), "star",
      "A function takes either `*` or arguments. Remove one.")
    try refuse(
      node.distinct && node.arguments.count != 1, "distinct", "DISTINCT takes exactly one argument. Remove the others.")
    try refuse(node.distinct && node.hasOver, "distinct", "A window function takes no DISTINCT. Remove it.")
    try refuse(
      !node.orderBy.isEmpty && node.hasOver, "order_by",
      "A window function is ordered by its window. Move the order there.")
    try each("arguments", node.arguments, value)
    if !node.orderBy.isEmpty && extensions.orderedAggregates[name.lowercased()] == nil {
      try needs(3_044_000, "ORDER BY inside an aggregate")
    }
    try ordering(node.orderBy)
    try optional("filter", node.hasFilter, value(node.filter))
    try optional("over", node.hasOver, over(node.over))
  }

  /// A function that only a later SQLite has is refused by the version that has it, not as unknown.
  func functionIsKnown(_ name: String, _ field: StaticString) throws(RequestError) {
    guard let version = LaterFunctions.versions[name], !extensions.functions.contains(name) else { return }
    try at(field, needs(version, "This function"))
  }

  /// An older SQLite would answer NULL if it does not know a modifier.
  private func dateModifiersAreKnown(_ name: String, _ arguments: [ASTExpression]) throws(RequestError) {
    guard LaterFunctions.dates.contains(name) else { return }
    for (index, argument) in arguments.enumerated() where argument.literal.text == "floor" {
      try each(at: index, "arguments", needs(3_046_000, "The date modifier `floor`"))
    }
  }
}

/// The functions that came to SQLite after the oldest version that Martlet runs on.
enum LaterFunctions {
  static let dates: Set<String> = ["date", "time", "datetime", "julianday", "unixepoch", "strftime"]

  static let versions: [String: Int] = [
    "unhex": 3_041_000, "octet_length": 3_043_000, "timediff": 3_043_000, "concat": 3_044_000,
    "concat_ws": 3_044_000, "string_agg": 3_044_000, "json_pretty": 3_046_000, "jsonb": 3_045_000,
    "jsonb_array": 3_045_000, "jsonb_extract": 3_045_000, "jsonb_insert": 3_045_000, "jsonb_object": 3_045_000,
    "jsonb_patch": 3_045_000, "jsonb_remove": 3_045_000, "jsonb_replace": 3_045_000, "jsonb_set": 3_045_000,
    "jsonb_group_array": 3_045_000, "jsonb_group_object": 3_045_000, "unistr": 3_050_000,
    "unistr_quote": 3_050_000, "if": 3_048_000, "json_array_insert": 3_053_000,
    "jsonb_array_insert": 3_053_000, "jsonb_each": 3_051_000, "jsonb_tree": 3_051_000,
  ]
}

/// Which functions of full-text indexes a tree under rules for tables may call.
///
/// Always true: a function of an index is called only on a table that the client may read as a whole, and under a name
/// that no column of the tree has. `RuledCompiler` checks that no column of the schema has the name either.
extension ValidationWalk {
  func noteSearch(_ call: ASTCall) {
    switch call.callee {
    case .operator(.match), .operator(.notMatch): facts.reach.searches = true
    case .function(let name) where name.lowercasedASCII == "match": facts.reach.searches = true
    default: break
    }
  }

  func mayAskIndex(_ function: String, _ arguments: [ASTExpression]) throws(RequestError) {
    guard let access, RuledFunctions.ofIndexes.contains(function.lowercasedASCII) else { return }
    guard case .column(let column)? = arguments.first?.kind, let rule = access.rules.rule(for: column.name),
      rule.permissions.contains(.select), !rule.isPartial
    else {
      throw denied(
        "The first argument of this function is the name of a full-text table, and this client has to be allowed to "
          + "read all of that. Name such a table.", "arguments")
    }
    facts.reach.askedIndexes.insert(column.name.lowercasedASCII)
  }

  func noteName(ofColumn name: String) {
    if access != nil, !name.isEmpty { facts.columnNames.insert(name.lowercasedASCII) }
  }

  /// At the end of the walk: if a query gives a column the table's name, SQLite would take the column in place of the
  /// table.
  func indexesAreNamedApart() throws(RequestError) {
    guard !facts.reach.askedIndexes.isDisjoint(with: facts.columnNames) else { return }
    throw .columnNamedAsIndex
  }
}
