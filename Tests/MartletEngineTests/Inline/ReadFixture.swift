/// A database file with the read half of an engine over it, and a writer's connection beside it.
///
/// Always true: time stands still until a test moves the clock; everything is closed when the value goes.
import Foundation
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

final class ReadFixture {
  let directory = TemporaryDirectory()
  let clock = ManualClock()
  let commits = CommitClock()
  let sink = CollectingSink()
  let limits: Limits
  let writer: Connection
  let plans: PlanCache
  let log = LogMeter()
  let workers: WorkerThreads
  let pool: ReaderPool

  var path: String { directory.path + "/main.sqlite" }

  init(_ change: (inout Limits) -> Void = { _ in }) throws {
    var limits = Limits()
    limits.readerThreads = 1
    change(&limits)
    self.limits = limits
    let path = directory.path + "/main.sqlite"
    writer = try Connection(path: path, label: "writer", access: .writer, clock: { 0 })
    plans = PlanCache(path: path, limits: limits, clock: clock.read)
    workers = WorkerThreads(
      count: limits.readerThreads, heavyMax: limits.heavyReadsMax, label: "reader",
      copiesBytesMax: limits.streamCopiesBytesMax)
    pool = ReaderPool(
      path: path, limits: limits, clock: clock.read, commits: commits, plans: plans, workers: workers, log: log)
    try run("CREATE TABLE items(id INTEGER PRIMARY KEY, title TEXT, price REAL)")
  }

  deinit {
    pool.shutdown()
    workers.stop()
    plans.shutdown()
  }

  /// Runs SQL on the writer and numbers the commit.
  func run(_ sql: String) throws {
    let statement = try writer.prepare(sql)
    while try statement.step() {}
    commits.advance()
  }

  func addItems(_ count: Int) throws {
    try run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO items SELECT i, 'item ' || i, i * 0.5 FROM n
      """)
  }

  func inlineReader() throws -> InlineReader {
    try InlineReader(
      path: path, label: "loop.0", limits: limits, clock: clock.read, commits: commits, plans: plans,
      counters: pool.context.counters)
  }

  func plan(_ bytes: [UInt8]) throws -> Plan { try plans.plan(for: .statement(bytes)) }

  /// Starts raw SQL on the pool and returns its token.
  func start(
    _ sql: String, _ parameters: [Value] = [], credit: Int = .max, deadline: MonotonicTime = .distantFuture,
    session: UInt64 = 1
  ) throws -> (token: RequestToken, execution: Execution) {
    let bytes = Trees.raw(sql)
    var token = sink.token()
    token.session = session
    let request = StatementRequest(
      source: .statement(bytes), parameters: parameters, deadline: deadline, credit: credit)
    let execution = Execution(token: token, sink: sink, deadline: deadline, credit: credit)
    ReadStream.start(request, plan: try plan(bytes), execution: execution, on: pool)
    return (token, execution)
  }

  /// Begins a read transaction whose news come with that token.
  func begin(_ token: RequestToken) -> ReadTransaction {
    let transaction = ReadTransaction(on: pool, deadline: .distantFuture, subject: .program, token: token, sink: sink)
    transaction.begin()
    return transaction
  }

  /// The log has grown by so much, as a writer would say.
  func growLog(by bytes: Int) {
    log.set(writtenBytes: log.writtenBytes + UInt64(bytes))
    pool.context.snapshots.logGrew(to: bytes + 1)
  }

  static func number(_ counter: borrowing Atomic<UInt64>) -> UInt64 { counter.load(ordering: .relaxed) }

  func rowCount(of token: RequestToken) -> Int {
    sink.events(of: token).reduce(0) { if case .rows(let rows) = $1 { $0 + rows.rowCount } else { $0 } }
  }

  /// Waits until a request has delivered some rows.
  func awaitRows(of token: RequestToken) {
    sink.wait(for: token) { events in events.contains { if case .rows = $0 { true } else { false } } }
  }

  /// Waits until so many streams hold a connection without running.
  func awaitPaused(_ count: Int = 1) throws {
    try waitUntil("\(pool.pausedCount), not \(count)") { pool.pausedCount == count }
  }

  static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// `SELECT id, title, price FROM items WHERE id = ?1`, or whatever `change` makes of it.
  static func items(_ change: (inout ASTSelect) -> Void = { _ in }) -> [UInt8] {
    var statement = ASTStatement()
    statement.select.columns = ["id", "title", "price"].map { name in
      var column = ASTResultColumn()
      column.expression.column.name = name
      return column
    }
    statement.select.from.table.name = "items"
    change(&statement.select)
    return Trees.bytes(statement)
  }

  static let byID = items { select in
    var id = ASTExpression()
    id.column.name = "id"
    var parameter = ASTExpression()
    parameter.parameter.index = 1
    select.where.call.operator = .equal
    select.where.call.arguments = [id, parameter]
  }

  static let inList = items { select in
    var id = ASTExpression()
    id.column.name = "id"
    var list = ASTExpression()
    list.parameter.index = 1
    list.parameter.list = true
    list.parameter.columns = 1
    select.where.call.operator = .in
    select.where.call.arguments = [id, list]
  }
}
