internal import MartletProtocol
internal import MartletValues
internal import NIOCore

/// One connection as a state machine: events in, actions out, no socket and no clock.
///
///     greeting ── hello reply ──> ready ── closing ──> draining
///         └────────── refusal, violation, loss ──────────┴──> closed
///
/// Always true: every request that was submitted ends with exactly one `deliver` whose part `isEnd`; at most
/// `requestsMax` are at the server; frames leave only in `ready` and `draining`, after the hello.
struct ClientSession: Sendable {
  enum Phase: Sendable, Equatable {
    /// Waits for the server's hello. Requests wait. Can move to ready, closed.
    case greeting
    /// Requests are sent as they come. Can move to draining, closed.
    case ready
    /// The server is going away; what is in flight finishes. Can move to closed.
    case draining
    /// Nothing moves any more.
    case closed
  }

  enum TransactionState: Sendable {
    case open(TransactionMode)
    /// The transaction never began, or the server ended it.
    case ended(RequestError)
  }

  /// A longer setup has a message of its own, because a hello that holds it would be too long.
  private static let setupInHelloBytesMax = ProtocolLimits.helloBytesMax / 2

  let configuration: SessionConfiguration
  private(set) var phase = Phase.greeting
  /// The server's error that ended the connection.
  private var serversLastError: RequestError?
  /// Why nothing new is sent: the connection has ended, or the server said that it will.
  private var endCause: ClientError?
  var frames: FrameReader
  var entries: [UInt32: PendingRequest] = [:]
  var transactions: [UInt32: TransactionState] = [:]
  var shapes: ShapeCache
  private var waiting = CircularBuffer<UInt32>()
  private var atServer = 0
  /// What the server has said of itself; before that, what holds for every server.
  private(set) var hello = HelloReply.unsaid
  private var lastReceived = MonotonicTime(nanoseconds: 0)

  init(_ configuration: SessionConfiguration) {
    self.configuration = configuration
    frames = FrameReader(frameBytesMax: configuration.frameBytesMax)
    shapes = ShapeCache(capacity: configuration.shapesMax)
  }

  private var requestsMax: Int { Int(hello.requestsMax) }

  /// The longest message that the server takes.
  private var frameBytesMax: Int { Int(hello.frameBytesMax) }

  /// The most credit that one request may have.
  var creditBytesMax: Int {
    hello.creditBytesMax > 0 ? Int(clamping: hello.creditBytesMax) : ProtocolLimits.creditBytesAssumed
  }

  // MARK: The socket

  mutating func opened(_ actions: inout [ClientAction]) {
    let setup = configuration.setup
    let isLong = setup.reduce(0) { $0 + $1.count } > Self.setupInHelloBytesMax
    let hello = ClientMessage.Hello(
      database: configuration.database, client: configuration.client, create: configuration.createsDatabase,
      setup: isLong ? [] : setup, setupFollows: isLong, credential: configuration.credential)
    say(.hello(hello), ProtocolLimits.helloID, &actions)
    if isLong { say(.setup(setup), ProtocolLimits.helloID, &actions) }
  }

  private func say(_ kind: ClientMessage.Kind, _ id: UInt32, _ actions: inout [ClientAction]) {
    actions.append(.send(ClientMessageEncoder.frame(ClientMessage(requestID: id, kind: kind))))
  }

  mutating func received(_ bytes: ByteBuffer, now: MonotonicTime, _ actions: inout [ClientAction]) {
    defer { invariant() }
    guard phase != .closed else { return }
    lastReceived = now
    frames.append(bytes)
    do {
      while phase != .closed, let frame = try frames.next() {
        try handle(try ServerMessageDecoder.decode(frame), now: now, &actions)
      }
    } catch let error as FrameReader.Violation {
      violated(error.message, &actions)
    } catch {
      violated("The server sent a message that cannot be decoded.", &actions)
    }
  }

  private mutating func violated(_ message: String, _ actions: inout [ClientAction]) {
    ended(phase == .greeting ? .noMartletServer : .protocolViolated(message), &actions)
  }

  /// The connection is gone, or must go, and `error` says why: all requests end.
  mutating func ended(_ error: ClientError, _ actions: inout [ClientAction]) {
    defer { invariant() }
    guard phase != .closed else { return }
    // Whoever is told of a loss may send again at once, and must not be given this connection.
    if phase == .ready { actions.append(.drain) }
    phase = .closed
    endCause = error
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.phase != .abandoned {
      var error = error
      error.isOutcomeUnknown = entry.isOutcomeUnknown(in: mode(of: entry.request.transaction))
      error.isRetryable = !error.isOutcomeUnknown && error.code != .closed
      if error.isOutcomeUnknown { error.message += " A write was under way; it may or may not have happened." }
      actions.append(.deliver(id, .failed(step: 0, .client(error))))
    }
    entries = [:]
    waiting = []
    transactions = [:]
    actions.append(.close(error))
  }

  func mode(of transaction: UInt32) -> TransactionMode? {
    if case .open(let mode) = transactions[transaction] { mode } else { nil }
  }

  // MARK: Time

  /// When `timeReached` should be called next; nil if nothing waits for time.
  var nextDeadline: MonotonicTime? {
    entries.values.filter { $0.phase != .abandoned && $0.request.deadline < .distantFuture }.map(lastMoment).min()
  }

  private func lastMoment(_ entry: PendingRequest) -> MonotonicTime {
    entry.phase == .waiting
      ? entry.request.deadline : entry.request.deadline.advanced(milliseconds: configuration.replyGraceMs)
  }

  mutating func timeReached(_ now: MonotonicTime, _ actions: inout [ClientAction]) {
    defer { invariant() }
    guard phase != .closed else { return }
    var isSilent = false
    let late = entries.filter { $0.value.phase != .abandoned && lastMoment($0.value) <= now }
    for (id, entry) in late.sorted(by: { $0.key < $1.key }) {
      let unknown = entry.isOutcomeUnknown(in: mode(of: entry.request.transaction))
      actions.append(.deliver(id, .failed(step: 0, .request(.noAnswer(isOutcomeUnknown: unknown)))))
      guard entry.phase == .sent else {
        forget(waiting: id)
        continue
      }
      entries[id]?.phase = .abandoned
      say(.cancel, id, &actions)
      // Not one byte since it was sent: the server or the network is gone without a word.
      if lastReceived < entry.sentAt { isSilent = true }
    }
    if isSilent { ended(.serverSilent, &actions) }
  }

  // MARK: Requests

  /// A request came from the program; `id` must not be in use (then it fails, and may be sent again).
  mutating func submitted(
    _ request: ClientRequest, id: UInt32, now: MonotonicTime, _ actions: inout [ClientAction]
  ) {
    defer { invariant() }
    if let refusal = refusal(of: request, id: id) {
      return actions.append(.deliver(id, .failed(step: 0, refusal)))
    }
    if case .plain(.finish(let transaction, let commit, _)) = request.kind,
      case .ended(let error) = transactions[transaction]
    {
      transactions[transaction] = nil
      let end: ReplyPart =
        commit ? .failed(step: 0, .request(error)) : .completed(step: 0, Completion(transaction: .ended), nil)
      return actions.append(.deliver(id, end))
    }
    if case .plain(.begin(let mode, _)) = request.kind { transactions[id] = .open(mode) }
    entries[id] = PendingRequest(request)
    waiting.append(id)
    sendWaiting(now: now, &actions)
  }

  private func refusal(of request: ClientRequest, id: UInt32) -> ReplyError? {
    if phase == .closed || (phase == .draining && request.transaction == 0) {
      return refusalAfterEnd(of: request)
    }
    if id <= ProtocolLimits.helloID || entries[id] != nil || transactions[id] != nil {
      return .client(.noRequestNumber)
    }
    // The end of a transaction is never too much: it would stay open at the server.
    if case .plain(.finish) = request.kind { return nil }
    if waiting.count >= configuration.waitingMax {
      return .client(.tooManyWaitForConnection)
    }
    if case .ended(let error) = transactions[request.transaction] { return .request(error) }
    return nil
  }

  /// A statement of a transaction learns why that went with the connection; any other request may be sent on another.
  private func refusalAfterEnd(of request: ClientRequest) -> ReplyError {
    if request.transaction != 0, let serversLastError { return .request(serversLastError) }
    return .client(endCause.map { .connectionEnded(because: $0) } ?? .connectionEnded)
  }

  /// The program no longer wants the answer.
  mutating func cancelled(_ id: UInt32, _ actions: inout [ClientAction]) {
    defer { invariant() }
    guard let entry = entries[id], !entry.isCancelled else { return }
    switch entry.phase {
    case .waiting:
      forget(waiting: id)
      actions.append(.deliver(id, .failed(step: 0, .cancelled)))
    case .sent:
      entries[id]?.isCancelled = true
      say(.cancel, id, &actions)
    case .abandoned: break
    }
  }

  /// The consumer took rows of `bytes` bytes. The server is told when they add up to a quarter of the window.
  mutating func consumed(_ id: UInt32, bytes: Int, _ actions: inout [ClientAction]) {
    defer { invariant() }
    guard phase != .closed, var entry = entries[id], entry.phase == .sent, !entry.isCancelled else { return }
    defer { entries[id] = entry }
    // Never more than the server counts: it would drop the rest, and in the end the stream would wait for credit.
    let room = max(0, creditBytesMax - max(0, entry.credit) - entry.unsentCredit)
    entry.unsentCredit += min(max(0, bytes), room)
    guard entry.unsentCredit >= min(configuration.windowBytes, creditBytesMax) / 4, entry.unsentCredit > 0 else {
      return
    }
    let granted = min(entry.unsentCredit, Int(UInt32.max))
    entry.unsentCredit -= granted
    entry.credit += granted
    say(.credit(bytes: UInt32(clamping: granted)), id, &actions)
  }

  private mutating func forget(waiting id: UInt32) {
    entries[id] = nil
    waiting.removeAll { $0 == id }
    if case .open = transactions[id] { transactions[id] = .ended(.neverBegan) }
  }

  // MARK: Sending

  mutating func sendWaiting(now: MonotonicTime, _ actions: inout [ClientAction]) {
    guard phase == .ready || phase == .draining else { return }
    while atServer < requestsMax, let id = waiting.popFirst() {
      guard entries[id] != nil else { continue }
      atServer += 1
      send(id, byShape: true, now: now, &actions)
    }
  }

  /// Sends a request, by the ids of its shapes if the server has them and `byShape` allows it.
  mutating func send(_ id: UInt32, byShape: Bool, now: MonotonicTime, _ actions: inout [ClientAction]) {
    guard var entry = entries[id] else { return }
    let frame = encode(&entry, id: id, byShape: byShape, now: now)
    guard frame.readableBytes - Frame.headerBytes <= frameBytesMax else {
      return finish(id, .failed(step: 0, .request(.tooLarge(frameBytesMax))), now: now, &actions)
    }
    entry.phase = .sent
    entry.sentAt = now
    entries[id] = entry
    actions.append(.send(frame))
  }

  /// Ends a request that is at the server (or was about to be), and lets the next one go.
  mutating func finish(_ id: UInt32, _ part: ReplyPart, now: MonotonicTime, _ actions: inout [ClientAction]) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    atServer -= 1
    if entry.phase != .abandoned { actions.append(.deliver(id, part)) }
    switch entry.request.kind {
    case .plain(.begin):
      if case .failed(_, .request(let error)) = part { transactions[id] = .ended(error) }
    case .plain(.finish(let transaction, _, _)): transactions[transaction] = nil
    default: break
    }
    sendWaiting(now: now, &actions)
  }

  // MARK: Invariants

  /// After each event of a debug build.
  private func invariant() { assert(contradiction == nil, contradiction ?? "") }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    if phase == .closed { return entries.isEmpty && waiting.isEmpty ? nil : "something is left after the end" }
    if atServer < 0 || atServer > requestsMax { return "\(atServer) of \(requestsMax) requests are at the server" }
    if phase == .greeting, atServer > 0 { return "a request was sent before the hello's answer" }
    return entries.count == atServer + waiting.count ? nil : "requests are miscounted"
  }

  // MARK: The server's hello and good-bye

  mutating func greeted(_ hello: HelloReply, now: MonotonicTime, _ actions: inout [ClientAction]) {
    guard phase == .greeting, hello.protocolVersion == ProtocolLimits.version, hello.requestsMax > 0,
      hello.frameBytesMax > 0
    else {
      return ended(.otherProtocolVersion, &actions)
    }
    phase = .ready
    self.hello = hello
    actions.append(.ready(requestsMax: requestsMax))
    sendWaiting(now: now, &actions)
  }

  mutating func refused(_ error: RequestError, _ actions: inout [ClientAction]) {
    actions.append(.refused(error))
    ended(.refusedByServer(error.message), &actions)
  }

  mutating func endedByServer(_ error: RequestError, _ actions: inout [ClientAction]) {
    serversLastError = error
    ended(.endedByServer(error.message), &actions)
  }

  /// - Parameter sentence: why the server takes nothing new.
  mutating func drainStarted(_ sentence: String, _ actions: inout [ClientAction]) {
    defer { invariant() }
    guard phase == .ready || phase == .greeting else { return }
    phase = .draining
    endCause = .endedByServer(sentence)
    actions.append(.drain)
  }
}
