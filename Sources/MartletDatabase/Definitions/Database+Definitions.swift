import MartletAST
import MartletQuery
import MartletValues

/// Changes of a schema as programs of GRDB say them: a migration that was released is kept as it is.
extension Database {
  /// `CREATE TABLE name (…)`, with the columns and constraints that the closure names, and indexes for those that are
  /// `indexed`.
  public func create(
    table name: String, options: TableOptions = [], body: (NewTable) throws -> Void
  ) throws {
    let table = NewTable(name, self)
    try body(table)
    try table.create(options)
  }

  /// Changes the columns of a table, one after the other, and makes indexes for those that are `indexed`.
  public func alter(table name: String, body: (TableChanges) throws -> Void) throws {
    let changes = TableChanges(name)
    try body(changes)
    try changes.make(self)
  }

  /// `ALTER TABLE name RENAME TO newName`
  public func rename(table name: String, to newName: String) throws {
    try run(SerializedStatement(.alterTable(name) { $0.renameTo = newName }))
  }

  /// `DROP TABLE name`
  public func drop(table name: String) throws { try run(SerializedStatement(.drop(.table, name))) }

  /// `DROP VIEW name`
  public func drop(view name: String) throws { try run(SerializedStatement(.drop(.view, name))) }

  /// `DROP INDEX name`
  public func drop(index name: String) throws { try run(SerializedStatement(.drop(.index, name))) }

  /// `CREATE INDEX name ON table (columns)`
  ///
  /// - Parameter condition: of a partial index, as SQL of the program's own.
  public func create(
    index name: String, on table: String, columns: [String], options: IndexOptions = [], condition: String? = nil
  ) throws {
    let statement = ASTStatement.createIndex(name, on: table, columns.map(ASTIndexedColumn.of)) {
      $0.unique = options.contains(.unique)
      $0.ifNotExists = options.contains(.ifNotExists)
      if let condition { $0.where = .sql(condition) }
    }
    try run(SerializedStatement(statement))
  }

  /// The same under a name that is made of the table's and the columns': `index_player_on_score`.
  public func create(
    indexOn table: String, columns: [String], options: IndexOptions = [], condition: String? = nil
  ) throws {
    let name = Self.indexName(table, columns)
    try create(index: name, on: table, columns: columns, options: options, condition: condition)
  }

  /// Drops what `create(indexOn:columns:)` made.
  public func drop(indexOn table: String, columns: [String]) throws { try drop(index: Self.indexName(table, columns)) }

  private static func indexName(_ table: String, _ columns: [String]) -> String {
    "index_\(table)_on_\(columns.joined(separator: "_"))"
  }
}

/// What is changed of a table: `db.alter(table: "player") { t in t.add(column: "score", .integer) }`.
public final class TableChanges {
  private let name: String
  private var added: [NewColumn] = []
  private var changes: [(Database) throws -> Void] = []

  init(_ name: String) { self.name = name }

  /// In the order in which they were said; none, if one of them cannot be made.
  func make(_ db: Database) throws {
    for column in added { try column.checkValues() }
    for change in changes { try change(db) }
  }

  private func change(_ set: @escaping (inout ASTAlterTable) -> Void) {
    changes.append { [name] db in try db.run(SerializedStatement(.alterTable(name, set))) }
  }

  /// `ADD COLUMN column`, with the constraints that are added to what it returns.
  @discardableResult
  public func add(column: String, _ type: NewColumn.ColumnType? = nil) -> NewColumn {
    let column = NewColumn(column, type?.rawValue ?? "")
    added.append(column)
    change { $0.addColumn = column.definition }
    changes.append { [name] db in
      if column.isIndexed { try db.create(indexOn: name, columns: [column.definition.name]) }
    }
    return column
  }

  /// `RENAME COLUMN column TO newName`
  public func rename(column: String, to newName: String) {
    change {
      $0.renameColumn.from = column
      $0.renameColumn.to = newName
    }
  }

  /// `DROP COLUMN column`
  public func drop(column: String) { change { $0.dropColumn = column } }
}
