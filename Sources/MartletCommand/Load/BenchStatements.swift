import MartletAST

/// The statements of the load run, as trees.
///
/// Always true: a tree here never varies, so its bytes have the same shape in every run.
enum BenchStatements {
  static let pointRead: ASTStatement = Tree.select(
    BenchData.itemColumns, from: "items", where: Tree.call(.equal, [Tree.column("id"), Tree.parameter(1)]))

  static let scan: ASTStatement = Tree.select(BenchData.itemColumns, from: "items")

  /// The value that tells the insert from all others, and a note.
  static let insert: ASTStatement = Tree.insert(
    into: "inserts", columns: ["value", "note"], values: [Tree.parameter(1), Tree.parameter(2)])

  static let bulkInsert: ASTStatement = Tree.insertRows(
    into: "bulk_items", columns: Array(BenchData.itemColumns.dropFirst()))

  static let fillItems: ASTStatement = Tree.insertRows(
    into: "items", columns: BenchData.itemColumns, or: .replace)

  static let upsert: ASTStatement = {
    var insert = Tree.insert(into: "upserts", columns: ["id", "hits"], values: [Tree.parameter(1), Tree.integer(1)])
    var upsert = ASTUpsert()
    var target = ASTIndexedColumn()
    target.expression = Tree.column("id")
    upsert.target = [target]
    var assignment = ASTAssignment()
    assignment.columns = ["hits"]
    assignment.value = Tree.call(.add, [Tree.column("hits", of: "upserts"), Tree.integer(1)])
    upsert.assignments = [assignment]
    insert.insert.upserts = [upsert]
    return insert
  }()

  static let countItems: ASTStatement = Tree.select(
    expressions: [Tree.function("count", star: true), Tree.function("max", [Tree.column("id")])], from: "items")

  static let dropBulkItems: ASTStatement = Tree.drop(.table, "bulk_items", ifExists: true)

  static let createItems = itemsTable("items")
  static let createBulkItems = itemsTable("bulk_items")
  static let createInserts = Tree.createTable(
    "inserts", columns: [("id", "INTEGER", true), ("value", "INTEGER", false), ("note", "TEXT", false)],
    ifNotExists: true)
  static let createUpserts = Tree.createTable(
    "upserts", columns: [("id", "INTEGER", true), ("hits", "INTEGER", false)], ifNotExists: true)

  private static func itemsTable(_ name: String) -> ASTStatement {
    Tree.createTable(
      name,
      columns: [
        ("id", "INTEGER", true), ("title", "TEXT", false), ("price", "REAL", false), ("qty", "INTEGER", false),
        ("note", "TEXT", false), ("created", "INTEGER", false),
      ], ifNotExists: true)
  }
}
