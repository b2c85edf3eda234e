import MartletAST
import MartletClient
import MartletProtocol
import MartletValues

/// Makes what a workload needs and finds out what its requests need: tables, rows, the version of result metadata.
///
/// Always true: rows that are there already are kept; `items` is filled once and holds at least the rows asked for.
struct BenchPreparation {
  let database: DatabaseClient
  let workload: Workload
  let itemCount: Int

  /// Returns the templates by `WorkloadKind.rawValue`.
  func run() async throws -> [LoadPlan.Request?] {
    for statement in try tables() { try await make(statement) }
    if workload.needsItems { try await fillItems() }
    var requests: [LoadPlan.Request?] = Array(repeating: nil, count: WorkloadKind.allCases.count)
    for kind in Set((0..<10).map { workload.kind(number: $0) }) {
      requests[kind.rawValue] = try await request(kind)
    }
    return requests
  }

  /// Whoever may not change the schema finds the table, or is told by its first request that it is not there.
  private func make(_ table: ASTStatement) async throws {
    do {
      try await database.execute(RemoteStatement(table))
    } catch let error as RequestError where error.reason == .permission {
      return
    }
  }

  private func tables() throws -> [ASTStatement] {
    switch workload {
    case .ping: []
    case .pointRead, .scan: [BenchStatements.createItems]
    case .insert: [BenchStatements.createInserts]
    case .bulkInsert: [BenchStatements.dropBulkItems, BenchStatements.createBulkItems]
    case .upsert: [BenchStatements.createUpserts]
    case .mixed: [BenchStatements.createItems, BenchStatements.createInserts, BenchStatements.createUpserts]
    }
  }

  private func fillItems() async throws {
    let row = try await database.fetchOne(RemoteStatement(BenchStatements.countItems))
    let count = try row?.get(Int.self, 0) ?? 0
    let last = try row?.get(Int?.self, 1) ?? 0
    guard count < itemCount || last < itemCount else { return }
    StandardOutput.complain("Filling items with \(Count.rows(itemCount)), once.\n")
    var report = TransferReport(bytesTotal: 0)
    report.tableBegun("items")
    let statement = try RemoteStatement(BenchStatements.fillItems)
    var inFlight: [Task<Completion, any Error>] = []
    var next = 1
    while next <= itemCount {
      let numbers = next..<min(next + BenchData.bulkRows, itemCount + 1)
      next = numbers.upperBound
      if inFlight.count >= CommandLimits.batchesInFlightMax { _ = try await inFlight.removeFirst().value }
      let batch = BenchData.items(numbers, hasKey: true)
      inFlight.append(Task { [database] in try await database.execute(statement, [.rows(batch)]) })
      report.rowsMoved(numbers.count, bytes: 0)
    }
    for task in inFlight { _ = try await task.value }
    report.ended()
  }

  private func request(_ kind: WorkloadKind) async throws -> LoadPlan.Request {
    let mark = RequestTemplate.variable
    switch kind {
    case .ping:
      let ping = RequestTemplate(.request(.ping()))
      return LoadPlan.Request(usual: ping, full: ping, rowsWritten: 0)
    case .pointRead:
      let version = try await columnsVersion(BenchStatements.pointRead, [1])
      return try templates(BenchStatements.pointRead, [mark], columnsVersion: version)
    case .scan:
      let version = try await columnsVersion(BenchStatements.scan, [])
      return try templates(
        BenchStatements.scan, [], columnsVersion: version,
        deadlineMs: CommandLimits.patienceSeconds * 1_000,
        creditBytes: CommandLimits.scanCreditBytes)
    case .insert: return try templates(BenchStatements.insert, [mark, .text(BenchData.insertNote)], rowsWritten: 1)
    case .bulkInsert:
      let rows = BenchData.items(1..<(1 + BenchData.bulkRows), hasKey: false)
      return try templates(BenchStatements.bulkInsert, [.rows(rows)], rowsWritten: BenchData.bulkRows)
    case .upsert: return try templates(BenchStatements.upsert, [mark], rowsWritten: 1)
    }
  }

  /// The version that spares the run the metadata; asking also leaves the plan in the server's cache.
  private func columnsVersion(_ tree: ASTStatement, _ parameters: [Value]) async throws -> UInt64 {
    try await database.rows(RemoteStatement(tree), parameters).columns.version
  }

  private func templates(
    _ tree: ASTStatement, _ parameters: [Value], columnsVersion: UInt64 = 0,
    deadlineMs: Int = CommandLimits.drainDeadlineMs, creditBytes: Int = 0, rowsWritten: Int = 0
  ) throws -> LoadPlan.Request {
    let statement = try RemoteStatement(tree)
    func template(_ source: StatementSource) -> RequestTemplate {
      RequestTemplate(
        .request(
          .execute(
            ClientMessage.Execute(
              source: source, parameters: parameters, deadlineMs: UInt32(deadlineMs), credit: UInt32(creditBytes),
              columnsVersion: columnsVersion, mayShortenDeadline: true))))
    }
    return LoadPlan.Request(
      usual: template(.shape(statement.shape)), full: template(.statement(statement.bytes)), rowsWritten: rowsWritten)
  }
}
