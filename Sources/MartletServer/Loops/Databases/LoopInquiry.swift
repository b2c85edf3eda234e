internal import MartletLoop

/// Asks something of a loop from another thread, and waits for the answer.
///
/// Always true: a question is answered on the loop or not at all; whoever waits for a loop that has ended, or for
/// longer than he may, is told so.
struct LoopInquiry: Sendable {
  enum Outcome<Answer> {
    case answered(Answer)
    case ended
    /// The loop has not answered in time. If it has not begun to answer by then, it never does.
    case silent
  }

  let loop: EventLoop

  /// Blocks. Nil where the loop has ended, or has no answer any more.
  @discardableResult
  func ask<Answer: Sendable>(_ question: @escaping @Sendable () -> Answer?) -> Answer? {
    let answer = Promise<Answer?>()
    let isRunning = loop.post { answer.fulfil(question()) }
    return isRunning ? answer.wait() : nil
  }

  /// Asks as `ask` does, and waits for `WorkLimits.letGoMsMax` at most, because a loop may be stuck.
  func askBriefly<Answer: Sendable>(_ question: @escaping @Sendable () -> Answer?) -> Outcome<Answer> {
    let answer = Promise<Answer?>()
    let asker = Presence()
    let isRunning = loop.post { answer.fulfil(asker.isGone ? nil : question()) }
    guard isRunning else { return .ended }
    guard let result = answer.wait(ms: WorkLimits.letGoMsMax) else {
      asker.leave()
      return .silent
    }
    guard let given = result else { return .ended }
    return .answered(given)
  }
}
