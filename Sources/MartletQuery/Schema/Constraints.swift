import MartletAST

/// Constraints of columns and tables without their types, and what they become in the tree.
///
/// Always true: columns in a constraint stand without a table before them, and values are literals.
enum ColumnConstraintPart: Sendable {
  case primaryKey(autoincrement: Bool, descending: Bool, ConflictResolution?)
  case notNull(ConflictResolution?)
  case unique(ConflictResolution?)
  case `default`(QueryFragment)
  case check(QueryFragment)
  case collation(String)
  case references(ForeignKeyPart)
  case generated(QueryFragment?, stored: Bool?)

  /// A later constraint of the same kind replaces the earlier one; nil: constraints of this kind add up.
  var kind: Int? {
    switch self {
    case .primaryKey: 0
    case .notNull: 1
    case .default: 2
    case .collation: 3
    case .generated: 4
    case .unique, .check, .references: nil
    }
  }

  func tree(named name: String?, in writer: inout TreeWriter) -> ASTColumnConstraint {
    var tree = ASTColumnConstraint()
    tree.name = name ?? ""
    switch self {
    case .primaryKey(let autoincrement, let descending, let resolution):
      tree.primaryKey.autoincrement = autoincrement
      if descending { tree.primaryKey.direction = .descending }
      tree.primaryKey.onConflict = resolution?.tree ?? .unspecified
    case .notNull(let resolution): tree.notNull.onConflict = resolution?.tree ?? .unspecified
    case .unique(let resolution): tree.unique.onConflict = resolution?.tree ?? .unspecified
    case .default(let value): tree.default = writer.declared(value)
    case .check(let condition): tree.check = writer.declared(condition)
    case .collation(let collation): tree.collation = collation
    case .references(let key): tree.references = key.tree
    case .generated(let expression, let stored):
      if let expression { tree.generated.expression = writer.declared(expression) }
      tree.generated.stored = stored ?? false
    }
    return tree
  }
}

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

/// A constraint of several columns, or of none.
struct TableConstraintPart: Sendable {
  enum Kind: Sendable {
    case primaryKey([OrderingTerm], ConflictResolution?)
    case unique([OrderingTerm], ConflictResolution?)
    case check([QueryFragment])
    case foreignKey([QueryFragment], ForeignKeyPart)
  }

  var name: String?
  var kind: Kind

  func tree(in writer: inout TreeWriter) -> ASTTableConstraint {
    var tree = ASTTableConstraint()
    tree.name = name ?? ""
    switch kind {
    case .primaryKey(let columns, let resolution):
      tree.primaryKey.columns = writer.indexedColumns(columns)
      tree.primaryKey.onConflict = resolution?.tree ?? .unspecified
    case .unique(let columns, let resolution):
      tree.unique.columns = writer.indexedColumns(columns)
      tree.unique.onConflict = resolution?.tree ?? .unspecified
    case .check(let conditions): tree.check = writer.declaredCondition(conditions) ?? .keyword(.true)
    case .foreignKey(let columns, let key):
      tree.foreignKey.columns = columns.compactMap(\.columnName)
      tree.foreignKey.references = key.tree
    }
    return tree
  }
}
