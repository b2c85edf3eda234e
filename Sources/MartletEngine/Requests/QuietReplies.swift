import MartletValues

/// Answers of one transaction that its owner does not wait for, on their way to it: they leave with the next one that
/// it does, so that a transaction of many statements wakes it once.
///
/// Always true: none stays while the writer waits for its owner, and none behind a statement that takes long. Used on
/// the writer's thread only.
final class QuietReplies {
  private let sink: any ReplySink
  private var isHolding = false

  init(to sink: any ReplySink) { self.sink = sink }

  func deliver(_ event: ReplyEvent, to execution: Execution) {
    guard !execution.isAbandoned else { return }
    isHolding = true
    sink.deliverQuietly(event, to: execution.token)
  }

  /// Whoever has nothing else to do, or something long, lets them go first.
  func leave() {
    guard isHolding else { return }
    isHolding = false
    sink.announce()
  }
}
