/// What is remembered of a person's transaction, and what stands in the way of doing it again.
import MartletValues
import Testing

@testable import MartletCommand

@Suite struct TransactionRecordTests {
  private static let notRead = "a result was not read to its end"

  private func begun() -> TransactionRecord {
    var record = TransactionRecord()
    record.ran("begin", StatementRun.Outcome())
    return record
  }

  private static func error(_ reason: RequestError.Reason) -> RequestError {
    RequestError(.failedPrecondition, reason, "No.")
  }

  @Test func `statements that ran are kept in their order, with those that control transactions`() {
    var record = begun()
    record.ran("select 1", StatementRun.Outcome())
    #expect(!record.hasWritten)
    record.ran("insert into a values (1)", StatementRun.Outcome())
    #expect(record.entries.map(\.sql) == ["begin", "select 1", "insert into a values (1)"])
    #expect(record.statementCount == 2 && record.hasWritten && record.obstacle == nil)
  }

  @Test func `a query that was stopped behind its first rows is an obstacle, and one without rows is not`() {
    var record = begun()
    record.failed("select 1", CancellationError(), rowsShown: 0)
    record.failed("select x", Self.error(.sqlite), rowsShown: 0)
    #expect(record.obstacle == nil && record.entries.count == 1)
    for error: any Error in [CancellationError(), Self.error(.deadline), Self.error(.sqlite)] {
      var record = begun()
      record.failed("select 1", error, rowsShown: 1)
      #expect(record.obstacle == Self.notRead)
    }
    var left = begun()
    left.ran("select 1", StatementRun.Outcome(rowsRead: 10, isStopped: true))
    #expect(left.obstacle == Self.notRead)
  }

  @Test func `a write that failed is kept with its error, because it may have written`() {
    for sql in ["insert or fail into a values (1), (1)", "with b as (values(1)) insert or fail into a select * from b"]
    {
      var record = begun()
      record.failed(sql, Self.error(.constraint), rowsShown: 0)
      #expect(record.obstacle == nil && record.hasWritten && record.entries.map(\.sql) == ["begin", sql])
      guard case .failed("No.")? = record.entries.last?.ending else {
        Issue.record("\(record.entries)")
        continue
      }
    }
    // A transaction that may only read has written nothing, and needs no writer.
    var refused = begun()
    refused.failed("insert into a values (1)", Self.error(.permission), rowsShown: 0)
    #expect(!refused.hasWritten && refused.obstacle == nil)
  }

  @Test func `a write that was stopped is an obstacle`() {
    let unknown = RequestError(.aborted, .sqlite, "No.", isOutcomeUnknown: true)
    for error: any Error in [CancellationError(), Self.error(.deadline), unknown] {
      var record = begun()
      record.failed("update a set b = 1", error, rowsShown: 0)
      #expect(record.obstacle == "a statement that may have written was stopped")
    }
  }

  @Test func `nothing more is kept behind an obstacle`() {
    var many = begun()
    for _ in 0..<CommandLimits.rememberedStatementsMax * 2 { many.ran("select 1", StatementRun.Outcome()) }
    #expect(many.obstacle == "it is too long for that")
    #expect(many.entries.count == CommandLimits.rememberedStatementsMax)

    var long = begun()
    long.ran(String(repeating: " ", count: CommandLimits.rememberedBytesMax), StatementRun.Outcome())
    #expect(long.obstacle == "it is too long for that" && long.entries.count == 1)
    long.ran("select 1", StatementRun.Outcome())
    #expect(long.entries.count == 1)

    var stopped = begun()
    stopped.failed("select 1", CancellationError(), rowsShown: 1)
    stopped.ran("insert into a values (1)", StatementRun.Outcome())
    stopped.failed("insert into a values (1)", Self.error(.constraint), rowsShown: 0)
    #expect(stopped.entries.count == 1 && stopped.obstacle == Self.notRead)
  }
}
