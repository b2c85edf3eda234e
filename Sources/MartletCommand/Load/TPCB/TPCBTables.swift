import MartletAST
import MartletValues

/// The four tables of TPC-B's bank and the statements of its transaction, with the columns that `pgbench` gives them.
///
/// Always true: a bank of one scale has the same rows wherever it was made: 1 branch, 10 tellers and 100,000 accounts
/// for each unit of scale, all with a balance of 0.
enum TPCBTables {
  static let tellersPerBranch = 10
  static let accountsPerBranch = 100_000

  static let names = ["tpcb_branches", "tpcb_tellers", "tpcb_accounts", "tpcb_history"]

  static let create: [ASTStatement] = [
    Tree.createTable(
      "tpcb_branches", columns: [("bid", "INTEGER", true), ("bbalance", "INTEGER", false), ("filler", "TEXT", false)]),
    Tree.createTable(
      "tpcb_tellers",
      columns: [("tid", "INTEGER", true), ("bid", "INTEGER", false), ("tbalance", "INTEGER", false)]
        + [("filler", "TEXT", false)]),
    Tree.createTable(
      "tpcb_accounts",
      columns: [("aid", "INTEGER", true), ("bid", "INTEGER", false), ("abalance", "INTEGER", false)]
        + [("filler", "TEXT", false)]),
    Tree.createTable(
      "tpcb_history",
      columns: [("tid", "INTEGER", false), ("bid", "INTEGER", false), ("aid", "INTEGER", false)]
        + [("delta", "INTEGER", false), ("mtime", "TEXT", false), ("filler", "TEXT", false)]),
  ]

  // MARK: - Filling

  static let fillBranches = Tree.insertRows(into: "tpcb_branches", columns: ["bid", "bbalance"])
  static let fillTellers = Tree.insertRows(into: "tpcb_tellers", columns: ["tid", "bid", "tbalance"])
  static let fillAccounts = Tree.insertRows(into: "tpcb_accounts", columns: ["aid", "bid", "abalance", "filler"])

  static func branches(_ numbers: Range<Int>) -> RowBatch {
    var batch = RowBatch(columnCount: 2)
    for (row, number) in numbers.enumerated() { fill([number, 0], row: row, of: &batch) }
    batch.rowCount = numbers.count
    return batch
  }

  static func tellers(_ numbers: Range<Int>) -> RowBatch {
    var batch = RowBatch(columnCount: 3)
    for (row, number) in numbers.enumerated() {
      fill([number, (number - 1) / tellersPerBranch + 1, 0], row: row, of: &batch)
    }
    batch.rowCount = numbers.count
    return batch
  }

  /// The filler makes a row as long as the 100 bytes that the benchmark asks for.
  static func accounts(_ numbers: Range<Int>) -> RowBatch {
    var batch = RowBatch(columnCount: 4)
    let filler = [UInt8](repeating: UInt8(ascii: " "), count: 84)
    for (row, number) in numbers.enumerated() {
      fill([number, (number - 1) / accountsPerBranch + 1, 0], row: row, of: &batch)
      filler.withUnsafeBytes { batch.columns[3].appendText($0, row: row) }
    }
    batch.rowCount = numbers.count
    return batch
  }

  private static func fill(_ values: [Int], row: Int, of batch: inout RowBatch) {
    for (column, value) in values.enumerated() { batch.columns[column].appendInteger(Int64(value), row: row) }
  }

  // MARK: - The transaction

  static let updateAccount = add(to: "abalance", of: "tpcb_accounts", key: "aid")
  static let selectAccount = Tree.select(
    ["abalance"], from: "tpcb_accounts", where: Tree.call(.equal, [Tree.column("aid"), Tree.parameter(1)]))
  static let updateTeller = add(to: "tbalance", of: "tpcb_tellers", key: "tid")
  static let updateBranch = add(to: "bbalance", of: "tpcb_branches", key: "bid")
  static let insertHistory: ASTStatement = {
    var now = ASTExpression()
    now.literal.keyword = .currentTimestamp
    return Tree.insert(
      into: "tpcb_history", columns: ["tid", "bid", "aid", "delta", "mtime"],
      values: (1...4).map { Tree.parameter($0) } + [now])
  }()

  /// `UPDATE table SET balance = balance + ?2 WHERE key = ?1`
  private static func add(to balance: String, of table: String, key: String) -> ASTStatement {
    var assignment = ASTAssignment()
    assignment.columns = [balance]
    assignment.value = Tree.call(.add, [Tree.column(balance), Tree.parameter(2)])
    var update = ASTUpdate()
    update.table.name = table
    update.assignments = [assignment]
    update.where = Tree.call(.equal, [Tree.column(key), Tree.parameter(1)])
    var statement = ASTStatement()
    statement.update = update
    return statement
  }

  // MARK: - Looking

  static func count(_ table: String) -> ASTStatement {
    Tree.select(expressions: [Tree.function("count", star: true)], from: table)
  }

  /// What its rows add up to, as nil for no rows, and how many there are.
  static func sum(of column: String, in table: String) -> ASTStatement {
    Tree.select(
      expressions: [Tree.function("sum", [Tree.column(column)]), Tree.function("count", star: true)], from: table)
  }
}
