import MartletAST
public import MartletQuery
import MartletValues

/// A table that is made, as programs of GRDB say it in their migrations:
///
/// ```swift
/// try db.create(table: "player") { t in
///   t.autoIncrementedPrimaryKey("id")
///   t.column("name", .text).notNull()
///   t.belongsTo("team", onDelete: .cascade)
/// }
/// ```
///
/// Always true: it makes the table that the same lines make there. New tables are better made of their types, by
/// `createTable`.
public final class NewTable {
  private let db: Database
  private let name: String
  private var columns: [NewColumn] = []
  private var constraints: [ASTTableConstraint] = []
  /// Columns that point to rows of this table, whose key is known at the end.
  private var ofItself: [NewColumn] = []
  private var failure: (any Error)?

  init(_ name: String, _ db: Database) { (self.name, self.db) = (name, db) }

  /// A column.
  @discardableResult
  public func column(_ name: String, _ type: NewColumn.ColumnType? = nil) -> NewColumn {
    let column = NewColumn(name, type?.rawValue ?? "")
    columns.append(column)
    return column
  }

  /// `name INTEGER PRIMARY KEY AUTOINCREMENT`
  @discardableResult
  public func autoIncrementedPrimaryKey(_ name: String) -> NewColumn {
    column(name, .integer).primaryKey(autoincrement: true)
  }

  /// A column that is the key, and never NULL.
  @discardableResult
  public func primaryKey(_ name: String, _ type: NewColumn.ColumnType) -> NewColumn {
    column(name, type).primaryKey().notNull()
  }

  /// `PRIMARY KEY (a, b)`
  public func primaryKey(_ columns: [String]) {
    constrain { $0.primaryKey.columns = columns.map(ASTIndexedColumn.of) }
  }

  /// `UNIQUE (a, b)`
  public func uniqueKey(_ columns: [String]) {
    constrain { $0.unique.columns = columns.map(ASTIndexedColumn.of) }
  }

  /// `CHECK (sql)`
  public func check(sql: String) { constrain { $0.check = .sql(sql) } }

  /// `FOREIGN KEY (a, b) REFERENCES table (c, d)`: of the table's key, if no columns are named.
  public func foreignKey(
    _ columns: [String], references table: String, columns destinations: [String]? = nil,
    onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil, deferred: Bool = false
  ) {
    constrain {
      $0.foreignKey.columns = columns
      $0.foreignKey.references = .key(table, destinations ?? [], onDelete, onUpdate, deferred)
    }
  }

  /// A column `teamId` with an index, of the type of the key of the table `team`, to which it points. That may be the
  /// table that is made.
  @discardableResult
  public func belongsTo(
    _ key: String, inTable table: String? = nil, onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil,
    deferred: Bool = false, indexed: Bool = true
  ) -> NewColumn {
    let table = table ?? key
    let isItself = table.lowercasedASCII == name.lowercasedASCII
    let column = NewColumn(key + "Id", isItself ? "" : keyType(of: table)).references(
      table, onDelete: onDelete, onUpdate: onUpdate, deferred: deferred)
    if isItself { ofItself.append(column) }
    columns.append(indexed ? column.indexed() : column)
    return column
  }

  /// What the one column of another table's key is declared with.
  private func keyType(of table: String) -> String {
    do {
      let key = try db.columns(in: table).filter { $0.primaryKeyIndex > 0 }
      if key.count < 2 { return key.first?.type ?? NewColumn.ColumnType.integer.rawValue }
      throw RequestError.keyOfSeveralColumns(table)
    } catch {
      failure = failure ?? error
      return ""
    }
  }

  /// What the one column of this table's key is declared with.
  private func ownKeyType() throws -> String {
    let named = constraints.flatMap { $0.primaryKey.columns.map(\.expression.column.name) }
    let key = columns.filter { $0.isPrimaryKey || named.contains($0.definition.name) }
    guard key.count < 2 else { throw RequestError.keyOfSeveralColumns(name) }
    guard let column = key.first, !ofItself.contains(where: { $0 === column }) else {
      return NewColumn.ColumnType.integer.rawValue
    }
    return column.definition.type
  }

  private func constrain(_ change: (inout ASTTableConstraint) -> Void) {
    var constraint = ASTTableConstraint()
    change(&constraint)
    constraints.append(constraint)
  }

  func create(_ options: TableOptions) throws {
    if let failure { throw failure }
    for column in columns { try column.checkValues() }
    if !ofItself.isEmpty {
      let type = try ownKeyType()
      for column in ofItself { column.declare(as: type) }
    }
    let statement = ASTStatement.createTable(name, columns.map(\.definition)) {
      $0.constraints = constraints
      $0.ifNotExists = options.contains(.ifNotExists)
      $0.temporary = options.contains(.temporary)
      $0.withoutRowid = options.contains(.withoutRowID)
      $0.strict = options.contains(.strict)
    }
    try db.run(SerializedStatement(statement))
    for column in columns where column.isIndexed {
      let options: IndexOptions = options.contains(.ifNotExists) ? .ifNotExists : []
      try db.create(indexOn: name, columns: [column.definition.name], options: options)
    }
  }
}

/// What `db.create(table:)` makes beside the columns.
public struct TableOptions: OptionSet, Sendable {
  public let rawValue: Int
  /// The options of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Nothing happens if the table is there.
  public static let ifNotExists = TableOptions(rawValue: 1)
  /// A table of the connection's own, which goes with it.
  public static let temporary = TableOptions(rawValue: 2)
  /// `WITHOUT ROWID`
  public static let withoutRowID = TableOptions(rawValue: 4)
  /// `STRICT`: columns hold values of their types only.
  public static let strict = TableOptions(rawValue: 8)
}

/// What `db.create(index:)` makes.
public struct IndexOptions: OptionSet, Sendable {
  public let rawValue: Int
  /// The options of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Nothing happens if the index is there.
  public static let ifNotExists = IndexOptions(rawValue: 1)
  /// No two rows have the same values.
  public static let unique = IndexOptions(rawValue: 2)
}

extension ASTIndexedColumn {
  static func of(_ name: String) -> ASTIndexedColumn {
    var column = ASTIndexedColumn()
    column.expression = .column(name)
    return column
  }
}
