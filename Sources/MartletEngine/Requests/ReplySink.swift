package import MartletValues

/// The server's loops, an embedded database and tests each have one. Called on any thread, perhaps with locks of the
/// engine held; must neither block nor ask the engine for anything.
///
/// Always true: a request's events come in order, from one thread at a time, and end with exactly one `completed` or
/// `failed` whose token has step 0; a batch's steps each end with one of their own before that.
package protocol ReplySink: AnyObject, Sendable {
  func deliver(_ event: ReplyEvent, to token: RequestToken)

  /// Many at once, in order: what a group commit has for this sink. One wake-up is enough for all of them.
  func deliver(_ replies: [Reply])

  /// For an answer that nobody waits for: it may stay until the next one is delivered, or until `announce`.
  func deliverQuietly(_ event: ReplyEvent, to token: RequestToken)

  /// What was delivered quietly leaves now.
  func announce()

  /// Calls `heard` once, on any thread and perhaps at once, when all that the token's owner has sent by now has come to
  /// the engine. A loop that is busy has not looked at its sockets for a while.
  func listen(for token: RequestToken, _ heard: @escaping @Sendable () -> Void)
}

/// Which request an event is for, in the numbers of whoever asked; the engine only hands it back.
package struct RequestToken: Sendable, Hashable {
  package var session: UInt64
  package var request: UInt32
  /// The step of a batch, counted from 1; 0 for the request itself.
  package var step: UInt32

  package init(session: UInt64, request: UInt32, step: UInt32 = 0) {
    self.session = session
    self.request = request
    self.step = step
  }
}

/// A part of an answer.
package enum ReplyEvent: Sendable {
  case columns(ResultColumns)
  case rows(RowBatch)
  case completed(Completion)
  case failed(RequestError)
  /// The engine ended a transaction that its owner had open. Comes with the token of the transaction's begin.
  case transactionEnded(RequestError, ageMs: Int)
}

extension ReplySink {
  package func deliver(_ replies: [Reply]) {
    for reply in replies { deliver(reply.event, to: reply.token) }
  }

  package func deliverQuietly(_ event: ReplyEvent, to token: RequestToken) { deliver(event, to: token) }
  package func announce() {}

  /// For those who call the engine directly: nothing is under way.
  package func listen(for token: RequestToken, _ heard: @escaping @Sendable () -> Void) { heard() }
}

/// An event and the request that it is for.
package struct Reply: Sendable {
  package var token: RequestToken
  package var event: ReplyEvent

  package init(token: RequestToken, event: ReplyEvent) {
    self.token = token
    self.event = event
  }
}
