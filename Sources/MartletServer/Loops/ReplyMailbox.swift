internal import MartletEngine
internal import MartletLoop
internal import Synchronization

/// Where the engine leaves replies for one loop, and its questions.
///
/// Always true: the loop is woken once for all that it finds, and stays asleep for what nobody waits for; replies are
/// bounded by the credit that sessions gave, and a question stays for `ServerLimits.listenLooksMax` turns at most.
final class ReplyMailbox: ReplySink {
  /// The engine wants to know when all that a session has sent by now has come.
  struct Question {
    let session: UInt64
    /// How often the loop has looked at the session for it.
    var looks = 0
    let heard: @Sendable () -> Void
  }

  private struct State {
    var replies: [Reply] = []
    var questions: [Question] = []
    var doorbell: WakeUp?
    /// The loop has been woken and has not looked yet.
    var isRung = false

    /// The bell to ring; nil if the loop comes by itself.
    mutating func ring() -> WakeUp? {
      guard !isRung, !replies.isEmpty || !questions.isEmpty, let doorbell else { return nil }
      isRung = true
      return doorbell
    }
  }

  private let state = Mutex(State())

  /// From now on `take` is called on the loop when something has come; what came before is announced at once. On the
  /// loop.
  func open(on loop: EventLoop, _ take: @escaping () -> Void) throws(LoopError) {
    let doorbell = try WakeUp(on: loop, take)
    state.withLock { state in
      state.doorbell = doorbell
      return state.ring()
    }?.signal()
  }

  func deliver(_ event: ReplyEvent, to token: RequestToken) {
    state.withLock { state in
      state.replies.append(Reply(token: token, event: event))
      return state.ring()
    }?.signal()
  }

  func deliver(_ replies: [Reply]) {
    guard !replies.isEmpty else { return }
    state.withLock { state in
      state.replies.append(contentsOf: replies)
      return state.ring()
    }?.signal()
  }

  func deliverQuietly(_ event: ReplyEvent, to token: RequestToken) {
    state.withLock { $0.replies.append(Reply(token: token, event: event)) }
  }

  func listen(for token: RequestToken, _ heard: @escaping @Sendable () -> Void) {
    ask(Question(session: token.session, heard: heard))
  }

  fileprivate func ask(_ question: Question) {
    state.withLock { state in
      state.questions.append(question)
      return state.ring()
    }?.signal()
  }

  func announce() { state.withLock { $0.ring() }?.signal() }

  /// Swaps the replies that have come for `empty`, whose memory is used for what comes next; returns the questions.
  func take(into empty: inout [Reply]) -> [Question] {
    state.withLock { state in
      defer { state.questions = [] }
      swap(&state.replies, &empty)
      state.isRung = false
      return state.questions
    }
  }
}

extension LoopShard {
  /// Gives each session what the engine has left for it. On the loop, which the mailbox has woken.
  func drainReplies() {
    let questions = mailbox.take(into: &replies)
    deliverReplies()
    // After the replies, because some of them let sessions read again.
    for question in questions { listen(question) }
  }

  private func deliverReplies() {
    guard !replies.isEmpty else { return }
    let now = ServerClock.now
    var last: SessionHost?
    // Taken out of the shard while they are used, and put back for their memory.
    var (replies, unflushed): ([Reply], [SessionHost]) = ([], [])
    swap(&replies, &self.replies)
    swap(&unflushed, &self.unflushed)
    defer { swap(&replies, &self.replies); swap(&unflushed, &self.unflushed) }
    for reply in replies {
      // Replies of one session tend to come together.
      if last?.id != reply.token.session { last = hosts[reply.token.session] }
      guard let host = last else { continue }
      if host.deliver(reply, now: now) { unflushed.append(host) }
    }
    replies.removeAll(keepingCapacity: true)
    for host in unflushed { host.flush(now: now) }
    unflushed.removeAll(keepingCapacity: true)
  }

  /// Answers when the session has nothing under way. What has arrived and was not read yet is read in this turn of the
  /// loop or a later one, so the question comes again then; but a client that always sends something is heard in the
  /// end.
  private func listen(_ question: ReplyMailbox.Question) {
    guard let host = hosts[question.session], host.hasInputUnderWay, question.looks < ServerLimits.listenLooksMax else {
      return question.heard()
    }
    var question = question
    question.looks += 1
    mailbox.ask(question)
  }
}
