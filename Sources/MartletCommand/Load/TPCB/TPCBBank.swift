import MartletAST
import MartletClient
import MartletValues

/// The bank in a database: made once for a scale, and looked at before and after a run.
///
/// Always true: a bank of the scale that is asked for is kept with all that runs have done to it; one of another scale
/// is made anew. The sums are read in one snapshot.
struct TPCBBank {
  let database: DatabaseClient
  let scale: Int

  /// What TPC-B's consistency is about: each transaction adds the same number to all four.
  struct Sums: Equatable {
    var branches = 0
    var tellers = 0
    var accounts = 0
    var history = 0
    /// Rows of the history: one for each transaction.
    var transactions = 0

    fileprivate var areEqual: Bool { branches == tellers && branches == accounts && branches == history }
  }

  func prepare() async throws {
    if try await hasScale() { return }
    for table in TPCBTables.names {
      try await database.execute(RemoteStatement(.drop(.table, table, ifExists: true)))
    }
    for statement in TPCBTables.create { try await database.execute(RemoteStatement(statement)) }
    let accounts = scale * TPCBTables.accountsPerBranch
    StandardOutput.complain("Filling the tables of a bank with \(Count.rows(accounts)), once.\n")
    let tellers = scale * TPCBTables.tellersPerBranch
    try await fill(TPCBTables.fillTellers, through: tellers) { TPCBTables.tellers($0) }
    try await fill(TPCBTables.fillAccounts, through: accounts) { TPCBTables.accounts($0) }
    // Last, because their number says that the bank is complete.
    try await fill(TPCBTables.fillBranches, through: scale) { TPCBTables.branches($0) }
  }

  private func hasScale() async throws -> Bool {
    let tables = try await database.fetchAll(
      RemoteStatement(
        .select(["name"], from: .table("sqlite_schema"), where: .call(.equal, .column("type"), .literal("table")))))
    var names: Set<String> = []
    for row in tables { names.insert(try row.get(String.self, 0)) }
    guard names.isSuperset(of: TPCBTables.names) else { return false }
    let row = try await database.fetchOne(RemoteStatement(TPCBTables.count("tpcb_branches")))
    return try row?.get(Int.self, 0) == scale
  }

  private func fill(_ tree: ASTStatement, through last: Int, _ rows: (Range<Int>) -> RowBatch) async throws {
    let statement = try RemoteStatement(tree)
    var inFlight: [Task<Completion, any Error>] = []
    var next = 1
    while next <= last {
      let numbers = next..<min(next + BenchData.bulkRows, last + 1)
      next = numbers.upperBound
      if inFlight.count >= CommandLimits.batchesInFlightMax { _ = try await inFlight.removeFirst().value }
      let batch = rows(numbers)
      inFlight.append(Task { [database] in try await database.execute(statement, [.rows(batch)]) })
    }
    for task in inFlight { _ = try await task.value }
  }

  func sums() async throws -> Sums {
    try await database.read { snapshot in
      var sums = Sums()
      (sums.branches, _) = try await sum("bbalance", "tpcb_branches", in: snapshot)
      (sums.tellers, _) = try await sum("tbalance", "tpcb_tellers", in: snapshot)
      (sums.accounts, _) = try await sum("abalance", "tpcb_accounts", in: snapshot)
      (sums.history, sums.transactions) = try await sum("delta", "tpcb_history", in: snapshot)
      return sums
    }
  }

  private func sum(_ column: String, _ table: String, in snapshot: RemoteTransaction) async throws -> (Int, Int) {
    let statement = try RemoteStatement(TPCBTables.sum(of: column, in: table))
    guard let row = try await snapshot.fetchOne(statement) else { return (0, 0) }
    return (try row.get(Int?.self, 0) ?? 0, try row.get(Int.self, 1))
  }

  /// What is wrong after a run that began with `before`, as a sentence; nil if nothing is.
  static func fault(before: Sums, after: Sums, acknowledged: Int) -> String? {
    if !after.areEqual {
      return "The sums differ: accounts \(after.accounts), tellers \(after.tellers), branches \(after.branches), "
        + "history \(after.history)."
    }
    let added = after.transactions &- before.transactions
    if added < acknowledged { return "The history has \(added) rows more, and \(acknowledged) were acknowledged." }
    return nil
  }
}
