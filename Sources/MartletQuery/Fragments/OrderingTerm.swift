import MartletAST

/// A term of ORDER BY, as `asc()` and `desc()` make it.
///
/// Always true: an expression alone is ascending, as SQLite has it.
public struct OrderingTerm: Sendable {
  /// Where NULLs are: SQLite puts them first in an ascending order and last in a descending one.
  public enum Nulls: Sendable {
    /// `NULLS FIRST`.
    case first
    /// `NULLS LAST`.
    case last
  }

  var fragment: QueryFragment
  var direction = ASTOrderingTerm.Direction.unspecified
  var nulls = ASTOrderingTerm.Nulls.unspecified

  /// Why rows are not ordered by it. An index is not refused.
  var failure: QueryBindingFailure?

  init(
    _ fragment: QueryFragment, _ direction: ASTOrderingTerm.Direction = .unspecified, nulls: Nulls? = nil,
    failure: QueryBindingFailure? = nil
  ) {
    self.fragment = fragment
    self.direction = direction
    self.failure = failure
    switch nulls {
    case .first: self.nulls = .first
    case .last: self.nulls = .last
    case nil: break
    }
  }

  /// A term for each column of a group or a row, in the same direction: ORDER BY takes no row values.
  var columns: [OrderingTerm] {
    guard case .tuple(let columns) = fragment.node else { return [self] }
    return columns.map { column in
      var term = self
      term.fragment = column
      return term
    }
  }
}
