/// The bounds of the log of slow requests.
enum SlowQueryLimits {
  /// Where so many lines wait for the thread that makes plans, the next ones are written without.
  static let waitingMax = 8
}
