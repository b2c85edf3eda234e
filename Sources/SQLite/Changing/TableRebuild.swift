internal import MartletAST
internal import MartletValues

/// A table made anew with other columns, for what ALTER TABLE cannot do: its rows, indexes and triggers stay.
///
/// Always true: it refuses a table that has more than definitions of columns can say, rather than lose it. It runs
/// inside of a transaction.
struct TableRebuild {
  private let table: String
  private let connection: Connection

  init(of table: String, on connection: Connection) throws {
    self.table = table
    self.connection = connection
    try checkTable()
    try checkReferences()
  }

  // MARK: - Whether it is needed

  static func isNeeded(for changes: [SchemaChange], of table: String, _ connection: Connection) throws -> Bool {
    try changes.contains { change in
      switch change {
      case .addColumn(let column): isNeeded(toAdd: column)
      case .dropColumn(let name): try isNeeded(toDrop: name, of: table, connection)
      case .renameColumn, .addIndex, .dropIndex: false
      }
    }
  }

  /// ALTER TABLE adds no unique column, and to a table that has rows only a default that is the same for each.
  static func isNeeded(toAdd column: ColumnDefinition) -> Bool {
    column.unique || !column.defaultValue.isConstant || (column.references != nil && column.defaultValue != .NULL)
  }

  /// ALTER TABLE drops no column that is unique or that points to another table.
  static func isNeeded(toDrop name: String, of table: String, _ connection: Connection) throws -> Bool {
    let name = name.lowercased()
    let column = try connection.schema.columnDefinitions(table: table).first { $0.name.lowercased() == name }
    guard let column, column.primaryKey == nil else { return false }
    return column.unique || column.references != nil
  }

  // MARK: - What it cannot do

  private func checkTable() throws {
    guard let sql = try connection.schema.objectDefinitions(name: table, type: .table).first?.sql else {
      throw SchemaChanger.Error.unchangeableTable(
        "There is no table \(table) in this file. Give the name as the schema has it.")
    }
    let words = SQLWords(sql).map(\.text)
    let lost: Set = [
      "CHECK", "COLLATE", "GENERATED", "AS", "WITHOUT", "STRICT", "DEFERRABLE", "VIRTUAL", "CONSTRAINT", "MATCH",
      "DESC",
    ]
    if let word = words.first(where: lost.contains) { throw cannot("it has \(word)") }
    // A definition can name a conflict clause for the key only.
    if words.filter({ $0 == "CONFLICT" }).count > (hasKeyConflict ? 1 : 0) { throw cannot("it has ON CONFLICT") }
    let several = try connection.schema.indexDefinitions(table: table).contains {
      $0.origin == .uniqueConstraint && $0.columns.count > 1
    }
    if several { throw cannot("it has UNIQUE of several columns") }
    try checkKeys()
    let triggers = try connection.schema.objectDefinitions(type: .trigger, temporary: true)
    if triggers.contains(where: isOfTable) { throw cannot("it has a temporary trigger") }
  }

  private func checkKeys() throws {
    let foreign = try connection.schema.rows("pragma_foreign_key_list", table, ["seq", "from"])
    if foreign.contains(where: { $0[0].number > 0 }) { throw cannot("it has a foreign key of several columns") }
    guard Set(foreign.map { $0[1].text?.lowercased() }).count == foreign.count else {
      throw cannot("it has a column that points to several tables")
    }
    let places = try connection.schema.rows("pragma_table_info", table, ["pk"]).map { $0[0].number }.filter { $0 > 0 }
    if places != places.sorted() { throw cannot("its key has its columns in another order than the table") }
  }

  private func isOfTable(_ object: ObjectDefinition) -> Bool { object.tableName.lowercased() == table.lowercased() }

  private var hasKeyConflict: Bool {
    let columns = (try? connection.schema.columnDefinitions(table: table)) ?? []
    return columns.contains { $0.primaryKey?.onConflict != nil }
  }

  private func cannot(_ reason: String) -> SchemaChanger.Error {
    .unchangeableTable(
      "The table \(table) would have to be made anew for this change, and that would lose a part of it: \(reason). "
        + "Make the new table with SQL, and copy the rows.")
  }

  /// If foreign keys cannot be turned off, rows that point to this table would go with it.
  private func checkReferences() throws {
    guard connection.isRemote || connection.foreignKeys else { return }
    for other in try connection.schema.objectDefinitions(type: .table) where other.name != table {
      let points = try connection.schema.foreignKeys(table: other.name)
      guard points.contains(where: { $0.toTable.lowercased() == table.lowercased() }) else { continue }
      throw SchemaChanger.Error.unchangeableTable(
        "The table \(table) would have to be made anew for this change, and rows of \(other.name) point to it while "
          + "foreign keys are enforced. Do it outside of a transaction, on a connection to the file.")
    }
  }

  // MARK: - The steps

  /// Copies the rows away, makes the table anew with the changed columns, and brings them back.
  func run(_ change: (inout [ColumnDefinition]) -> Void) throws {
    let old = try connection.schema.columnDefinitions(table: table)
    var new = old
    change(&new)
    let kept = new.map(\.name).filter { name in old.contains { $0.name == name } }
    let objects = try objects(keeping: kept)
    let sequence = try lastNumber()
    let copy = try connection.schema.freeName("copy_of_\(table)")
    let number = rowNumber(old, new)
    let copied = kept + (number.map { [$0] } ?? [])
    // In the copy the rows' numbers are a column like any other.
    let names = copied.map { name in
      name == number ? (name, SchemaReader.free("number_of_row", among: old.map(\.name))) : (name, name)
    }
    try connection.run(.createTable(copy, []) { $0.as = select(names, from: table) })
    try connection.run(.drop(.table, table))
    try connection.run(SchemaChanger.creation(of: table, new) { _ in })
    try connection.run(.insert(into: table, copied) { $0.query = select(names.map { ($0.1, $0.1) }, from: copy) })
    try connection.run(.drop(.table, copy))
    if let sequence { try keep(sequence) }
    for object in objects { try connection.run(object) }
  }

  /// The name of the rows' numbers, which stay: a full-text table beside this one may point to them. Nil if a column of
  /// the key is the number itself, or if columns hide each of the names.
  private func rowNumber(_ old: [ColumnDefinition], _ new: [ColumnDefinition]) -> String? {
    let key = old.filter { $0.primaryKey != nil }
    if key.count == 1, (key[0].spelledType ?? key[0].type.rawValue).uppercased() == "INTEGER" { return nil }
    let names = Set((old + new).map { $0.name.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
  }

  /// Columns with the names that they are to have.
  private func select(_ columns: [(name: String, alias: String)], from table: String) -> ASTStatement {
    .select { select in
      select.columns = columns.map { .expression(.column($0.name), as: $0.alias) }
      select.from = .table(table)
    }
  }

  /// The statements that make the table's indexes and triggers.
  private func objects(keeping columns: [String]) throws -> [ASTStatement] {
    let indexes = try connection.schema.indexDefinitions(table: table).filter { $0.origin == .createIndex }
    let triggers = try connection.schema.objectDefinitions(type: .trigger).filter(isOfTable)
    return indexes.map { $0.tree() } + triggers.compactMap(\.sql).map { .raw($0) }
  }

  // MARK: - AUTOINCREMENT

  /// The highest number that AUTOINCREMENT ever gave; nil if the table has none.
  private func lastNumber() throws -> Int64? {
    guard try connection.schema.objectDefinitions(name: "sqlite_sequence").first != nil else { return nil }
    let query = ASTStatement.select { select in
      select.columns = [.expression(.column("seq"))]
      select.from = .table("sqlite_sequence")
      select.where = .call(.equal, .column("name"), .parameter(1))
    }
    return try connection.rows(of: query, [.text(table)]).first?[0].number
  }

  /// Numbers of deleted rows are not given again.
  private func keep(_ number: Int64) throws {
    let name = ASTExpression.call(.equal, .column("name"), .parameter(1))
    try connection.run(
      .delete(from: "sqlite_sequence") { $0.where = name }, [.text(table)])
    try connection.run(
      .insert(into: "sqlite_sequence", ["name", "seq"]) { $0.values = .rows([[.parameter(1), .parameter(2)]]) },
      [.text(table), .integer(number)])
  }
}
