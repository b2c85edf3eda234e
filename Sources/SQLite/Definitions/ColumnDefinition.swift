internal import MartletAST

/// A column of a table, as a schema has it or is to have it.
///
/// ```swift
/// ColumnDefinition(name: "email", type: .TEXT, nullable: false, unique: true)
/// ```
///
/// Always true: two are equal if all that it shows is; how its type is spelled (`VARCHAR(80)`) is kept beside it.
public struct ColumnDefinition: Sendable {
  /// What SQLite does with values of the column.
  public enum Affinity: String, CaseIterable, Sendable {
    case INTEGER
    case NUMERIC
    case REAL
    case TEXT
    case BLOB

    /// The affinity that SQLite gives to a type of this name.
    public init(_ string: String) {
      let name = string.uppercased()
      func has(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
      self =
        if has("INT") { .INTEGER } else if has("CHAR", "CLOB", "TEXT") { .TEXT } else if name.isEmpty || has("BLOB") {
          .BLOB
        } else if has("REAL", "FLOA", "DOUB") { .REAL } else { .NUMERIC }
    }
  }

  /// What happens to a row whose key is there already.
  public enum OnConflict: String, CaseIterable, Sendable {
    case ROLLBACK
    case ABORT
    case FAIL
    case IGNORE
    case REPLACE
  }

  /// The constraint that the column is the key.
  public struct PrimaryKey: Equatable, Sendable {
    /// SQLite gives numbers that no row ever had.
    public let autoIncrement: Bool
    public let onConflict: OnConflict?

    public init(autoIncrement: Bool = true, onConflict: OnConflict? = nil) {
      self.autoIncrement = autoIncrement
      self.onConflict = onConflict
    }
  }

  /// The constraint that the column points to rows of a table.
  public struct ForeignKey: Equatable, Sendable {
    /// The column that points.
    public let fromColumn: String
    /// The table that the column points to.
    public let toTable: String
    /// The column that is pointed to; nil: the table's key.
    public let toColumn: String?
    public let onUpdate: TableBuilder.Dependency?
    public let onDelete: TableBuilder.Dependency?

    public init(
      fromColumn: String, toTable: String, toColumn: String? = nil, onUpdate: TableBuilder.Dependency? = nil,
      onDelete: TableBuilder.Dependency? = nil
    ) {
      self.fromColumn = fromColumn
      self.toTable = toTable
      self.toColumn = toColumn
      self.onUpdate = onUpdate
      self.onDelete = onDelete
    }
  }

  public let name: String
  public let primaryKey: PrimaryKey?
  public let type: Affinity
  public let nullable: Bool
  public let unique: Bool
  public let defaultValue: LiteralValue
  public let references: ForeignKey?
  /// The type as the schema spells it, if it is not the affinity's name.
  let spelledType: String?

  public init(
    name: String, primaryKey: PrimaryKey? = nil, type: Affinity, nullable: Bool = true, unique: Bool = false,
    defaultValue: LiteralValue = .NULL, references: ForeignKey? = nil
  ) {
    self.init(
      name: name, primaryKey: primaryKey, type: type, spelledType: nil, nullable: nullable, unique: unique,
      defaultValue: defaultValue, references: references)
  }

  init(
    name: String, primaryKey: PrimaryKey?, type: Affinity, spelledType: String?, nullable: Bool, unique: Bool,
    defaultValue: LiteralValue, references: ForeignKey?
  ) {
    self.name = name
    self.primaryKey = primaryKey
    self.type = type
    self.spelledType = spelledType
    self.nullable = nullable
    self.unique = unique
    self.defaultValue = defaultValue
    self.references = references
  }
}

extension ColumnDefinition: Equatable {
  public static func == (lhs: ColumnDefinition, rhs: ColumnDefinition) -> Bool {
    lhs.name == rhs.name && lhs.primaryKey == rhs.primaryKey && lhs.type == rhs.type && lhs.nullable == rhs.nullable
      && lhs.unique == rhs.unique && lhs.defaultValue == rhs.defaultValue && lhs.references == rhs.references
  }
}

extension ColumnDefinition {
  /// The column as a part of CREATE TABLE or ALTER TABLE. A key of several columns is the table's and not theirs.
  func tree(isPartOfKey: Bool = false) -> ASTColumnDefinition {
    var definition = ASTColumnDefinition()
    definition.name = name
    definition.type = spelledType ?? type.rawValue
    if let primaryKey, !isPartOfKey {
      var constraint = ASTColumnConstraint.primaryKey(autoincrement: primaryKey.autoIncrement)
      if let onConflict = primaryKey.onConflict { constraint.primaryKey.onConflict = onConflict.tree }
      definition.constraints.append(constraint)
    }
    if !nullable { definition.constraints.append(.notNull) }
    if unique { definition.constraints.append(.unique) }
    if defaultValue != .NULL { definition.constraints.append(.default(defaultValue.tree)) }
    if let references {
      var constraint = ASTColumnConstraint.references(references.toTable, [references.toColumn].compactMap { $0 })
      if let onUpdate = references.onUpdate { constraint.references.onUpdate = onUpdate.tree }
      if let onDelete = references.onDelete { constraint.references.onDelete = onDelete.tree }
      definition.constraints.append(constraint)
    }
    return definition
  }
}

extension ColumnDefinition.OnConflict {
  var tree: ASTConflictResolution {
    switch self {
    case .ROLLBACK: .rollback
    case .ABORT: .abort
    case .FAIL: .fail
    case .IGNORE: .ignore
    case .REPLACE: .replace
    }
  }
}
