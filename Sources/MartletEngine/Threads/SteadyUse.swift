package import MartletValues

/// Whether something is used again and again: for `EngineLimits.steadyUseMs` at least, and never without for longer.
///
/// Always true: what is used once, or a few times at once, is in no steady use; what was is so no more after a pause.
package struct SteadyUse: Sendable {
  /// Since when there was no pause.
  private(set) var since: MonotonicTime
  package private(set) var last: MonotonicTime

  init(since: MonotonicTime = MonotonicTime(nanoseconds: 0), last: MonotonicTime = MonotonicTime(nanoseconds: 0)) {
    self.since = since
    self.last = last
  }

  mutating func used(at now: MonotonicTime) {
    if Self.isPause(from: last, to: now) { since = now }
    last = now
  }

  package func isSteady(at now: MonotonicTime) -> Bool {
    !Self.isPause(from: last, to: now) && since.advanced(milliseconds: EngineLimits.steadyUseMs) <= last
  }

  static func isPause(from last: MonotonicTime, to now: MonotonicTime) -> Bool {
    last.advanced(milliseconds: EngineLimits.steadyUseMs) < now
  }
}
