internal import MartletValues
internal import Synchronization

/// How requests reach the server. Made by `DatabaseClient` and `RemoteTransaction` only.
///
/// Always true: nothing is sent twice that could happen twice.
public struct RequestRunner: Sendable {
  var route: any RequestRoute
  let configuration: ClientConfiguration

  /// The request id of the transaction that statements run in; 0 outside of one.
  var transaction: UInt32 = 0

  /// A transaction's streams, which later statements wait behind.
  var openStreams: OpenStreams?

  /// A transaction's statements that were not waited for: their errors come before those of later ones.
  var sent: SentStatements?

  /// Runs a request whose reply is collected.
  func collect(
    _ kind: ClientRequest.Kind, deadline: Duration? = nil, keepsRows: Bool = true, isCancellable: Bool = true
  ) async throws -> CollectedReply.Contents {
    if !kind.isEnd {
      try Deadline.check(deadline)
      try sent?.check()
    }
    openStreams?.bufferAll()
    let steps = if case .batch(let steps, _) = kind { steps.count } else { 0 }
    var request = ClientRequest(
      kind: kind, transaction: transaction,
      deadline: Deadline.next(
        deadline,
        otherwise: configuration.deadline(of: kind, isQuery: keepsRows, isInTransaction: transaction != 0)))
    request.mayShortenDeadline = deadline == nil
    return try await settling(isEnd: kind.isEnd) {
      try await retrying(request) { request in
        let reply = CollectedReply(
          steps: steps, keepsRows: keepsRows, mayBeCommitted: transaction == 0 && !kind.mayBeRead)
        let sent = try await route.submit(request, to: reply)
        return try await reply.wait(for: sent, isCancellable: isCancellable)
      }
    }
  }

  /// Runs a query whose rows are streamed. `repeats`: it is sent again here if that does no harm.
  func stream(
    _ statement: RemoteStatement, _ parameters: [Value], deadline: Duration?, repeats: Bool = true
  ) async throws -> RowStreamOwner {
    try Deadline.check(deadline)
    try sent?.check()
    openStreams?.bufferAll()
    let kind = ClientRequest.Kind.execute(statement, parameters)
    let limit = configuration.deadline(of: kind, isQuery: true, isInTransaction: transaction != 0)
    let request = ClientRequest(
      kind: kind, transaction: transaction, deadline: Deadline.next(deadline, otherwise: limit),
      creditPolicy: .byConsumer, mayShortenDeadline: deadline == nil)
    return try await settling(isEnd: false) {
      try await retrying(request, repeats: repeats) { request in
        let stream = RowStream(isQuery: statement.mayBeRead, isInTransaction: transaction != 0)
        let owner = RowStreamOwner(stream)
        stream.attach(try await route.submit(request, to: stream))
        try await stream.start()
        openStreams?.add(stream)
        return owner
      }
    }
  }

  /// Throws what went wrong with statements before this one that were not waited for, and only then its own error.
  private func settling<Reply>(isEnd: Bool, _ body: () async throws -> Reply) async throws -> Reply {
    guard let sent, !isEnd else { return try await body() }
    do {
      let reply = try await body()
      try await sent.settle()
      return reply
    } catch {
      try await sent.settle()
      throw error
    }
  }

  private func retrying<Reply>(
    _ request: ClientRequest, repeats: Bool = true, _ attempt: (ClientRequest) async throws -> Reply
  ) async throws -> Reply {
    var rule = RepeatRule(configuration, until: request.deadline)
    while true {
      do {
        return try await attempt(request)
      } catch let error as ReplyError {
        guard repeats, request.transaction == 0, !Task.isCancelled, let pause = rule.pause(after: error) else {
          throw error.thrownToTask
        }
        if pause > .zero { try await Task.sleep(for: pause) }
      }
    }
  }
}

/// The streams of a transaction that have not ended. A transaction's statements run in order, so the next one would
/// wait for a stream that waits for its consumer: the rest of the stream is fetched first.
///
/// Always true: what may write is held until it has ended well, so that its error is known where its rows were left.
final class OpenStreams: Sendable {
  private struct Reference: Sendable {
    weak let stream: RowStream?
    let writer: RowStream?
  }

  private let streams = Mutex<[Reference]>([])

  func add(_ stream: RowStream) {
    streams.withLock { streams in
      streams.removeAll { $0.stream == nil || $0.writer?.hasEndedWell == true }
      streams.append(Reference(stream: stream, writer: stream.isQuery ? nil : stream))
    }
  }

  func bufferAll() {
    let open = streams.withLock { streams in
      defer { streams.removeAll { $0.writer == nil || $0.writer?.hasEndedWell == true } }
      return streams.compactMap(\.stream)
    }
    for stream in open { stream.bufferRest() }
  }

  /// Why the transaction is over, if a write failed whose rows nobody read to their end.
  func cause(of error: any Error) -> any Error {
    guard (error as? RequestError)?.reason == .transactionEnded else { return error }
    return streams.withLock { $0.lazy.compactMap { $0.writer?.failure }.first } ?? error
  }
}

extension ClientConfiguration {
  /// The deadline of a request that states none. A query's rows may take their time; anything else answers at once,
  /// and what may write and is no part of a transaction asks for no more than a server lets a write take.
  func deadline(of kind: ClientRequest.Kind, isQuery: Bool, isInTransaction: Bool) -> Duration {
    switch kind {
    case .execute(let statement, _):
      let limit = isQuery ? streamDeadline : requestDeadline
      return isInTransaction || statement.mayBeRead ? limit : min(limit, writeDeadline)
    case .batch: return isInTransaction ? requestDeadline : min(requestDeadline, writeDeadline)
    default: return requestDeadline
    }
  }
}
