/// Ending from outside what does not look at its deadline: the statement that is meant, and no other one.
import Foundation
import MartletSQLite
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct StatementWatchTests {
  private static let endless =
    "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
  private let shape = ShapeID(high: 1, low: 2)
  private let late = MonotonicTime(nanoseconds: 60_000_000_000)

  private func connection() throws -> Connection {
    try Connection(path: ":memory:", label: "reader", access: .writer, clock: { 0 })
  }

  /// Asks again and again, as the watchdog does, until `body` is over.
  private func watched(_ watch: StatementWatch, now: MonotonicTime, _ body: () throws -> Void) rethrows {
    let isOver = Atomic(false)
    let ended = DispatchSemaphore(value: 0)
    let asker = Thread {
      while !isOver.load(ordering: .relaxed) { watch.endOverdue(byMs: 0, now: now) }
      ended.signal()
    }
    asker.start()
    defer {
      isOver.store(true, ordering: .relaxed)
      ended.wait()
    }
    try body()
  }

  @Test func `a statement whose deadline has passed ends, though it looks at nothing`() throws {
    let connection = try connection()
    let statement = try connection.prepare(Self.endless)
    let watch = StatementWatch()
    watched(watch, now: late) {
      watch.begin(shape, deadline: MonotonicTime(nanoseconds: 1))
      watch.expose(connection)
      let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
      #expect(error?.code == SQLiteCode.interrupt)
      watch.cover()
      watch.end()
    }
  }

  @Test func `the one step in which SQLite counts a whole table ends`() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (a)")
    try connection.execute(
      "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c LIMIT 20000) INSERT INTO t "
        + "SELECT zeroblob(1000) FROM c")
    let count = try connection.prepare("SELECT count(*) FROM t")
    let watch = StatementWatch()
    var ended = 0
    watched(watch, now: late) {
      // It takes a millisecond or two, in which the other thread may not have had its turn: on a busy machine that goes
      // on for hundreds of them. The minutes are for a count that never ends early.
      let patience = ContinuousClock.now + .seconds(180)
      while ended == 0, ContinuousClock.now < patience {
        watch.begin(shape, deadline: MonotonicTime(nanoseconds: 1))
        watch.expose(connection)
        do throws(SQLiteError) { _ = try count.step() } catch { ended += error.code == SQLiteCode.interrupt ? 1 : 0 }
        count.reset()
        watch.cover()
        watch.end()
      }
    }
    #expect(ended == 1)
  }

  @Test func `no statement ends that has time, or that nobody may end, or that comes after one that was late`() throws {
    let connection = try connection()
    let short = try connection.prepare(
      "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c LIMIT 50) SELECT count(*) FROM c")
    let watch = StatementWatch()
    try watched(watch, now: late) {
      for round in 0..<20_000 {
        // Late, and ended or not: whoever is innocent comes right behind it.
        watch.begin(shape, deadline: MonotonicTime(nanoseconds: 1))
        watch.expose(connection)
        _ = try? short.step()
        short.reset()
        watch.cover()
        watch.end()
        let hasTime = round % 2 == 0
        watch.begin(shape, deadline: hasTime ? .distantFuture : MonotonicTime(nanoseconds: 1))
        if hasTime { watch.expose(connection) }
        let hasRow = try short.step()
        #expect(hasRow)
        short.reset()
        if hasTime { watch.cover() }
        watch.end()
      }
    }
  }
}
