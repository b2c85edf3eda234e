/// One term of ORDER BY: an expression with its direction and where NULLs go.
///
/// Always true: an expression alone is ascending, as SQLite has it.
import MartletAST

public struct OrderingTerm: QueryExpression, Sendable {
  public typealias QueryValue = Never

  public enum Nulls: Sendable {
    case first
    case last
  }

  var fragment: QueryFragment
  var direction = ASTOrderingTerm.Direction.unspecified
  var nulls = ASTOrderingTerm.Nulls.unspecified

  /// The expression alone; a direction belongs to ORDER BY only.
  public var queryFragment: QueryFragment { fragment }

  init(_ fragment: QueryFragment, _ direction: ASTOrderingTerm.Direction = .unspecified, nulls: Nulls? = nil) {
    self.fragment = fragment
    self.direction = direction
    switch nulls {
    case .first: self.nulls = .first
    case .last: self.nulls = .last
    case nil: break
    }
  }

  /// An expression's columns as terms.
  static func terms(of expression: some QueryExpression) -> [OrderingTerm] {
    if let term = expression as? OrderingTerm { return [term] }
    return expression.columnFragments.map { OrderingTerm($0) }
  }
}

extension QueryExpression {
  public func asc(nulls: OrderingTerm.Nulls? = nil) -> OrderingTerm {
    OrderingTerm(queryFragment, .ascending, nulls: nulls)
  }

  public func desc(nulls: OrderingTerm.Nulls? = nil) -> OrderingTerm {
    OrderingTerm(queryFragment, .descending, nulls: nulls)
  }
}
