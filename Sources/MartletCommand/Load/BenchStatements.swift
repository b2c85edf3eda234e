import MartletAST

/// The statements of the load run, as trees.
///
/// Always true: a tree here never varies, so its bytes have the same shape in every run.
enum BenchStatements {
  static let pointRead = ASTStatement.select(
    BenchData.itemColumns, from: .table("items"), where: .call(.equal, .column("id"), .parameter(1)))

  static let scan = ASTStatement.select(BenchData.itemColumns, from: .table("items"))

  /// The value that tells the insert from all others, and a note.
  static let insert = ASTStatement.insert(
    into: "inserts", ["value", "note"], values: [.parameter(1), .parameter(2)])

  static let bulkInsert = ASTStatement.insert(
    into: "bulk_items", Array(BenchData.itemColumns.dropFirst()), rows: 1)

  static let fillItems: ASTStatement = {
    var statement = ASTStatement.insert(into: "items", BenchData.itemColumns, rows: 1)
    statement.insert.or = .replace
    return statement
  }()

  static let upsert: ASTStatement = {
    var statement = ASTStatement.insert(into: "upserts", ["id", "hits"], values: [.parameter(1), .literal(Int64(1))])
    var upsert = ASTUpsert()
    upsert.target = [.column("id")]
    upsert.assignments = [.set("hits", .call(.add, .column("upserts", "hits"), .literal(Int64(1))))]
    statement.insert.upserts = [upsert]
    return statement
  }()

  static let countItems = ASTStatement.select(
    [.countAll, .function("max", .column("id"))], from: .table("items"))

  static let dropBulkItems = ASTStatement.drop(.table, "bulk_items", ifExists: true)

  static let createItems = itemsTable("items")
  static let createBulkItems = itemsTable("bulk_items")
  static let createInserts = table("inserts", [.column("value", "INTEGER"), .column("note", "TEXT")])
  static let createUpserts = table("upserts", [.column("hits", "INTEGER")])

  private static func itemsTable(_ name: String) -> ASTStatement {
    table(
      name,
      [
        .column("title", "TEXT"), .column("price", "REAL"), .column("qty", "INTEGER"), .column("note", "TEXT"),
        .column("created", "INTEGER"),
      ])
  }

  /// A table with an `id` before the columns, if it is not there.
  private static func table(_ name: String, _ columns: [ASTColumnDefinition]) -> ASTStatement {
    .createTable(name, [.column("id", "INTEGER", .primaryKey())] + columns) { $0.ifNotExists = true }
  }
}
