internal import MartletAST
internal import MartletDatabase
internal import MartletQuery
internal import MartletValues

/// What tables, columns and indexes a database has.
///
/// ```swift
/// for column in try db.schema.columnDefinitions(table: "users") { print(column.name, column.type) }
/// ```
///
/// Always true: it asks anew each time, with trees, so a server answers it too.
public final class SchemaReader: Sendable {
  private let connection: Connection

  init(connection: Connection) { self.connection = connection }

  /// The columns of a table or a view; none if there is no such table. Throws `Result`.
  public func columnDefinitions(table: String) throws -> [ColumnDefinition] {
    let rows = try rows("pragma_table_info", table, ["name", "type", "notnull", "dflt_value", "pk"])
    let foreign = try foreignKeys(table: table)
    let unique = Set(
      try indexDefinitions(table: table).filter { $0.origin == .uniqueConstraint && $0.columns.count == 1 }
        .map { $0.columns[0] })
    let hasKey = rows.contains { $0[4].number > 0 }
    let sql = hasKey ? try objectDefinitions(name: table, type: .table).first?.sql : nil
    return rows.map { row in
      let name = row[0].text ?? ""
      let type = row[1].text ?? ""
      let affinity = ColumnDefinition.Affinity(type)
      return ColumnDefinition(
        name: name, primaryKey: row[4].number > 0 ? Self.primaryKey(in: sql ?? "") : nil, type: affinity,
        spelledType: type == affinity.rawValue ? nil : type, nullable: row[2].number == 0,
        unique: unique.contains(name), defaultValue: LiteralValue(row[3].text),
        references: foreign.first { $0.fromColumn == name })
    }
  }

  /// What the schema has, but for what SQLite made for itself. Throws `Result`.
  ///
  /// - Parameters:
  ///   - name: of the object; nil: every object.
  ///   - type: what kind; nil: every kind.
  ///   - temporary: the objects of this connection, and not those of the file.
  public func objectDefinitions(
    name: String? = nil, type: ObjectDefinition.ObjectType? = nil, temporary: Bool = false
  ) throws -> [ObjectDefinition] {
    // A server has none.
    if temporary, connection.isRemote { return [] }
    var values = TreeValues()
    let query = ASTStatement.select { select in
      select.columns = ["type", "name", "tbl_name", "rootpage", "sql"].map { .expression(.column($0)) }
      select.from = .table(temporary ? "sqlite_temp_master" : "sqlite_master")
      var conditions: [ASTExpression] = []
      if let name { conditions.append(.call(.equal, .column("name"), values.expression(.text(name)))) }
      if let type { conditions.append(.call(.equal, .column("type"), values.expression(.text(type.rawValue)))) }
      if conditions.count == 1 { select.where = conditions[0] }
      if conditions.count > 1 { select.where = .call(.and, conditions) }
    }
    return try connection.rows(of: query, values.parameters).compactMap { row in
      guard let type = ObjectDefinition.ObjectType(rawValue: row[0].text ?? "") else { return nil }
      return ObjectDefinition(
        type: type, name: row[1].text ?? "", tableName: row[2].text ?? "", rootpage: row[3].number, sql: row[4].text)
    }
  }

  /// The indexes of a table, those of its constraints too. Throws `Result`.
  public func indexDefinitions(table: String) throws -> [IndexDefinition] {
    try rows("pragma_index_list", table, ["name", "unique", "origin", "partial"]).map { row in
      let name = row[0].text ?? ""
      let parts = try rows("pragma_index_xinfo", name, ["name", "desc", "key", "coll", "cid"])
        .filter { $0[2].number != 0 }
      let sql = try objectDefinitions(name: name, type: .index).first?.sql
      let down = parts.filter { $0[1].number != 0 }.compactMap { $0[0].text }
      let hasMore =
        parts.contains { $0[4].number < 0 } || sql.map { SQLWords($0).contains { $0.text == "COLLATE" } } == true
      return IndexDefinition(
        table: table, name: name, unique: row[1].number != 0, columns: parts.compactMap { $0[0].text },
        where: row[3].number != 0 ? sql.flatMap(Self.condition) : nil,
        orders: down.isEmpty ? nil : Dictionary(down.map { ($0, .DESC) }) { first, _ in first },
        origin: IndexDefinition.Origin(rawValue: row[2].text ?? ""), sql: hasMore ? sql : nil)
    }
  }

  /// The foreign keys of a table, a column of one that has several by itself. Throws `Result`.
  public func foreignKeys(table: String) throws -> [ColumnDefinition.ForeignKey] {
    try rows("pragma_foreign_key_list", table, ["from", "table", "to", "on_update", "on_delete"]).map { row in
      ColumnDefinition.ForeignKey(
        fromColumn: row[0].text ?? "", toTable: row[1].text ?? "", toColumn: row[2].text,
        onUpdate: Self.action(row[3].text), onDelete: Self.action(row[4].text))
    }
  }

  /// Every table of the file that a program made, with its columns and indexes. Throws `Result`.
  public func tableDefinitions() throws -> [TableDefinition] {
    try objectDefinitions(type: .table).filter { !$0.isInternal }.map { table in
      TableDefinition(
        name: table.name, columns: try columnDefinitions(table: table.name),
        indexes: try indexDefinitions(table: table.name))
    }
  }

  // MARK: - Names

  /// The name, or one like it that nothing in the file has. Throws `Result`.
  func freeName(_ name: String) throws -> String { Self.free(name, among: try objectDefinitions().map(\.name)) }

  static func free(_ name: String, among taken: [String]) -> String {
    let names = Set(taken.map { $0.lowercased() })
    guard names.contains(name.lowercased()) else { return name }
    return (2...).lazy.map { "\(name)_\($0)" }.first { !names.contains($0.lowercased()) } ?? name
  }

  // MARK: - Rows

  /// The rows of a function that tells of a table or an index.
  func rows(_ function: String, _ name: String, _ columns: [String]) throws -> [[SQLValue]] {
    try connection.rows(of: .select(columns, ofNamed: function), [.text(name)])
  }

  private static func primaryKey(in sql: String) -> ColumnDefinition.PrimaryKey {
    let all = Array(SQLWords(sql))
    let words = all.map(\.text)
    var onConflict: ColumnDefinition.OnConflict?
    if let key = words.indices.first(where: { words[$0...].starts(with: ["PRIMARY", "KEY"]) }) {
      // The columns of a key of the table stand in parentheses between.
      let behind = all[(key + 2)...].drop { $0.depth > all[key].depth }.map(\.text)
      let rest = behind.drop { $0 == "ASC" || $0 == "DESC" }
      if rest.starts(with: ["ON", "CONFLICT"]) {
        onConflict = rest.dropFirst(2).first.flatMap { ColumnDefinition.OnConflict(rawValue: $0) }
      }
    }
    return ColumnDefinition.PrimaryKey(autoIncrement: words.contains("AUTOINCREMENT"), onConflict: onConflict)
  }

  private static func action(_ text: String?) -> TableBuilder.Dependency? {
    text == "NO ACTION" ? nil : text.flatMap { TableBuilder.Dependency(rawValue: $0) }
  }

  /// What stands behind an index's WHERE.
  private static func condition(_ sql: String) -> String? {
    let place = SQLWords(sql).first { $0.text == "WHERE" && $0.depth == 0 }?.place
    return place.map { String(sql[$0.upperBound...].drop { $0.isWhitespace }) }
  }
}

extension SQLValue {
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int64 { if case .integer(let number) = self { number } else { 0 } }
}

extension Connection {
  /// The rows of a SELECT, each at least as wide as the tree asks.
  func rows(of tree: ASTStatement, _ parameters: [SQLValue] = []) throws -> [[SQLValue]] {
    try call { database in
      try database.rows(of: SerializedStatement(tree, parameters: parameters, failure: nil))
        .all(width: tree.select.columns.count)
    }
  }

  /// Runs a tree that changes something.
  func run(_ tree: ASTStatement, _ parameters: [SQLValue] = []) throws {
    try call(writes: true) { database in
      try checkMayRun(isRead: false)
      try database.run(SerializedStatement(tree, parameters: parameters, failure: nil))
    }
  }
}
