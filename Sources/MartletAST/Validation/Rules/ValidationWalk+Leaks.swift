import MartletValues

/// What may fail when SQLite evaluates it, and would so tell whether it did: see `LeakyCall`.
///
/// Always true: looked at under rules for tables only.
extension ValidationWalk {
  func noteLeaks(of call: ASTCall) {
    guard access != nil else { return }
    if leaks.mayFail(call) { facts.mayFail = true }
    noteSearch(call)
    guard case .operator(let symbol) = call.callee, [.like, .notLike, .glob, .notGlob].contains(symbol),
      call.arguments.count > 1, case .parameter(let pattern) = call.arguments[1].kind
    else { return }
    facts.valueDemands.patterns.insert(Int(pattern.index))
  }

  /// LIMIT and OFFSET: what is no whole number fails as soon as SQLite comes to it.
  func rowBound(_ field: StaticString, _ isPresent: Bool, _ node: ASTExpression) throws(RequestError) {
    try optional(field, isPresent, value(node))
    guard isPresent, access != nil else { return }
    switch node.kind {
    case .literal(let literal) where literal.isInteger: break
    case .parameter(let parameter): facts.valueDemands.wholeNumbers.insert(Int(parameter.index))
    default: facts.mayFail = true
    }
  }

  /// PRECEDING and FOLLOWING take numbers that are not negative.
  func frameOffset(_ node: ASTExpression) throws(RequestError) {
    try value(node)
    guard case .literal(let literal) = node.kind, case .integer(0...) = literal.kind else {
      facts.mayFail = true
      return
    }
  }
}

extension ASTLiteral {
  fileprivate var isInteger: Bool { if case .integer = kind { true } else { false } }
}
