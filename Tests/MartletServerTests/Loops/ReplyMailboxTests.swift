import Dispatch
import MartletEngine
import MartletLoop
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

/// When a loop is woken for the engine's replies, and what it finds then.
@Suite struct ReplyMailboxTests {
  private static let quiet = RequestToken(session: 1, request: 2)
  private static let loud = RequestToken(session: 1, request: 3)

  /// What is done on the engine's side, and what the loop has found afterwards, turn by turn.
  private static let cases: [(String, @Sendable (ReplyMailbox) -> Void, [[RequestToken]])] = [
    ("one that is waited for", { $0.deliver(event, to: loud) }, [[loud]]),
    (
      "a quiet one leaves with the next",
      {
        $0.deliverQuietly(event, to: quiet)
        $0.deliver(event, to: loud)
      }, [[quiet, loud]]
    ),
    (
      "a quiet one is announced",
      {
        $0.deliverQuietly(event, to: quiet)
        $0.announce()
        $0.announce()
      }, [[quiet]]
    ),
    ("nothing is announced", { $0.announce() }, []),
    ("a question", { $0.listen(for: loud) {} }, [[RequestToken(session: 1, request: 0)]]),
    (
      "a question brings what is quiet",
      {
        $0.deliverQuietly(event, to: quiet)
        $0.listen(for: loud) {}
      }, [[quiet, RequestToken(session: 1, request: 0)]]
    ),
    (
      "several at once", { $0.deliver([Reply(token: quiet, event: event), Reply(token: loud, event: event)]) },
      [[quiet, loud]]
    ),
  ]

  private static let event = ReplyEvent.completed(Completion())

  @Test(arguments: cases.indices) func `a loop is woken once for all that it finds`(index: Int) throws {
    let (name, deed, expected) = Self.cases[index]
    let mailbox = ReplyMailbox()
    let found = Mutex<[[RequestToken]]>([])
    let loop = try EventLoop(label: "mailbox")
    defer {
      loop.stop()
      loop.join()
    }
    turn(loop) {
      try? mailbox.open(on: loop) {
        var replies: [Reply] = []
        let questions = mailbox.take(into: &replies)
        let asked = questions.map { RequestToken(session: $0.session, request: 0) }
        found.withLock { $0.append(replies.map(\.token) + asked) }
      }
    }
    deed(mailbox)
    // What was rung for in one turn of the loop is looked at before the end of the next.
    for _ in 0..<2 { turn(loop) {} }
    #expect(found.withLock { $0 } == expected, "\(name)")
  }

  /// Waits until the loop has done it.
  private func turn(_ loop: EventLoop, _ work: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    _ = loop.post {
      work()
      isDone.signal()
    }
    isDone.wait()
  }
}
