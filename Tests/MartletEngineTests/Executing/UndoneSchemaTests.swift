/// A schema that takes longer to read than a statement may be compiled, and changes of it that are undone: SQLite lets
/// go of the schema then, and the next statement of anybody finds it missing.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct UndoneSchemaTests {
  private static let failing = "SELECT abs(-9223372036854775807 - 1)"

  private func makeBase() throws -> TemporaryDatabase {
    let base = try TemporaryDatabase { $0.limits.compileWriteMsMax = 1 }
    for start in stride(from: 0, to: 1_500, by: 250) {
      let outcome = batch(
        (start..<start + 250).map { "CREATE TABLE t\($0)(a INTEGER PRIMARY KEY, b TEXT, c, d)" }, in: base)
      try #require(outcome.error == nil, "\(String(describing: outcome.error))")
    }
    try base.sql("CREATE TABLE rows(a)")
    return base
  }

  private func batch(_ texts: [String], in base: TemporaryDatabase) -> CollectingSink.Outcome {
    let sink = CollectingSink()
    let token = sink.token()
    let steps = texts.map { StatementStep(source: .statement(Trees.raw($0))) }
    _ = base.database.start(BatchRequest(steps: steps, isAtomic: true), token: token, sink: sink)
    return sink.outcome(of: token)
  }

  /// Makes a table and undoes that.
  private func undo(in base: TemporaryDatabase, byRollback: Bool) throws {
    guard byRollback else {
      #expect(batch(["CREATE TABLE gone(a)", Self.failing], in: base).error != nil)
      return
    }
    let sink = CollectingSink()
    let begin = sink.token()
    let transaction = base.database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    let statement = sink.token()
    _ = transaction.start(
      StatementRequest(source: .statement(Trees.raw("CREATE TABLE gone(a)"))), token: statement, sink: sink)
    #expect(sink.outcome(of: statement).error == nil)
    let end = sink.token()
    transaction.finish(commit: false, required: 0, token: end, sink: sink)
    #expect(sink.outcome(of: end).error == nil)
  }

  private func rows(in base: TemporaryDatabase) throws -> Int64? {
    guard case .integer(let count) = try base.sql("SELECT count(*) FROM rows").rows.first?.first else { return nil }
    return count
  }

  @Test(arguments: [false, true])
  func `what others write after it is written once, or not at all if it fails`(byRollback: Bool) throws {
    let base = try makeBase()
    for round in 1...5 as ClosedRange<Int64> {
      try undo(in: base, byRollback: byRollback)
      // A text that is new to the writer each time is compiled in its transaction.
      try base.sql("INSERT INTO rows VALUES (\(round))")
      #expect(try rows(in: base) == round)
      try undo(in: base, byRollback: byRollback)
      let failed = batch(["INSERT INTO rows VALUES (\(round) + 100)", Self.failing + " + \(round)"], in: base)
      #expect(failed.error != nil)
      #expect(try rows(in: base) == round, "a batch that failed left its row")
    }
    #expect(base.result(Trees.raw("SELECT * FROM gone")).error != nil)
    try base.expectNoRecovery()
  }

  @Test func `a transaction in which a change was undone goes on, and its rollback leaves nothing`() throws {
    let base = try makeBase()
    let sink = CollectingSink()
    let begin = sink.token()
    let transaction = base.database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    for round in 1...3 {
      for action in [SavepointAction.set, .rollBackTo, .release] {
        let savepoint = sink.token()
        transaction.savepoint(action, number: 1, token: savepoint, sink: sink)
        #expect(sink.outcome(of: savepoint).error == nil)
        let sql = action == .set ? "CREATE TABLE gone(a)" : "INSERT INTO rows VALUES (\(round) * 10)"
        let statement = sink.token()
        _ = transaction.start(
          StatementRequest(source: .statement(Trees.raw(sql))), token: statement, sink: sink)
        #expect(sink.outcome(of: statement).error == nil, "\(sql)")
      }
    }
    let end = sink.token()
    transaction.finish(commit: false, required: 0, token: end, sink: sink)
    #expect(sink.outcome(of: end).error == nil)
    #expect(try rows(in: base) == 0)
    try base.expectNoRecovery()
  }
}

extension TemporaryDatabase {
  /// Nothing of the writer had to be put right.
  fileprivate func expectNoRecovery() throws {
    let recoveries = engine.counters().first { $0.name == "connection_recoveries" }?.value
    #expect(recoveries == 0)
  }
}
