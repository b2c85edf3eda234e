/// A table, as a schema has it.
public struct TableDefinition: Equatable, Sendable {
  public let name: String
  public let columns: [ColumnDefinition]
  public let indexes: [IndexDefinition]

  public init(name: String, columns: [ColumnDefinition], indexes: [IndexDefinition]) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
  }
}

/// A table, an index, a view or a trigger, as SQLite's own table of the schema has it.
public struct ObjectDefinition: Equatable, Sendable {
  /// What an object is.
  public enum ObjectType: String, Sendable {
    case table
    case index
    case view
    case trigger
  }

  public let type: ObjectType
  public let name: String
  /// The table that the object belongs to: its own name, if it is a table.
  public let tableName: String
  /// The page where the object begins; 0 if it has none.
  public let rootpage: Int64
  /// The statement that made the object; nil if SQLite did.
  public let sql: String?

  /// Whether SQLite made the object for itself.
  public var isInternal: Bool { name.hasPrefix("sqlite_") || sql == nil }
}

/// A row that points to one that is not there.
public struct ForeignKeyError: Hashable, Sendable {
  /// The table of the row.
  public let from: String
  /// The row's number; 0 if its table has none.
  public let rowId: Int64
  /// The table that the row points to.
  public let to: String
}

extension ForeignKeyError {
  /// The errors that were not among those before. A table without numbers of rows has equal ones, which are counted.
  static func new(in errors: [ForeignKeyError], since before: [ForeignKeyError]) -> [ForeignKeyError] {
    var known = Dictionary(before.map { ($0, 1) }, uniquingKeysWith: +)
    return errors.filter { error in
      guard let count = known[error], count > 0 else { return true }
      known[error] = count - 1
      return false
    }
  }
}

extension ForeignKeyError: CustomStringConvertible {
  public var description: String { "row \(rowId) of \(from) points to a row that is not in \(to)" }
}
