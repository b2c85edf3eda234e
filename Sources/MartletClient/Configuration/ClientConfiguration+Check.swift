/// Whether the numbers make sense, before anything connects with them.
extension ClientConfiguration {
  /// A sentence about the first number that makes no sense, without a full stop; nil if all is well. A client checks it
  /// before it connects.
  func check() -> String? {
    let counts: [(String, Int, least: Int)] = [
      ("connectionsMax", connectionsMax, 1), ("pipelineDepth", pipelineDepth, 1),
      ("transactionsPerConnectionMax", transactionsPerConnectionMax, 1), ("waitingMax", waitingMax, 0),
      ("connectAttemptsMax", connectAttemptsMax, 1), ("readRepeatsMax", readRepeatsMax, 0),
      ("streamWindowBytes", streamWindowBytes, 1), ("shapesMax", shapesMax, 0),
    ]
    for (name, count, least) in counts where count < least { return "\(name) must be at least \(least)" }
    let times: [(String, Duration, mayBeZero: Bool)] = [
      ("connectTimeout", connectTimeout, false), ("backoffFirst", backoffFirst, true), ("backoffMax", backoffMax, true),
      ("requestDeadline", requestDeadline, false), ("writeDeadline", writeDeadline, false),
      ("streamDeadline", streamDeadline, false), ("replyGrace", replyGrace, true),
    ]
    for (name, time, mayBeZero) in times {
      if time < .zero { return "\(name) must not be negative" }
      if time == .zero, !mayBeZero { return "\(name) must be above zero" }
    }
    return nil
  }
}
