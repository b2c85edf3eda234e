/// What is true of each request, as both sessions go by it.
import MartletProtocol
import MartletValues
import Testing

@Suite struct RequestNeedsTests {
  typealias Request = ClientMessage.Request

  /// A request, the transaction that it is a part of, whether rows answer it, whether it needs a database, whether it
  /// may be sent twice, whether it ends something, and its word in the audit log.
  typealias Row = (
    request: Request, transaction: UInt32, hasRows: Bool, needsDatabase: Bool, isRepeatable: Bool, isEnd: Bool,
    word: String?
  )

  static let statement = Request.execute(.init(source: .statement([1]), transaction: 7, deadlineMs: 5, credit: 9))

  static let rows: [Row] = [
    (statement, 7, true, true, false, false, nil),
    (.batch(.init(steps: [], transaction: 7)), 7, true, true, false, false, "batch"),
    (.begin(.read), 0, false, true, true, false, "begin-read"),
    (.begin(.write), 0, false, true, true, false, "begin-write"),
    (.finish(transaction: 7, commit: true), 7, false, true, false, true, "commit"),
    (.finish(transaction: 7, commit: false), 7, false, true, true, true, "rollback"),
    (.savepoint(transaction: 7, .set, number: 1), 7, false, true, true, false, "savepoint"),
    (.savepoint(transaction: 7, .release, number: 1), 7, false, true, true, true, "release"),
    (.savepoint(transaction: 7, .rollBackTo, number: 1), 7, false, true, true, true, "rollback-to"),
    (.ping(), 0, false, false, true, false, nil),
    (.inspect(shapes: 1, sessions: 1), 0, false, false, true, false, "inspect"),
    (.administer(.list(after: "")), 0, false, false, true, false, "list-databases"),
    (.maintain(.unfence), 0, true, true, true, false, "unfence"),
  ]

  @Test(arguments: rows.indices) func `a request is what it says`(index: Int) {
    let row = Self.rows[index]
    #expect(row.request.transaction == row.transaction)
    #expect((row.request.credit != nil) == row.hasRows)
    #expect(row.request.needsDatabase == row.needsDatabase)
    #expect(row.request.isRepeatable == row.isRepeatable)
    #expect(row.request.isEnd == row.isEnd)
    #expect(row.request.auditKind == row.word)
  }

  @Test(arguments: rows.indices) func `a deadline and a credit go to those that have them`(index: Int) {
    let request = Self.rows[index].request
    let changed = request.with(deadlineMs: 123, credit: 456)
    let takesDeadline = request.with(deadlineMs: 1, credit: 0).deadlineMs == 1
    #expect(changed.deadlineMs == (takesDeadline ? 123 : 0))
    #expect(changed.credit == (Self.rows[index].hasRows ? 456 : nil))
    #expect(changed.transaction == request.transaction && changed.auditKind == request.auditKind)
  }

  @Test func `what inspects or maintains needs a permission of its own`() {
    #expect(Request.inspect(shapes: 0, sessions: 0).permissions == .inspect)
    #expect(Request.maintain(.unfence).permissions == .maintain)
    #expect(Self.statement.permissions == [] && Request.ping().permissions == [])
  }
}
