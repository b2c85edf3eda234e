internal import MartletValues

/// Statements of one transaction that were sent and whose answers nobody has looked at yet.
///
/// Always true: they are settled in the order in which they were sent; the first failure stays, because what came after
/// it was meant for a database in which it had succeeded, so its transaction can only be undone.
struct DeferredStatements<Reply> {
  struct Entry {
    let reply: Reply
    /// What an error calls the statement.
    let name: @Sendable () -> String
  }

  /// How many statements have been sent in all: all of them must have succeeded for a commit.
  private(set) var count = 0
  private(set) var failure: (any Error)?
  /// By when all of them have been answered.
  private(set) var lastDeadline = MonotonicTime(nanoseconds: 0)
  private var entries: [Entry] = []
  private var byteCount = 0

  var hasRoom: Bool { entries.count < ClientLimits.deferredStatementsMax && byteCount < ClientLimits.deferredBytesMax }

  mutating func sent(
    _ reply: Reply, _ statement: RemoteStatement, _ parameters: [Value], deadline: MonotonicTime,
    name: @escaping @Sendable () -> String
  ) {
    count += 1
    lastDeadline = max(lastDeadline, deadline)
    byteCount += parameters.reduce(statement.bytes.count) { $0 &+ $1.byteCount }
    entries.append(Entry(reply: reply, name: name))
  }

  /// Takes the statements that have not been settled; the caller waits for them in this order.
  mutating func take() -> [Entry] {
    defer {
      entries = []
      byteCount = 0
    }
    return entries
  }

  mutating func failed(_ entry: Entry, _ error: any Error) {
    if failure == nil { failure = Self.named(error, entry.name()) }
  }

  /// Why the server did not commit: the statement that failed, if all have been settled, or `error`.
  func cause(of error: any Error) -> any Error {
    guard let commit = error as? RequestError, commit.reason == .transactionEnded, !commit.isOutcomeUnknown else {
      return error
    }
    if let failure = failure as? RequestError, failure.reason == .transactionEnded { return error }
    return failure ?? error
  }

  /// Says which statement failed, because the error is thrown where another one stands.
  private static func named(_ error: any Error, _ name: String) -> any Error {
    guard var error = error as? RequestError, error.reason != .transactionEnded else { return error }
    let most = ClientLimits.shownStatementCharactersMax
    let text = name.count > most ? name.prefix(most) + "…" : name[...]
    error.message += " This was an earlier statement, which nobody had waited for: \(text)"
    return error
  }
}

extension DeferredStatements.Entry: Sendable where Reply: Sendable {}
