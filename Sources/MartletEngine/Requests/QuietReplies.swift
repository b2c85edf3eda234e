import MartletValues

/// Answers of one transaction that its owner does not wait for, on their way to it: they leave with the next answer
/// that it waits for, so that a transaction of many statements wakes it once.
///
/// Always true: none stays while the writer waits for its owner. Behind a statement that takes long they leave when
/// SQLite first asks whether it may go on, which it does every so many steps; one operation that does not ask keeps
/// them to its end. Used on the writer's thread only.
final class QuietReplies {
  /// The sink that has some.
  private var holder: (any ReplySink)?

  var isHolding: Bool { holder != nil }

  func deliver(_ event: ReplyEvent, to execution: Execution) {
    guard !execution.isAbandoned else { return }
    // Of another sink than the last one's: a transaction's requests may come from several.
    if let holder, holder !== execution.sink { leave() }
    holder = execution.sink
    execution.sink.deliverQuietly(event, to: execution.token)
  }

  /// Called before the thread waits, or begins something long.
  func leave() {
    guard let holder else { return }
    self.holder = nil
    holder.announce()
  }
}
