import MartletAST
import MartletQuery
import MartletValues

/// What the schema of a database says: which tables there are, their columns, keys and indexes.
///
/// Always true: it is asked of the database each time; what a type of the program says of its table is `allColumns`.
extension Database {
  /// Whether there is a table of the name, temporary ones too. Capitals do not count.
  public func tableExists(_ name: String) throws -> Bool { try exists("table", name) }

  /// Whether there is a view of the name.
  public func viewExists(_ name: String) throws -> Bool { try exists("view", name) }

  /// Whether there is a trigger of the name.
  public func triggerExists(_ name: String) throws -> Bool { try exists("trigger", name) }

  /// Whether there is an index of the name.
  public func indexExists(_ name: String) throws -> Bool { try exists("index", name) }

  private func exists(_ type: String, _ name: String) throws -> Bool {
    try ["sqlite_master", "sqlite_temp_master"].contains { schema in
      let query = ASTStatement.select(
        [.literal(Int64(1))], from: .table(schema),
        where: .call(
          .and, .call(.equal, .column("type"), .parameter(1)),
          .call(.equal, .collate(.column("name"), "NOCASE"), .parameter(2))))
      let found = SerializedStatement(query, parameters: [.text(type), .text(name)])
      return try !fetch(SingleRow<Int>.self, found, limit: 1).isEmpty
    }
  }

  /// The columns of a table or a view, in their order. Throws `RequestError` if there is none of the name.
  public func columns(in table: String) throws -> [ColumnInfo] {
    let rows = try rows(["name", "type", "notnull", "dflt_value", "pk", "hidden"], of: "pragma_table_xinfo", table)
    // Columns of a virtual table that stand in no `SELECT *` are 1; what SQLite computes is 2 and 3.
    let columns = try rows.filter { try $0[5] as Int != 1 }.map { row in
      ColumnInfo(
        name: try row[0], type: try row[1], isNotNull: try row[2], defaultValueSQL: try row[3],
        primaryKeyIndex: try row[4])
    }
    guard !columns.isEmpty else {
      throw RequestError.noTable(table)
    }
    return columns
  }

  /// The columns of a table's primary key in their order; none if it has no key but the row's number.
  public func primaryKey(_ table: String) throws -> [String] {
    try columns(in: table).filter { $0.primaryKeyIndex > 0 }
      .sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }.map(\.name)
  }

  /// The indexes of a table by name, those that SQLite made for a key or UNIQUE among them.
  public func indexes(on table: String) throws -> [IndexInfo] {
    let rows = try rows(["name", "unique", "origin"], of: "pragma_index_list", table)
    let indexes = try rows.map { row in
      let name: String = try row[0]
      let columns = try self.rows(["seqno", "name"], of: "pragma_index_info", name)
        .map { (try $0[0] as Int, try $0[1] as String?) }
      let origin: String = try row[2]
      return IndexInfo(
        name: name, columns: columns.sorted { $0.0 < $1.0 }.map(\.1), isUnique: try row[1], isCreated: origin == "c")
    }
    return indexes.sorted { $0.name < $1.name }
  }

  /// What the rows of a table point to.
  public func foreignKeys(on table: String) throws -> [ForeignKeyInfo] {
    let rows = try rows(["id", "seq", "table", "from", "to"], of: "pragma_foreign_key_list", table)
      .map { (id: try $0[0] as Int, place: try $0[1] as Int, row: $0) }
    var keys: [(id: Int, key: ForeignKeyInfo)] = []
    // SQLite counts the keys from the last one.
    for (id, _, row) in rows.sorted(by: { ($1.id, $0.place) < ($0.id, $1.place) }) {
      if keys.last?.id != id { keys.append((id, ForeignKeyInfo(destinationTable: try row[2]))) }
      keys[keys.count - 1].key.originColumns.append(try row[3])
      keys[keys.count - 1].key.destinationColumns.append(try row[4])
    }
    return keys.map(\.key)
  }

  /// Rows of a table that is a function of a name.
  func rows(_ columns: [String], of function: String, _ argument: String) throws -> [Row] {
    let query = ASTStatement.select(columns, ofNamed: function)
    return try Row.fetchAll(self, SerializedStatement(query, parameters: [.text(argument)]))
  }
}

/// A column as the schema has it.
public struct ColumnInfo: Sendable, Hashable {
  /// The name as it was written.
  public let name: String
  /// The type as it was written; empty if there is none.
  public let type: String
  /// The column is declared NOT NULL.
  public let isNotNull: Bool
  /// The SQL of the column's default; nil if it has none.
  public let defaultValueSQL: String?
  /// The column's place in the primary key, counted from 1; 0 if the column is no part of it.
  public let primaryKeyIndex: Int
}

/// An index as the schema has it.
public struct IndexInfo: Sendable, Hashable {
  /// The index's name; SQLite gives one to those that it makes itself.
  public let name: String
  /// The columns in their order; nil for an expression, and for the row's number.
  public let columns: [String?]
  /// No two rows have the same values.
  public let isUnique: Bool
  /// CREATE INDEX made the index, and not a key or UNIQUE of its table.
  public let isCreated: Bool
}

/// A foreign key as the schema has it.
public struct ForeignKeyInfo: Sendable, Hashable {
  /// The table that rows point to.
  public let destinationTable: String
  /// The columns that point.
  public internal(set) var originColumns: [String] = []
  /// The columns that the origin's columns point to; nil: those of the key.
  public internal(set) var destinationColumns: [String?] = []
}
