import MartletAST

/// A term of ORDER BY, as `asc()` and `desc()` make it.
///
/// Always true: an expression alone is ascending, as SQLite has it.
public struct OrderingTerm: QueryExpression, Sendable {
  public typealias QueryValue = Never

  /// Where NULLs stand: SQLite has them first in an ascending order and last in a descending one.
  public enum Nulls: Sendable {
    /// `NULLS FIRST`.
    case first
    /// `NULLS LAST`.
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

  /// A term for each column of a group or a row, in the same direction: ORDER BY takes no row values.
  private var columns: [OrderingTerm] {
    guard case .tuple(let columns) = fragment.node else { return [self] }
    return columns.map { column in
      var term = self
      term.fragment = column
      return term
    }
  }

  /// An expression's columns as terms.
  static func terms(of expression: some QueryExpression) -> [OrderingTerm] {
    if let term = expression as? OrderingTerm { return term.columns }
    return expression.columnFragments.map { OrderingTerm($0) }
  }
}

extension QueryExpression {
  /// `self ASC`, with `NULLS FIRST` or `NULLS LAST` where it is said.
  public func asc(nulls: OrderingTerm.Nulls? = nil) -> OrderingTerm {
    OrderingTerm(queryFragment, .ascending, nulls: nulls)
  }

  /// `self DESC`, with `NULLS FIRST` or `NULLS LAST` where it is said.
  public func desc(nulls: OrderingTerm.Nulls? = nil) -> OrderingTerm {
    OrderingTerm(queryFragment, .descending, nulls: nulls)
  }
}
