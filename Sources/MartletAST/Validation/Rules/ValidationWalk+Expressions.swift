import MartletValues

/// What an expression must hold, and where a row value or a list may stand.
///
/// Always true: parameters have an index from 1 to `parametersMax`, and a list stands only at the right of IN.
extension ValidationWalk {
  /// What may stand at a place besides a single value.
  enum Place {
    case value
    /// A row value too: at either side of a comparison.
    case row
    /// Anything, lists too: inside raw text.
    case member
  }

  func value(_ node: ASTExpression) throws(RequestError) {
    try expression(node, as: .value)
  }

  func row(_ node: ASTExpression) throws(RequestError) {
    try expression(node, as: .row)
  }

  func expression(_ node: ASTExpression, as place: Place) throws(RequestError) {
    try nested(node.unknownFields, dispatch(node, place))
  }

  private func dispatch(_ node: ASTExpression, _ place: Place) throws(RequestError) {
    switch node.kind {
    case .column(let column): try at("column", self.column(column))
    case .parameter(let parameter): try at("parameter", self.parameter(parameter, place))
    case .literal(let literal): try at("literal", self.literal(literal))
    case .call(let call): try at("call", self.call(call))
    case .case(let branches): try at("case", self.case(branches))
    case .cast(let cast): try at("cast", self.cast(cast))
    case .collate(let collate): try at("collate", self.collate(collate))
    case .tuple(let tuple):
      guard place != .value || tuple.elements.count <= 1 else {
        throw invalid("A row value stands only in a comparison, an IN or an assignment. Use one value.", "tuple")
      }
      try at("tuple", self.tuple(tuple))
    case .list(let list):
      guard place == .member else {
        throw invalid("A list stands only at the right of IN. Use one value.", "list")
      }
      try at("list", self.list(list, width: nil))
    case .subquery(let query): try at("subquery", subquery(query))
    case .exists(let query): try at("exists", subquery(query))
    case .raise(let raise): try at("raise", self.raise(raise))
    case .raw(let raw): try at("raw", rawWithin(raw))
    case nil: throw invalid("An expression is empty. Set one of its kinds.")
    }
  }

  /// How many values stand side by side; nil if only SQLite can tell.
  static func width(of node: ASTExpression) -> Int? {
    switch node.kind {
    case .tuple(let tuple): tuple.elements.count
    case .subquery, .raw: nil
    default: 1
    }
  }

  private func column(_ node: ASTColumn) throws(RequestError) {
    try known(node.unknownFields)
    try text("schema", node.schema)
    try text("table", node.table)
    try refuse(
      !node.schema.isEmpty && node.table.isEmpty, "table", "A schema needs a table. Name it, or remove the schema.")
    try name("name", node.name)
    try mayName(node)
  }

  private func parameter(_ node: ASTParameter, _ place: Place) throws(RequestError) {
    guard node.list else {
      try refuse(node.columns != 0, "columns", "Only a list parameter has columns. Set `list`, or remove them.")
      return try parameter(node, width: 0)
    }
    guard place == .member else {
      throw invalid("A list parameter stands only at the right of IN, or as rows. Use a single value here.")
    }
    try parameter(node, width: max(1, Int(node.columns)))
  }

  /// - Parameter width: 0 for a single value.
  func parameter(_ node: ASTParameter, width: Int) throws(RequestError) {
    try known(node.unknownFields)
    if let part = scope.schemaPart {
      throw invalid("SQLite keeps the text of \(part), so it takes no parameters. Use a literal.")
    }
    let index = Int(node.index)
    guard index >= 1 else { throw invalid("Parameters are counted from 1. Number this one.", "index") }
    guard index <= limits.parametersMax else {
      throw tooMany("Parameters go up to \(limits.parametersMax). Send many values as one list parameter.", "index")
    }
    try noMore(width, than: limits.listColumnsMax, "columns", "columns in a list")
    if let other = facts.widths.updateValue(width, forKey: index), other != width {
      throw invalid(
        "Parameter \(index) is used as two different kinds of value or list. Give each an index of its own.")
    }
  }

  private func literal(_ node: ASTLiteral) throws(RequestError) {
    try known(node.unknownFields)
    switch node.kind {
    case .keyword(let keyword): try choice("keyword", keyword.rawValue, keyword.sql)
    case .text(let text): try content("text", text)
    case .integer, .real, .blob: break
    case nil: throw invalid("A literal is empty. Set one of its kinds.")
    }
  }

  private func `case`(_ node: ASTCase) throws(RequestError) {
    try known(node.unknownFields)
    try optional("base", node.hasBase, value(node.base))
    try atLeastOne("branches", node.branches, branch)
    try optional("else", node.hasElse, value(node.else))
  }

  private func branch(_ node: ASTCase.Branch) throws(RequestError) {
    try known(node.unknownFields)
    try required("when", node.hasWhen, value(node.when))
    try required("then", node.hasThen, value(node.then))
  }

  private func cast(_ node: ASTCast) throws(RequestError) {
    try known(node.unknownFields)
    try required("operand", node.hasOperand, value(node.operand))
    try name("type", node.type)
    try typeName("type", node.type)
  }

  func typeName(_ field: StaticString, _ type: String) throws(RequestError) {
    try text(field, type)
    guard TypeName(type) == nil else { return }
    throw invalid("This is no name of a type. Write words, and up to two numbers in parentheses behind them.", field)
  }

  private func collate(_ node: ASTCollate) throws(RequestError) {
    try known(node.unknownFields)
    try required("operand", node.hasOperand, value(node.operand))
    try name("collation", node.collation)
  }

  func tuple(_ node: ASTTuple) throws(RequestError) {
    try known(node.unknownFields)
    try atLeastOne("elements", node.elements, value)
  }

  /// - Parameter width: of the value at the left of IN; nil if it is unknown.
  func list(_ node: ASTList, width: Int?) throws(RequestError) {
    try known(node.unknownFields)
    let expected = width ?? node.elements.first.flatMap(Self.width)
    for element in node.elements {
      guard let own = Self.width(of: element), let expected, own != expected else { continue }
      throw invalid("An element has \(own) values where the left side has \(expected). Make them equal.", "elements")
    }
    try each("elements", node.elements, row)
  }

  private func raise(_ node: ASTRaise) throws(RequestError) {
    try known(node.unknownFields)
    guard scope.allowsRaise else {
      throw invalid("RAISE stands only in the body of a trigger. Remove it here.")
    }
    try choice("action", node.action.rawValue, node.action.sql)
    try text("message", node.message)
    try refuse(
      node.action == .ignore && !node.message.isEmpty, "message", "RAISE(IGNORE) takes no message. Remove it.")
  }
}
