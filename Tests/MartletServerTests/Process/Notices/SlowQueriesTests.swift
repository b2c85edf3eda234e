/// The log of slow requests, while plans take longer than requests.
import Foundation
import Logging
import MartletEngine
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

struct SlowQueriesTests {
  @Test func `one plan is made at a time, and where too many lines wait they are written without`() throws {
    let log = CapturedLog()
    let gate = DispatchSemaphore(value: 0)
    let running = Counter()
    let explained = ExplainedStatement(sql: "SELECT a FROM t WHERE b = 'marker'", holdsText: true, plan: ["SCAN t"])
    let slow = SlowQueries(thresholdMs: 0, logger: log.logger) { _, _, _ in
      running.change(by: 1)
      gate.wait()
      running.change(by: -1)
      return explained
    }
    let most = SlowQueryLimits.waitingMax
    let total = most + 4
    for index in 0..<total {
      slow.note(
        SlowQueries.Query(
          kind: .read, nanoseconds: 1, shapes: [ShapeID(high: 0, low: UInt64(index))], statements: 1, metadata: [:]))
    }
    try waitUntil(within: .seconds(30)) { running.now == 1 }
    for _ in 0..<total { gate.signal() }
    try waitUntil(within: .seconds(30)) { log.lines.count == total }
    #expect(running.most == 1)
    let hasPlan = log.lines.map { $0.metadata["plan"] != nil }
    #expect(hasPlan == Array(repeating: true, count: most) + Array(repeating: false, count: 4))
    #expect(log.lines.first?.metadata["sql"] == "SELECT a FROM t WHERE b = ?")
    #expect(log.lines.allSatisfy { $0.metadata["shape"] != nil && $0.metadata["kind"] == "read" })
  }

  @Test func `a few a second are logged, none while too many lines wait, and the others are counted`() throws {
    let log = CapturedLog()
    let gate = DispatchSemaphore(value: 0)
    let slow = SlowQueries(thresholdMs: 0, logger: log.logger) { _, _, _ in
      gate.wait()
      return nil
    }
    let start = MonotonicTime(nanoseconds: 1)
    func note(_ count: Int, afterMs ms: Int) {
      for _ in 0..<count {
        slow.note(
          SlowQueries.Query(
            kind: .read, nanoseconds: 1, shapes: [ShapeID(high: 0, low: 1)], statements: 1, metadata: [:]),
          now: start.advanced(milliseconds: ms))
      }
    }
    let (perSecond, linesMax) = (SlowQueryLimits.perSecondMax, SlowQueryLimits.linesMax)
    // The writer of the log stands still until enough lines wait, five of each second too many.
    for second in 0..<(linesMax / perSecond) { note(perSecond + 5, afterMs: second * 1_000) }
    let later = linesMax / perSecond * 1_000
    note(3, afterMs: later)
    slow.ticked(now: start.advanced(milliseconds: later + 1_000))
    for _ in 0..<(linesMax + 10) { gate.signal() }
    try waitUntil(within: .seconds(30)) { log.lines.filter { $0.message == "A request was slow" }.count == linesMax }
    func missed() -> Int {
      log.lines.compactMap { $0.metadata["requests"].flatMap { Int("\($0)") } }.reduce(0, +)
    }
    // The last ones are told by a tick, since no slow request follows.
    try waitUntil(within: .seconds(30)) {
      slow.ticked(now: start.advanced(milliseconds: later + 2_000))
      return missed() == linesMax / perSecond * 5 + 3
    }
    slow.ended()
  }

  private final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    func change(by amount: Int) {
      state.withLock { state in
        state.now += amount
        state.most = max(state.most, state.now)
      }
    }

    var now: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }
  }
}
