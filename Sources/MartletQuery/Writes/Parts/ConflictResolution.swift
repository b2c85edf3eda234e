import MartletAST

/// What a statement does if a constraint is violated.
public enum ConflictResolution: Sendable {
  /// `OR ABORT`: the statement fails and nothing of it stays, as it is without saying so.
  case abort
  /// `OR FAIL`: the statement fails; what it had changed before stays.
  case fail
  /// `OR IGNORE`: the row is left out, and nothing fails.
  case ignore
  /// `OR REPLACE`: rows that are in the way are deleted first.
  case replace
  /// `OR ROLLBACK`: the statement fails, and the whole transaction is rolled back.
  case rollback

  var tree: ASTConflictResolution {
    switch self {
    case .abort: .abort
    case .fail: .fail
    case .ignore: .ignore
    case .replace: .replace
    case .rollback: .rollback
    }
  }
}
