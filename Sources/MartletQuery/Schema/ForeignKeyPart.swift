import MartletAST

/// What a column or several refer to, and what happens to them with it.
struct ForeignKeyPart: Sendable {
  var table: String
  var columns: [String]
  var onDelete: ForeignKeyAction?
  var onUpdate: ForeignKeyAction?
  var deferral: ForeignKeyDeferral?

  var tree: ASTForeignKey {
    var tree = ASTForeignKey()
    tree.table = table
    tree.columns = columns
    tree.onDelete = onDelete?.tree ?? .unspecified
    tree.onUpdate = onUpdate?.tree ?? .unspecified
    switch deferral {
    case .initiallyDeferred: tree.deferral = .initiallyDeferred
    case .initiallyImmediate: tree.deferral = .initiallyImmediate
    case nil: break
    }
    return tree
  }
}

/// What happens to a row when the row that it refers to is deleted or gets another key.
public enum ForeignKeyAction: Sendable {
  /// `NO ACTION`: it is an error unless the statement's end, or the commit's, finds a row again.
  case noAction
  /// `RESTRICT`: it is an error at once.
  case restrict
  /// `SET NULL`: the row refers to none.
  case setNull
  /// `SET DEFAULT`: the row refers to its column's default.
  case setDefault
  /// `CASCADE`: the row is deleted too, or gets the new key.
  case cascade

  var tree: ASTForeignKey.Action {
    switch self {
    case .noAction: .noAction
    case .restrict: .restrict
    case .setNull: .setNull
    case .setDefault: .setDefault
    case .cascade: .cascade
    }
  }
}

/// When a foreign key may be checked at the commit only, and whether it is so to begin with.
public enum ForeignKeyDeferral: Sendable {
  /// `DEFERRABLE INITIALLY DEFERRED`: checked at the commit.
  case initiallyDeferred
  /// `DEFERRABLE INITIALLY IMMEDIATE`: checked with each statement, unless the connection defers all.
  case initiallyImmediate
}
