import MartletClient
import MartletLoop
import MartletProtocol
import MartletTLS
import MartletWire

/// One connection of a load run: keeps its requests in flight and reads the answers.
///
/// Always true: at most `pipeline` requests are in flight, each in a slot that its id names; a slot is used again only
/// after its answer. Touched on its loop's thread only. No request or answer allocates once the buffers have grown.
final class LoadConnection: StreamHandler {
  private struct Slot {
    var sentNanoseconds: UInt64 = 0
    var kind = WorkloadKind.ping
    /// What an insert's value was, or an upsert's or a read's key.
    var value: Int64 = 0
    var bytesReceived = 0
    var isInFlight = false
  }

  enum State: Equatable {
    case greeting, running, draining, closed
  }

  // `unowned` because the load owns its connections and outlives their loop.
  private unowned let load: LoadLoop
  private let number: Int
  private let stream: SocketStream
  /// Nil if nothing is encrypted.
  private let tls: TLSSession?
  private var slots: [Slot]
  private var random: BenchRandom
  private var requestNumber: UInt64 = 0
  private var insertNumber: UInt64 = 0
  private var frames = FrameDecoder(frameBytesMax: LoadPlan.frameBytesMax)
  private var outgoing: [UInt8] = []
  private(set) var state = State.greeting
  private(set) var inFlight = 0

  private var helloID: UInt32 { UInt32(slots.count + 1) }

  init(number: Int, stream: SocketStream, load: LoadLoop) throws(TLSError) {
    self.number = number
    tls =
      if let encryption = load.plan.encryption {
        try TLSSession(encryption.context, connectingTo: encryption.host)
      } else { nil }
    self.stream = stream
    self.load = load
    slots = Array(repeating: Slot(), count: load.plan.pipeline)
    random = BenchRandom(seed: load.plan.run &+ UInt64(number) &* 0x9E37_79B9)
    stream.handler = self
    stream.startReading()
    var hello = RequestTemplate(
      .hello(
        ClientMessage.Hello(
          database: load.plan.database, client: "martlet-bench", credential: load.plan.credential)))
    hello.patch(requestID: helloID)
    outgoing.append(contentsOf: hello.frame)
    flush()
  }

  // MARK: - Requests

  func start() {
    guard state == .greeting else { return }
    state = .running
    let now = EventLoop.nanoseconds
    for slot in slots.indices { send(slot, now: now) }
    flush()
  }

  /// Sends nothing more; what is in flight is still waited for.
  func drain() {
    if state == .running { state = .draining }
  }

  private func send(_ slot: Int, now: UInt64) {
    let kind = load.plan.workload.kind(number: requestNumber)
    requestNumber &+= 1
    slots[slot] = Slot(sentNanoseconds: now, kind: kind, value: value(for: kind), isInFlight: true)
    inFlight += 1
    load.append(kind, requestID: UInt32(slot + 1), value: slots[slot].value, isFull: false, to: &outgoing)
  }

  private func value(for kind: WorkloadKind) -> Int64 {
    switch kind {
    case .ping, .scan, .bulkInsert: return 0
    case .pointRead: return random.key(upTo: UInt64(load.plan.itemCount))
    case .upsert: return random.key(upTo: BenchData.upsertKeys)
    case .insert:
      insertNumber &+= 1
      return BenchData.insertValue(run: load.plan.run, connection: number, number: insertNumber)
    }
  }

  private func flush() {
    if let tls { return flush(tls) }
    guard !outgoing.isEmpty else { return }
    outgoing.withUnsafeBytes { stream.write($0) }
    outgoing.removeAll(keepingCapacity: true)
  }

  /// What the handshake says goes first; requests wait for its end.
  private func flush(_ tls: TLSSession) {
    if tls.phase == .open, !outgoing.isEmpty {
      outgoing.withUnsafeBytes { tls.send($0) }
      outgoing.removeAll(keepingCapacity: true)
    }
    tls.takeOutput { stream.write($0) }
  }

  // MARK: - Answers

  func streamRead(_ bytes: UnsafeRawBufferPointer, from stream: SocketStream) {
    if let tls {
      tls.receive(bytes, scratch: load.scratch) { take($0) }
      if case .failed(let reason) = tls.phase { return lose("TLS failed: \(reason).") }
    } else {
      take(bytes)
    }
    flush()
    if state == .draining && inFlight == 0 { close() }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    frames.feed(bytes)
    takeMessages()
    frames.keepRest()
  }

  private func takeMessages() {
    let now = EventLoop.nanoseconds
    do throws(FrameError) {
      while state != .closed, let message = try frames.next() {
        guard let reply = ReplyGlance(message) else { return lose("The server sent a message that cannot be read.") }
        handle(reply, message: message, now: now)
      }
    } catch {
      lose("The server sent bytes that are no frames.")
    }
  }

  private func handle(_ reply: ReplyGlance, message: UnsafeRawBufferPointer, now: UInt64) {
    let isFailed = reply.errorCode != 0
    if reply.requestID == helloID { return greeted(reply, message) }
    let slot = Int(reply.requestID) - 1
    guard slots.indices.contains(slot), slots[slot].isInFlight else {
      if isFailed { lose(Self.complaint(message)) }
      return
    }
    if reply.rowCount > 0 {
      load.result.rows += Int(reply.rowCount)
      extendCredit(slot, bytes: reply.rowBytes)
    }
    if reply.isUnprepared {
      load.append(
        slots[slot].kind, requestID: reply.requestID, value: slots[slot].value, isFull: true, to: &outgoing)
    } else if isFailed {
      load.failed(Self.complaint(message))
      finished(slot, now: now)
    } else if reply.endsRequest {
      acknowledged(slot, now: now)
    }
  }

  private func greeted(_ reply: ReplyGlance, _ message: UnsafeRawBufferPointer) {
    if reply.errorCode != 0 { return lose(Self.complaint(message)) }
    if reply.hasHello { load.connectionReady() }
  }

  /// The words of an error, for the one that is shown at the end.
  private static func complaint(_ message: UnsafeRawBufferPointer) -> String {
    let parts = (try? ServerMessageDecoder.decode(message))?.parts ?? []
    for case .error(let error) in parts { return CommandFailure.sentence(error, hasTimeout: false) }
    return "The server reported an error."
  }

  private func extendCredit(_ slot: Int, bytes: Int) {
    guard slots[slot].kind == .scan else { return }
    slots[slot].bytesReceived += bytes
    while slots[slot].bytesReceived >= CommandLimits.scanCreditStepBytes {
      slots[slot].bytesReceived -= CommandLimits.scanCreditStepBytes
      load.appendCredit(requestID: UInt32(slot + 1), to: &outgoing)
    }
  }

  private func acknowledged(_ slot: Int, now: UInt64) {
    load.acknowledged(
      slots[slot].kind, value: slots[slot].value, nanoseconds: now &- slots[slot].sentNanoseconds, now: now)
    finished(slot, now: now)
  }

  private func finished(_ slot: Int, now: UInt64) {
    slots[slot].isInFlight = false
    inFlight -= 1
    if state == .running { send(slot, now: now) }
  }

  // MARK: - The end

  func close() {
    guard state != .closed else { return }
    state = .closed
    stream.close()
    load.connectionClosed()
  }

  /// The connection is of no use any more: what was in flight will never be acknowledged.
  func lose(_ reason: String) {
    guard state != .closed else { return }
    load.connectionLost(unanswered: inFlight, reason)
    inFlight = 0
    close()
  }

  func streamEnded(_ error: LoopError?, _ stream: SocketStream) {
    lose(error.map { "The connection broke: \($0)." } ?? "The server closed the connection.")
  }

  func streamWrote(_ stream: SocketStream) {}
  func streamClosed(_ stream: SocketStream) {}
}
