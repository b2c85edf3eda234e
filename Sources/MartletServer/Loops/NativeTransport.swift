internal import MartletLoop
internal import MartletProtocol
internal import MartletValues
internal import MartletWire

/// A socket that carries one session: TCP or Unix, frames one behind the other, with TLS around them or not.
///
/// Always true: it decides nothing about messages; it cuts frames, gives them to the host for as long as the session
/// takes any, and lets the loop's other sockets have their turn.
final class NativeTransport: StreamHandler, Transport {
  let stream: SocketStream
  // Unchecked because it is used on the loop's thread only, and is a value that calls nobody while it changes.
  @exclusivity(unchecked) var frames: FrameDecoder
  let shard: LoopShard
  /// Nil if nothing is encrypted.
  let encryption: TransportEncryption?
  /// Nil before the host is attached and after its end.
  private(set) var host: SessionHost?

  private var isTakingFrames = false
  private var hasYielded = false
  /// Bytes that were read in a row while the socket had more.
  private var runBytes = 0

  init(_ stream: SocketStream, encryption: TransportEncryption? = nil, shard: LoopShard) {
    self.stream = stream
    self.encryption = encryption
    self.shard = shard
    frames = FrameDecoder(frameBytesMax: shard.context.limits.frameBeforeHelloBytesMax)
  }

  /// Reads for that session from now on.
  func attach(_ host: SessionHost) {
    self.host = host
    stream.handler = self
    stream.startReading()
  }

  // MARK: - Events of the stream

  func streamRead(_ bytes: UnsafeRawBufferPointer, from stream: SocketStream) {
    shard.counters.bytesReceived.add(bytes.count)
    guard let host, !host.ignoresInput else { return }
    let now = ServerClock.now
    if let encryption {
      receive(bytes, encryption, for: host, now: now)
    } else {
      frames.feed(bytes)
      takeFrames(for: host, now: now)
      host.flush(now: now)
    }
    if self.host != nil { noteRun(bytes.count) }
  }

  /// A frame of megabytes would be read at one go, however many others there are.
  private func noteRun(_ count: Int) {
    runBytes = count < shard.loop.readCapacity ? 0 : runBytes + count
    guard runBytes >= ServerLimits.readBytesPerTurnMax, !hasYielded, stream.isReading else { return }
    runBytes = 0
    hasYielded = true
    stream.pauseReading()
    shard.turns.readOnSoon(self)
  }

  func streamEnded(_ error: LoopError?, _ stream: SocketStream) {
    host?.peerClosed(failed: error != nil, now: ServerClock.now)
  }

  func streamWrote(_ stream: SocketStream) { host?.outputMoved(now: ServerClock.now) }

  func streamClosed(_ stream: SocketStream) {
    // The loop closes streams by itself when it stops.
    encryption?.handshakeEnded()
    host?.transportClosed()
    host = nil
  }

  // MARK: - Frames

  /// Takes frames for as long as the session wants any, and keeps what is left.
  func takeFrames(for host: SessionHost, now: MonotonicTime) {
    guard !isTakingFrames else { return }
    // More of what was decrypted with what it yielded at.
    if hasYielded { return frames.keepRest() }
    isTakingFrames = true
    defer { isTakingFrames = false }
    var taken = 0
    let end = shard.turns.ends(from: now)
    do throws(FrameError) {
      while host.takesFrames() {
        if host.isRefusingForMemory, let id = try frames.passOver(framesLongerThan: SessionHost.longFrameBytes) {
          host.framePassedOver(id, now: now)
        }
        guard let frame = try frames.next() else { break }
        taken += 1
        host.frameReceived(frame, now: now)
        if taken >= ServerLimits.framesPerTurnMax || (!frames.isEmpty && ServerClock.now >= end) {
          yieldTurn()
          break
        }
      }
    } catch {
      host.framingFailed(error, now: now)
    }
    if host.ignoresInput { frames = FrameDecoder(frameBytesMax: 0) }
    frames.keepRest()
    host.inputRested(partialBytes: frames.keptBytes, framesTaken: taken, now: now)
  }

  /// Lets the loop's other sockets have their turn before this one goes on.
  private func yieldTurn() {
    hasYielded = true
    stream.pauseReading()
    shard.turns.continueSoon(self)
  }

  func continueAfterYield() {
    guard hasYielded else { return }
    hasYielded = false
    guard let host else { return }
    let now = ServerClock.now
    if host.session.takesFrames { stream.startReading() }
    takeWaitingFrames(of: host, now: now)
    host.flush(now: now)
  }

  // MARK: - What the host asks

  func send(_ frames: UnsafeRawBufferPointer, of host: SessionHost) -> Int {
    if let encryption { return send(frames, encryption) }
    stream.write(frames)
    shard.counters.bytesSent.add(frames.count)
    return frames.count
  }

  func queuedBytes(of host: SessionHost) -> Int { stream.queuedBytes }

  func waitingBytes(of host: SessionHost) -> Int { frames.keptBytes }

  func setFrameLimit(_ bytes: Int, of host: SessionHost) { frames.frameBytesMax = bytes }

  func pauseReading(of host: SessionHost) { stream.pauseReading() }

  func resumeReading(of host: SessionHost) { if !hasYielded { stream.startReading() } }

  func hasInputUnderWay(of host: SessionHost) -> Bool { hasYielded || stream.hasUnreadBytes }

  func hasPeerLeft(of host: SessionHost) -> Bool { stream.hasPeerLeft }

  func takeWaitingFrames(of host: SessionHost, now: MonotonicTime) {
    guard frames.keptBytes > 0, !isTakingFrames, !hasYielded, host.takesFrames() else { return }
    frames.feed(UnsafeRawBufferPointer(start: nil, count: 0))
    takeFrames(for: host, now: now)
  }

  func finishWriting(of host: SessionHost) {
    if let encryption { finish(encryption) }
    stream.startReading()
    stream.finishWriting()
  }

  func close(_ host: SessionHost) {
    self.host = nil
    if let encryption { finish(encryption) }
    encryption?.handshakeEnded()
    stream.close()
  }
}
