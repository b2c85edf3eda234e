internal import MartletValues
internal import Synchronization

/// What a transaction sent without waiting for it, for programs with concurrency.
///
/// Always true: whatever the tasks of a program do, a commit that was asked for with `count` takes place only if all of
/// the statements succeeded.
final class SentStatements: Sendable {
  struct Reply: Sendable {
    let reply: CollectedReply
    let request: InFlightRequest
  }

  private let statements = Mutex(DeferredStatements<Reply>())

  var count: Int { statements.withLock(\.count) }
  var hasRoom: Bool { statements.withLock(\.hasRoom) }
  var lastDeadline: MonotonicTime { statements.withLock(\.lastDeadline) }

  func sent(_ reply: Reply, _ statement: RemoteStatement, _ parameters: [Value], deadline: MonotonicTime) {
    statements.withLock { statements in
      let number = statements.count + 1
      statements.sent(
        reply, statement, parameters, deadline: deadline, name: { "number \(number) of those that were sent" })
    }
  }

  /// Nobody wants the effects of the statements any more.
  func cancel() {
    for entry in statements.withLock({ $0.take() }) { entry.reply.request.cancel() }
  }

  /// Throws what has failed so far.
  func check() throws {
    if let failure = statements.withLock(\.failure) { throw failure }
  }

  /// Waits for all that were sent. Throws the error of the first that failed.
  func settle() async throws {
    for entry in statements.withLock({ $0.take() }) {
      do {
        _ = try await entry.reply.reply.wait(for: entry.reply.request, isCancellable: true)
      } catch {
        statements.withLock { $0.failed(entry, error.thrown) }
      }
    }
    try check()
  }

  /// Why the server did not commit.
  func cause(of error: any Error) async -> any Error {
    try? await settle()
    return statements.withLock { $0.cause(of: error) }
  }
}
