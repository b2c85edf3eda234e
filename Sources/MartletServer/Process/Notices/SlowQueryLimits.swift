/// The bounds of the log of slow requests.
enum SlowQueryLimits {
  /// If this many lines wait for the thread that makes plans, the next ones are written without SQL and plan, by
  /// their shapes alone.
  static let waitingMax = 8
  /// If this many lines wait, as they do if the log's reader stands still, the next ones are only counted.
  static let linesMax = 200
  /// Requests that are logged within `intervalMs`; more are only counted.
  static let perSecondMax = 20
  /// The time in which `perSecondMax` requests are logged at most.
  static let intervalMs = 1_000
  /// Statements of a request that are named.
  static let shapesMax = 4
}
