internal import MartletLoop

/// Asks something of a loop from another thread, and waits for the answer.
///
/// Always true: a question is answered on the loop or not at all; the caller learns if the loop has stopped or did not
/// answer in time.
struct LoopInquiry: Sendable {
  enum Outcome<Answer> {
    case answered(Answer)
    case ended
    /// The loop has not answered in time. If it has not begun to answer by then, it never does.
    case silent
  }

  let loop: EventLoop

  /// Blocks. Returns nil if the loop has stopped, or has nothing to answer.
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
