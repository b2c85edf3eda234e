import MartletAST
import MartletValues

/// Equal if the predicates and their values are equal.
struct PredicateIdentity: Equatable {
  var bytes: [UInt8]
  var values: [Value]

  init(_ fragment: QueryFragment) {
    var writer = TreeWriter()
    writer.expression(fragment)
    bytes = writer.bytes
    values = writer.values.parameters
  }
}

extension QueryFragment {
  /// Predicates of a scope and others, without the others that the scope has already. So a scope that is read through
  /// itself is not added twice.
  static func merged(_ own: [QueryFragment], _ others: [QueryFragment]) -> [QueryFragment] {
    guard !own.isEmpty, !others.isEmpty else { return own + others }
    let known = own.map(PredicateIdentity.init)
    return own
      + others.filter { other in
        let identity = PredicateIdentity(other)
        return !known.contains { $0 == identity }
      }
  }
}

/// Equal for two terms of which the second would not change the order.
private struct OrderIdentity: Equatable {
  var expression: PredicateIdentity
  var direction: ASTOrderingTerm.Direction
  var nulls: ASTOrderingTerm.Nulls

  init(_ term: OrderingTerm) {
    expression = PredicateIdentity(term.fragment)
    (direction, nulls) = (term.direction, term.nulls)
  }
}

extension OrderingTerm {
  /// The terms of a scope and others, without the others that the scope has already.
  static func merged(_ own: [OrderingTerm], _ others: [OrderingTerm]) -> [OrderingTerm] {
    guard !own.isEmpty, !others.isEmpty else { return own + others }
    let known = own.map(OrderIdentity.init)
    return own + others.filter { !known.contains(OrderIdentity($0)) }
  }
}
