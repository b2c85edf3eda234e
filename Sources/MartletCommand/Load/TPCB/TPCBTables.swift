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
    .createTable("tpcb_branches", [key("bid"), .column("bbalance", "INTEGER"), .column("filler", "TEXT")]),
    .createTable(
      "tpcb_tellers",
      [key("tid"), .column("bid", "INTEGER"), .column("tbalance", "INTEGER"), .column("filler", "TEXT")]),
    .createTable(
      "tpcb_accounts",
      [key("aid"), .column("bid", "INTEGER"), .column("abalance", "INTEGER"), .column("filler", "TEXT")]),
    .createTable(
      "tpcb_history",
      [.column("tid", "INTEGER"), .column("bid", "INTEGER"), .column("aid", "INTEGER"), .column("delta", "INTEGER")]
        + [.column("mtime", "TEXT"), .column("filler", "TEXT")]),
  ]

  private static func key(_ name: String) -> ASTColumnDefinition { .column(name, "INTEGER", .primaryKey()) }

  // MARK: - Filling

  static let fillBranches = ASTStatement.insert(into: "tpcb_branches", ["bid", "bbalance"], rows: 1)
  static let fillTellers = ASTStatement.insert(into: "tpcb_tellers", ["tid", "bid", "tbalance"], rows: 1)
  static let fillAccounts = ASTStatement.insert(into: "tpcb_accounts", ["aid", "bid", "abalance", "filler"], rows: 1)

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
  static let selectAccount = ASTStatement.select(
    ["abalance"], from: .table("tpcb_accounts"), where: .call(.equal, .column("aid"), .parameter(1)))
  static let updateTeller = add(to: "tbalance", of: "tpcb_tellers", key: "tid")
  static let updateBranch = add(to: "bbalance", of: "tpcb_branches", key: "bid")
  static let insertHistory = ASTStatement.insert(
    into: "tpcb_history", ["tid", "bid", "aid", "delta", "mtime"],
    values: (1...4).map { .parameter($0) } + [.keyword(.currentTimestamp)])

  /// `UPDATE table SET balance = balance + ?2 WHERE key = ?1`
  private static func add(to balance: String, of table: String, key: String) -> ASTStatement {
    .update(table) {
      $0.assignments = [.set(balance, .call(.add, .column(balance), .parameter(2)))]
      $0.where = .call(.equal, .column(key), .parameter(1))
    }
  }

  // MARK: - Looking

  static func count(_ table: String) -> ASTStatement {
    .select([.countAll], from: .table(table))
  }

  /// What the column's values add up to, as NULL for no rows, and how many rows there are.
  static func sum(of column: String, in table: String) -> ASTStatement {
    .select([.function("sum", .column(column)), .countAll], from: .table(table))
  }
}
