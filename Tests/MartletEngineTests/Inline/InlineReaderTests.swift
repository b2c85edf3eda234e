/// Reads on an event loop: what runs, what is declined, what the snapshot holds.
import Foundation
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct InlineReaderTests {
  /// An inline reader with somewhere to put its results.
  private final class Loop {
    let reader: InlineReader
    var rows = RowBatch()
    var columns: ResultColumns?

    init(_ fixture: ReadFixture) throws { reader = try fixture.inlineReader() }

    func execute(_ bytes: [UInt8], _ parameters: [Value] = []) -> InlineReader.Outcome {
      reader.execute(
        StatementRequest(source: .statement(bytes), parameters: parameters), rows: &rows, columns: &columns)
    }

    func execute(_ shape: ShapeID, _ parameters: [Value] = [], version: UInt64 = 0) -> InlineReader.Outcome {
      reader.execute(shape: shape, parameters: parameters, columnsVersion: version, rows: &rows, columns: &columns)
    }

    /// The first column of the first row.
    func integer(_ bytes: [UInt8], _ parameters: [Value] = []) throws -> Value? {
      guard case .completed = execute(bytes, parameters), rows.rowCount > 0 else { return nil }
      return try rows.row(0).first
    }
  }

  @Test func `a statement that the schema as it was refuses is left to the pool, which knows it as it is`() throws {
    let fixture = try ReadFixture()
    try fixture.run("CREATE TABLE small(a)")
    let loop = try Loop(fixture)
    try fixture.run("ALTER TABLE small ADD COLUMN b")
    fixture.commits.advance()
    let all = ASTStatement.select {
      $0.columns = [.all()]
      $0.from = .table("small")
    }
    let two = ASTStatement.values([[.literal("a"), .literal("b")]])
    #expect(loop.execute(Trees.bytes(.compound(all, [(.unionAll, two)]))) == .declined)
    guard case .failed(let error) = loop.execute(Trees.select(["a"], from: "missing")) else {
      Issue.record("read what is not there")
      return
    }
    #expect(error.message == "No such table: missing.")
  }

  @Test func `a schema that takes longer to read than a loop has time is read by whoever opens another reader`() throws
  {
    let fixture = try ReadFixture { $0.inlineStopMicroseconds = 10_000 }
    try fixture.addItems(5)
    let loop = try Loop(fixture)
    let items = ReadFixture.items()
    #expect(try loop.integer(items) == 1)
    // One that is read at once is nobody's concern.
    try fixture.run("CREATE TABLE small(a)")
    #expect(try loop.integer(items) == 1)
    #expect(!loop.reader.isOutdated)
    try fixture.writer.execute("BEGIN")
    let columns = (0..<12).map { "b\($0) TEXT NOT NULL DEFAULT 'none'" }.joined(separator: ", ")
    for index in 0..<6_000 { try fixture.run("CREATE TABLE t\(index)(a INTEGER PRIMARY KEY, \(columns))") }
    try fixture.writer.execute("COMMIT")
    fixture.commits.advance()
    #expect(loop.execute(items) == .declined)
    #expect(loop.reader.isOutdated)
    #expect(loop.execute(items) == .declined)
    let another = try Loop(fixture)
    #expect(try another.integer(items) == 1)
    #expect(try another.integer(Trees.select(["a"], from: "t77")) == nil && !another.reader.isOutdated)
    // A statement that is compiled meets it as well.
    try fixture.run("CREATE TABLE last(a)")
    #expect(another.execute(Trees.select(["a"], from: "last")) == .declined)
    #expect(another.reader.isOutdated)
  }

  @Test func `statements that nobody uses go, and what they counted stays with their plans`() throws {
    let fixture = try ReadFixture {
      $0.cacheRoundMs = 1_000
      $0.idleStatementsKept = 3
    }
    try fixture.addItems(5)
    let loop = try Loop(fixture)
    let shapes = (0..<20).map { width in
      ReadFixture.items { select in select.columns += Array(repeating: select.columns[0], count: width) }
    }
    func tick() {
      loop.reader.releaseIdleMemory(now: fixture.clock.read())
      fixture.clock.advance(milliseconds: 1_000)
    }
    func prepares() -> UInt64 { ReadFixture.number(fixture.plans.counters.prepares) }
    tick()
    for shape in shapes { #expect(try loop.integer(shape) == 1) }
    tick()
    #expect(prepares() == 20)
    // The first is used once more, so it stays, and so do the last two.
    #expect(try loop.integer(shapes[0]) == 1)
    tick()
    for shape in [0, 18, 19] { #expect(try loop.integer(shapes[shape]) == 1) }
    #expect(prepares() == 20)
    #expect(try loop.integer(shapes[5]) == 1)
    #expect(prepares() == 21)
    loop.reader.endSnapshot()
    let executions = fixture.plans.plans.map { ReadFixture.number($0.counters.executions) }
    #expect(executions.reduce(0, +) == 25)
  }

  @Test func `a cached plan costs no decoding and no compiling`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(100)
    let loop = try Loop(fixture)
    guard case .completed(let first) = loop.execute(ReadFixture.byID, [7]), let shape = first.shape else {
      Issue.record("the first read did not complete")
      return
    }
    #expect(try loop.rows.row(0) == [7, "item 7", 3.5])
    let columns = try #require(loop.columns)
    #expect(columns.columns.map(\.name) == ["id", "title", "price"])
    for id in 1...100 {
      let outcome = loop.execute(shape, [.integer(Int64(id))], version: columns.version)
      guard case .completed(let completion) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(completion.rowsReturned == 1)
      #expect(loop.columns == nil)
    }
    #expect(ReadFixture.number(fixture.plans.counters.decodes) == 1)
    #expect(ReadFixture.number(fixture.plans.counters.prepares) == 1)
    #expect(ReadFixture.number(fixture.pool.context.counters.inlineSnapshots) == 1)
    loop.reader.endSnapshot()
    let plan = try #require(fixture.plans.plans.first)
    #expect(ReadFixture.number(plan.counters.executions) == 101)
    #expect(ReadFixture.number(plan.counters.rows) == 101)
  }

  @Test func `an unknown shape is answered with UNPREPARED`() throws {
    let fixture = try ReadFixture()
    let outcome = try Loop(fixture).execute(ShapeID(high: 1, low: 2))
    #expect(outcome == .failed(RequestError.unprepared))
  }

  @Test func `what was made while a snapshot was open is known to the next statement that is compiled`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(3)
    let loop = try Loop(fixture)
    for number in 0..<20 {
      #expect(try loop.integer(ReadFixture.byID, [1]) == 1)
      #expect(loop.reader.hasSnapshot)
      try fixture.run("CREATE VIEW v\(number) AS SELECT id FROM items")
      let view = ASTStatement.select {
        $0.columns = [.expression(.function("max", .column("id")))]
        $0.from = .table("v\(number)")
      }
      #expect(try loop.integer(view.serialized) == 3)
    }
  }

  @Test func `the snapshot is shared until somebody commits`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(1)
    let loop = try Loop(fixture)
    #expect(!loop.reader.hasSnapshot)
    #expect(try loop.integer(ReadFixture.byID, [1]) == 1)
    #expect(loop.reader.hasSnapshot)
    // A commit that was not numbered yet may stay unseen; one that was may not.
    let statement = try fixture.writer.prepare("INSERT INTO items(id) VALUES (2)")
    _ = try statement.step()
    statement.reset()
    #expect(try loop.integer(ReadFixture.byID, [2]) == nil)
    fixture.commits.advance()
    #expect(try loop.integer(ReadFixture.byID, [2]) == 2)
    #expect(try fixture.writer.checkpoint(.truncate).isBusy)
    loop.reader.endSnapshot()
    #expect(!loop.reader.hasSnapshot)
    #expect(try !fixture.writer.checkpoint(.truncate).isBusy)
  }

  @Test func `a read that takes too many steps is declined, and its shape remembered`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 1 << 20 }
    try fixture.addItems(5_000)
    let loop = try Loop(fixture)
    #expect(loop.execute(ReadFixture.items()) == .declined)
    #expect(loop.rows.rowCount == 0)
    #expect(loop.columns == nil)
    try fixture.run("DELETE FROM items WHERE id > 3")
    // Light now, and not yet known to be.
    for _ in 0..<EngineLimits.inlineDeclinesMin { #expect(loop.execute(ReadFixture.items()) == .declined) }
    guard case .completed = loop.execute(ReadFixture.items()) else {
      Issue.record("the shape did not find its way back")
      return
    }
    #expect(loop.rows.rowCount == 3)
  }

  @Test func `a budget that was used up does not end what opens and closes the snapshot`() throws {
    let fixture = try ReadFixture { $0.rowBatchBytes = 1 << 20 }
    try fixture.addItems(5_000)
    let loop = try Loop(fixture)
    #expect(loop.execute(ReadFixture.items()) == .declined)
    // SQLite counts steps across the runs of a statement, so BEGIN and COMMIT are asked about now and then, too.
    for _ in 0..<2_000 {
      fixture.commits.advance()
      guard try loop.integer(ReadFixture.byID, [5]) == 5 else {
        Issue.record("a point read did not complete")
        return
      }
      loop.reader.endSnapshot()
      guard !loop.reader.hasSnapshot else {
        Issue.record("the snapshot stayed")
        return
      }
    }
  }

  @Test func `a result larger than one batch is declined`() throws {
    let fixture = try ReadFixture {
      $0.inlineStepsMax = 1_000_000
      $0.rowBatchBytes = 4 << 10
    }
    try fixture.addItems(1_000)
    let loop = try Loop(fixture)
    #expect(loop.execute(ReadFixture.items()) == .declined)
    #expect(try loop.integer(ReadFixture.byID, [5]) == 5)
  }

  @Test func `writes, raw text and long lists are declined, short lists are not`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(10)
    let loop = try Loop(fixture)
    #expect(loop.execute(Trees.insert("items", ["id"]), [50]) == .declined)
    #expect(loop.execute(Trees.raw("SELECT 1")) == .declined)
    #expect(loop.execute(ReadFixture.inList, [.list((0..<1_000).map { .integer($0) })]) == .declined)
    #expect(try loop.integer(ReadFixture.inList, [.list([4, 99, 7])]) == 4)
    #expect(loop.rows.rowCount == 2)
    #expect(try loop.integer(ReadFixture.inList, [.list([])]) == nil)
  }

  @Test func `each parameter must come, and none more`() throws {
    let fixture = try ReadFixture()
    let loop = try Loop(fixture)
    for parameters in [[], [1, 2], [.list([1])]] as [[Value]] {
      guard case .failed(let error) = loop.execute(ReadFixture.byID, parameters) else {
        Issue.record("\(parameters) was taken")
        continue
      }
      #expect(error.code == .invalidArgument)
    }
    guard case .failed = loop.execute(ReadFixture.inList, [1]) else {
      Issue.record("a value was taken for a list")
      return
    }
    guard case .completed = loop.execute(ReadFixture.byID, [.null]) else {
      Issue.record("NULL was not taken")
      return
    }
  }

  @Test func `new columns are told after the schema has changed`() throws {
    let fixture = try ReadFixture()
    try fixture.addItems(1)
    let all = ReadFixture.items { $0.columns = [] }
    let loop = try Loop(fixture)
    guard case .completed(let first) = loop.execute(all), let shape = first.shape,
      let version = loop.columns?.version
    else {
      Issue.record("the first read did not complete")
      return
    }
    try fixture.run("ALTER TABLE items ADD COLUMN qty INTEGER DEFAULT 4")
    guard case .completed = loop.execute(shape, version: version) else {
      Issue.record("the second read did not complete")
      return
    }
    #expect(loop.columns?.columns.map(\.name) == ["id", "title", "price", "qty"])
    #expect(try loop.rows.row(0) == [1, "item 1", 0.5, 4])
  }

  @Test func `a statement over a table that is not there fails with the node at fault`() throws {
    let fixture = try ReadFixture()
    let loop = try Loop(fixture)
    let bytes = ReadFixture.items { $0.from.table.name = "nowhere" }
    guard case .failed(let error) = loop.execute(bytes) else {
      Issue.record("it did not fail")
      return
    }
    #expect(error.message == "No such table: nowhere.")
    try fixture.run("CREATE TABLE nowhere(id, title, price)")
    guard case .completed = loop.execute(bytes) else {
      Issue.record("the table is there and was not found")
      return
    }
  }

  /// SQLite has the file's lock for a moment where a connection is closed.
  @Test func `a loop's reader is opened beside connections that close`() throws {
    let fixture = try ReadFixture()
    let path = fixture.path
    let isOver = Atomic(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) {
        _ = try? Connection(path: path, label: "other", access: .writer, clock: { 0 })
      }
      ended.signal()
    }
    defer {
      isOver.store(true, ordering: .relaxed)
      ended.wait()
    }
    for _ in 0..<200 { _ = try fixture.inlineReader() }
  }
}
