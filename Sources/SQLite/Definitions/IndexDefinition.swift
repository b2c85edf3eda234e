internal import MartletAST

/// An index of a table, as a schema has it or is to have it.
public struct IndexDefinition: Equatable, Sendable {
  /// Which way a column of an index goes.
  public enum Order: String, Sendable {
    case ASC
    case DESC
  }

  /// Where an index comes from.
  public enum Origin: String, Sendable {
    /// `UNIQUE` in CREATE TABLE.
    case uniqueConstraint = "u"
    /// `CREATE INDEX`.
    case createIndex = "c"
    /// `PRIMARY KEY` in CREATE TABLE.
    case primaryKey = "pk"
  }

  public let table: String
  public let name: String
  public let unique: Bool
  /// The columns of the index; an expression is not among them.
  public let columns: [String]
  /// The condition of the rows that it has; nil: all.
  public let `where`: String?
  /// The columns that go down; nil if none does.
  public let orders: [String: Order]?
  /// Where the index comes from; nil if that was not asked.
  public let origin: Origin?
  /// The statement that made it, if it cannot be said with the other properties.
  let sql: String?

  public init(
    table: String, name: String, unique: Bool = false, columns: [String], `where`: String? = nil,
    orders: [String: Order]? = nil, origin: Origin? = nil
  ) {
    self.init(
      table: table, name: name, unique: unique, columns: columns, where: `where`, orders: orders, origin: origin,
      sql: nil)
  }

  init(
    table: String, name: String, unique: Bool, columns: [String], `where`: String?, orders: [String: Order]?,
    origin: Origin?, sql: String?
  ) {
    self.table = table
    self.name = name
    self.unique = unique
    self.columns = columns
    self.where = `where`
    self.orders = orders
    self.origin = origin
    self.sql = sql
  }

  /// Whether SQLite made the index for a constraint.
  public var isInternal: Bool { name.hasPrefix("sqlite_autoindex_") }

  public static func == (lhs: IndexDefinition, rhs: IndexDefinition) -> Bool {
    lhs.table == rhs.table && lhs.name == rhs.name && lhs.unique == rhs.unique && lhs.columns == rhs.columns
      && lhs.where == rhs.where && lhs.orders == rhs.orders && (lhs.origin ?? rhs.origin) == (rhs.origin ?? lhs.origin)
  }
}

extension IndexDefinition {
  /// `CREATE INDEX "name" ON "table" ("a", "b" DESC) WHERE …`
  func tree(ifNotExists: Bool = false) -> ASTStatement {
    if let sql { return .raw(sql) }
    let columns = columns.map { name in
      var column = ASTIndexedColumn()
      column.expression = .column(name)
      if let order = orders?[name] { column.direction = order == .DESC ? .descending : .ascending }
      return column
    }
    return .createIndex(name, on: table, columns) { create in
      create.unique = unique
      create.ifNotExists = ifNotExists
      if let condition = `where` { create.where = .raw(ASTRaw.Part(stringLiteral: condition)) }
    }
  }
}
