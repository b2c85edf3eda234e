/// Which requests are sent again after an error: the whole rule, as a table.
import MartletValues
import Testing

@testable import MartletClient

@Suite struct RepeatRuleTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

  private static func request(
    _ reason: RequestError.Reason, isRetryable: Bool = true, isOutcomeUnknown: Bool = false
  ) -> ReplyError {
    .request(RequestError(.aborted, reason, "No.", isRetryable: isRetryable, isOutcomeUnknown: isOutcomeUnknown))
  }

  private static func lost(isRetryable: Bool) -> ReplyError {
    .client(ClientError(.connectionLost, "No.", isRetryable: isRetryable))
  }

  /// The pauses in milliseconds before each time that a request is sent again which always fails so.
  private func pauses(after error: ReplyError, repeatsMax: Int = 3, deadlineMs: Int = 60_000, pauseMaxMs: Int = 2_000)
    -> [Int]
  {
    var configuration = ClientConfiguration()
    configuration.readRepeatsMax = repeatsMax
    configuration.backoffFirst = .milliseconds(50)
    configuration.backoffMax = .milliseconds(pauseMaxMs)
    var rule = RepeatRule(configuration, until: Self.start.advanced(milliseconds: deadlineMs))
    var pauses: [Int] = []
    while let pause = rule.pause(after: error, now: Self.start.advanced(milliseconds: pauses.reduce(0, +))) {
      pauses.append(Int(pause / .milliseconds(1)))
      if pauses.count > 20 { break }
    }
    return pauses
  }

  @Test func `pauses of any length are counted`() {
    var configuration = ClientConfiguration()
    configuration.backoffFirst = .seconds(Int64.max) * 16
    configuration.backoffMax = .seconds(Int64.max) * 16
    var rule = RepeatRule(configuration, until: Self.start.advanced(milliseconds: 1))
    #expect(rule.pause(after: Self.request(.snapshotEvicted), now: Self.start) == nil)
    var patient = RepeatRule(configuration)
    #expect(patient.pause(after: Self.request(.snapshotEvicted), now: .init(nanoseconds: 0)) == nil)
  }

  @Test(
    arguments: [
      (request(.snapshotEvicted), [50, 100, 200]),
      (request(.snapshotEvicted, isRetryable: false), []),
      (request(.snapshotEvicted, isOutcomeUnknown: true), []),
      // Another connection is tried once.
      (request(.shuttingDown), [0]), (lost(isRetryable: true), [0]), (lost(isRetryable: false), []),
      // The transaction is its program's.
      (request(.transactionEnded), []),
      // More requests would not help.
      (request(.overloaded), []), (request(.memory), []), (request(.quota), []), (request(.deadline), []),
      (request(.constraint), []), (request(.sqlite), []), (.cancelled, []),
    ] as [(ReplyError, [Int])])
  func `what failed is sent again so often`(error: ReplyError, expected: [Int]) {
    #expect(pauses(after: error) == expected)
  }

  @Test func `nothing is sent again after the deadline, or more often than the program says`() {
    let evicted = Self.request(.snapshotEvicted)
    #expect(pauses(after: evicted, deadlineMs: 151) == [50, 100])
    #expect(pauses(after: evicted, deadlineMs: 50) == [])
    #expect(pauses(after: evicted, repeatsMax: 0) == [])
    #expect(pauses(after: evicted, repeatsMax: 1) == [50])
  }

  @Test func `no pause is longer than the longest of a configuration`() {
    let evicted = Self.request(.snapshotEvicted)
    #expect(pauses(after: evicted, repeatsMax: 5, pauseMaxMs: 120) == [50, 100, 120, 120, 120])
    #expect(pauses(after: evicted, repeatsMax: 2, pauseMaxMs: 20) == [20, 20])
  }
}
