internal import Foundation
internal import Logging
internal import MartletLoop
internal import MartletProtocol
internal import MartletTLS
internal import MartletValues
internal import MartletWire

/// TLS between the socket and the frames: bytes in, bytes out.
///
/// Always true: what a read brought is decrypted as a whole, so that nothing waits inside of TLS; what leaves is
/// encrypted in the order in which it was sent.
extension NativeTransport {
  func receive(
    _ bytes: UnsafeRawBufferPointer, _ encryption: TransportEncryption, for host: SessionHost, now: MonotonicTime
  ) {
    guard encryption.mayBeTLS(bytes) else { return refusePlainText(for: host, now: now) }
    let tls = encryption.session
    var endsHandshake: MonotonicTime?
    tls.receive(bytes, scratch: shard.scratch) { plain in
      if encryption.isShakingHands, endsHandshake == nil { endsHandshake = ServerClock.now }
      guard self.host === host, !host.ignoresInput else { return }
      frames.feed(plain)
      takeFrames(for: host, now: now)
    }
    if encryption.isShakingHands { noteHandshake(of: encryption, now, endsHandshake) }
    sendEncrypted(tls)
    guard self.host === host else { return }
    host.flush(now: now)
    switch tls.phase {
    case .shakingHands, .open: break
    case .ended: host.peerClosed(failed: false, now: now)
    case .failed(let reason):
      shard.counters.handshakesFailed.add()
      shard.context.notices.note(
        .handshakeFailed, now: now, host.metadata.merging(["reason": "\(reason)"]) { $1 })
      host.auditRefused("HANDSHAKE")
      host.transportFailed(now: now)
    }
  }

  /// `end`: what came behind the handshake was taken from here on.
  private func noteHandshake(of encryption: TransportEncryption, _ began: MonotonicTime, _ end: MonotonicTime?) {
    let ended = end ?? ServerClock.now
    encryption.handshakeNs &+= ended.nanoseconds &- min(began.nanoseconds, ended.nanoseconds)
    guard encryption.session.phase != .shakingHands else { return }
    if case .open = encryption.session.phase { shard.handshakes.ended(nanoseconds: encryption.handshakeNs) }
    encryption.handshakeEnded()
  }

  /// A client that speaks plain Martlet is told so in words that it understands.
  private func refusePlainText(for host: SessionHost, now: MonotonicTime) {
    shard.counters.handshakesFailed.add()
    shard.context.notices.note(.plainText, now: now, host.metadata)
    host.auditRefused("HANDSHAKE")
    let output = ServerMessageEncoder(shard.arena)
    output.encode(.error(.plainAtTLS), to: 0)
    stream.write(output.bytes)
    encryption?.handshakeEnded()
    host.transportFailed(now: now)
  }

  /// Others wait for the place of the handshake, if it has not ended meanwhile. No word of it could be said yet.
  func giveWay(now: MonotonicTime) {
    guard let host, let encryption, encryption.isShakingHands else { return }
    shard.counters.handshakesFailed.add()
    shard.context.notices.note(
      .handshakeFailed, now: now,
      host.metadata.merging(["reason": "It took long, and gave its place to another"]) { $1 })
    host.auditRefused("HANDSHAKE")
    host.peerClosed(failed: true, now: now)
  }

  func send(_ frames: UnsafeRawBufferPointer, _ encryption: TransportEncryption) -> Int {
    encryption.session.send(frames)
    return sendEncrypted(encryption.session)
  }

  func finish(_ encryption: TransportEncryption) {
    encryption.session.finishSending()
    sendEncrypted(encryption.session)
  }

  @discardableResult
  private func sendEncrypted(_ tls: TLSSession) -> Int {
    var count = 0
    tls.takeOutput { bytes in
      stream.write(bytes)
      count = bytes.count
    }
    shard.counters.bytesSent.add(count)
    return count
  }

  func certificate(of host: SessionHost) -> ShownCertificate? {
    guard let encryption, let authority = encryption.authority,
      let seconds = encryption.session.peerCertificateSecondsLeft
    else { return nil }
    return ShownCertificate(
      names: encryption.session.peerNames, ends: Date(timeIntervalSinceNow: TimeInterval(seconds)),
      authority: authority)
  }
}

extension LoopShard {
  /// The handshake of that session has had its place for long, and others wait for one. From any thread.
  func giveWay(_ session: UInt64) {
    loop.post { [weak self] in
      (self?.host(session)?.transport as? NativeTransport)?.giveWay(now: ServerClock.now)
    }
  }
}
