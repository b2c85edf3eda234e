/// Long statements of many sessions on the one thread that reads them.
import Dispatch
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite(.serialized) struct PlannerTests {
  /// Too long for an event loop; SQLite takes a while to compile it, because each common table doubles the one before.
  private static func slow(_ number: Int) -> [UInt8] {
    let tables = (1...9).map { "a\($0)(x) AS (SELECT x FROM a\($0 - 1) UNION ALL SELECT x FROM a\($0 - 1))" }
    return Trees.raw(
      "WITH a0(x) AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT \(number) FROM a9 LIMIT 0"
        + String(repeating: " ", count: 9_000))
  }

  private static func short(_ number: Int) -> [UInt8] {
    Trees.raw("SELECT \(number)" + String(repeating: " ", count: 9_000))
  }

  private func start(
    _ statement: [UInt8], session: UInt64, _ request: Int, in base: TemporaryDatabase, _ sink: CollectingSink
  ) -> RequestToken {
    let token = RequestToken(session: session, request: UInt32(request))
    _ = base.database.start(StatementRequest(source: .statement(statement)), token: token, sink: sink)
    return token
  }

  @Test func `a session with many long statements keeps others waiting for one of them and not for all`() throws {
    let base = try TemporaryDatabase()
    let sink = CollectingSink()
    var others: [RequestToken] = []
    for request in 1...25 {
      for session in 1...4 as ClosedRange<UInt64> {
        others.append(start(Self.slow(request * 10 + Int(session)), session: session, request, in: base, sink))
      }
    }
    for request in 1...5 {
      let token = start(Self.short(request), session: 9, request, in: base, sink)
      #expect(sink.outcome(of: token).rows == [[.integer(Int64(request))]])
    }
    #expect(others.suffix(20).allSatisfy { sink.events(of: $0).isEmpty }, "the others' were still to come")
    for token in others { #expect(sink.outcome(of: token).error == nil) }
  }

  @Test func `where too many wait, whoever has the most of them is refused`() throws {
    let base = try TemporaryDatabase { $0.limits.planQueueMax = 10 }
    let sink = CollectingSink()
    let greedy = (1...12).map { start(Self.slow($0), session: 1, $0, in: base, sink) }
    let modest = start(Self.short(1), session: 2, 1, in: base, sink)
    #expect(sink.outcome(of: modest).error == nil)
    let errors = greedy.map { sink.outcome(of: $0).error?.reason }
    #expect(errors.contains(.overloaded) && errors.filter { $0 == nil }.count >= 8)
  }

  @Test func `long statements of a transaction stay in their order, with what comes between them`() throws {
    let base = try TemporaryDatabase()
    try base.sql("CREATE TABLE t(a INTEGER)")
    let sink = CollectingSink()
    let begun = sink.token()
    let transaction = base.database.begin(.write, deadline: .distantFuture, token: begun, sink: sink)
    #expect(sink.outcome(of: begun).error == nil)
    var tokens: [RequestToken] = []
    for number in 1...20 {
      let token = sink.token()
      let text = "INSERT INTO t SELECT coalesce(max(a), 0) + 1 FROM t WHERE (SELECT count(*) FROM t) = \(number - 1)"
      let statement = Trees.raw(text + (number % 3 == 0 ? String(repeating: " ", count: 9_000) : ""))
      _ = transaction.start(StatementRequest(source: .statement(statement)), token: token, sink: sink)
      tokens.append(token)
    }
    let end = sink.token()
    transaction.finish(commit: true, token: end, sink: sink)
    for token in tokens { #expect(sink.outcome(of: token).completion?.rowsChanged == 1) }
    #expect(sink.outcome(of: end).error == nil)
    #expect(try base.sql("SELECT max(a), count(*) FROM t").rows == [[20, 20]])
  }

  @Test func `where too many wait, all that a transaction has sent is refused, however much that is`() throws {
    let base = try TemporaryDatabase { $0.limits.planQueueMax = 2 }
    let sink = CollectingSink(session: 5)
    let begun = sink.token()
    let transaction = base.database.begin(.read, deadline: .distantFuture, token: begun, sink: sink)
    #expect(sink.outcome(of: begun).error == nil)
    // The thread is busy until the end, and the queue behind it is full.
    let (hasBegun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    defer { goOn.signal() }
    base.database.planner.submit(of: SessionShare(subject: 9, session: 9), refuse: {}) {
      hasBegun.signal()
      goOn.wait()
    }
    #expect(hasBegun.wait(timeout: .now() + .seconds(60)) == .success)
    let waiting = start(Self.short(1), session: 5, 1_000_000, in: base, sink)
    func send(_ statement: [UInt8]) -> RequestToken {
      let token = sink.token()
      _ = transaction.start(StatementRequest(source: .statement(statement)), token: token, sink: sink)
      return token
    }
    var tokens = [send(Self.short(2))]
    // They wait for the first one, and would be a deep stack if each were refused by the one before it.
    let brief = Trees.raw("SELECT 3")
    for _ in 0..<20_000 { tokens.append(send(brief)) }
    // This one has the place of the first, whose session had both.
    let other = start(Self.short(4), session: 8, 1, in: base, sink)
    for token in tokens { #expect(sink.outcome(of: token).error == .planQueueFull) }
    goOn.signal()
    #expect(sink.outcome(of: waiting).error == nil && sink.outcome(of: other).error == nil)
    transaction.abandon()
  }
}
