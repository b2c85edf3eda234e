/// Collects what the engine delivers, and lets a test wait for the end of a request.
///
/// Always true: events are kept in the order in which they came, each request's apart.
import Foundation
package import MartletEngine
package import MartletValues

// Unchecked because the events are only reached with the condition's lock held.
package final class CollectingSink: ReplySink, @unchecked Sendable {
  /// What a request came to.
  package struct Outcome: Sendable {
    package init() {}

    package var completion: Completion?
    package var error: RequestError?
    package var columns: ResultColumns?
    package var batches: [RowBatch] = []

    /// All rows, in order.
    package var rows: [[Value]] {
      batches.flatMap { batch in (0..<batch.rowCount).map { (try? batch.row($0)) ?? [] } }
    }
  }

  private let condition = NSCondition()
  private var events: [RequestToken: [ReplyEvent]] = [:]
  private var ended: Set<RequestToken> = []
  private var nextRequest: UInt32 = 1
  private let session: UInt64
  private var calls = 0

  /// `session`: whose requests they are.
  package init(session: UInt64 = 1) { self.session = session }

  /// A token that no other request of this sink has.
  package func token() -> RequestToken {
    condition.withLock {
      nextRequest += 1
      return RequestToken(session: session, request: nextRequest)
    }
  }

  package func deliver(_ event: ReplyEvent, to token: RequestToken) {
    condition.withLock { note(event, token) }
  }

  package func deliver(_ replies: [Reply]) {
    condition.withLock { for reply in replies { note(reply.event, reply.token) } }
  }

  private func note(_ event: ReplyEvent, _ token: RequestToken) {
    calls += 1
    events[token, default: []].append(event)
    switch event {
    case .completed, .failed: ended.insert(token)
    case .columns, .rows, .transactionEnded: break
    }
    condition.broadcast()
  }

  /// Every event of a request so far.
  package func events(of token: RequestToken) -> [ReplyEvent] { condition.withLock { events[token] ?? [] } }

  /// Waits until `isMet` holds for the events of a request. False when a minute has passed. `meanwhile` is called again
  /// and again until then: a test with a clock of its own moves it there.
  @discardableResult
  package func wait(
    for token: RequestToken, meanwhile: (() -> Void)? = nil, until isMet: ([ReplyEvent]) -> Bool
  ) -> Bool {
    let limit = Date(timeIntervalSinceNow: 60)
    condition.lock()
    defer { condition.unlock() }
    while !isMet(events[token] ?? []) {
      let next = meanwhile == nil ? limit : min(limit, Date(timeIntervalSinceNow: 0.005))
      if !condition.wait(until: next), next == limit { return isMet(events[token] ?? []) }
      meanwhile?()
    }
    return true
  }

  /// Waits for the end of a request, or of one step of a batch, and returns its result.
  package func outcome(of token: RequestToken) -> Outcome {
    let hasEnded = wait(for: token) { _ in ended.contains(token) }
    var outcome = Outcome()
    // Without an error this would look like an answer without rows.
    if !hasEnded {
      outcome.error = RequestError(.internal, .internal, "The test waited for a minute, and nobody answered.")
    }
    for event in events(of: token) {
      switch event {
      case .columns(let columns): outcome.columns = columns
      case .rows(let batch): outcome.batches.append(batch)
      case .completed(let completion): outcome.completion = completion
      case .failed(let error): outcome.error = error
      case .transactionEnded: break
      }
    }
    return outcome
  }
}
