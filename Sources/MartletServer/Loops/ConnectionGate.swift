internal import Logging
internal import MartletLoop
internal import MartletProtocol
internal import MartletTLS
internal import MartletValues
internal import MartletWire

/// Which connections may come onto a loop, and what the others are told.
///
/// Always true: used on the loop only; each connection that is refused is counted and its descriptor closed.
struct ConnectionGate {
  let loop: EventLoop
  let context: ServerContext
  let counters: ServerCounters
  let arena: Arena

  /// Nil if too many handshakes run, or that address begins too many; also if a reload has taken the certificate away.
  /// `giveWay` is called, on some thread, if the handshake has to make room for others before it ends.
  func makeEncryption(
    for subject: Subject, giveWay: @escaping @Sendable () -> Void
  ) -> TransportEncryption? {
    let authenticator = context.authenticator
    guard let tls = authenticator.tls,
      let place = authenticator.placeForHandshake(of: subject, now: ServerClock.now, giveWay: giveWay)
    else { return nil }
    if let encryption = try? TransportEncryption(tls, authenticator: authenticator, place: place) {
      return encryption
    }
    authenticator.handshakeEnded(place)
    return nil
  }

  /// Tells a connection that there is no room for why, and closes it.
  func refuse(descriptor: Int32, kind: SocketKind, _ cause: RefusedConnections.Cause) {
    let peer = Peer(descriptor: descriptor, isPipe: kind == .unix)
    noteRefused(cause, peer)
    if cause == .descriptors { context.notices.note(.noDescriptor, ["peer": "\(peer)"]) }
    // A sentence would cost a handshake, and there is no room for it.
    if kind == .tls { return Listener.refuse(descriptor: descriptor) }
    guard let stream = try? SocketStream.adopting(descriptor: descriptor, isPipe: kind == .unix, on: loop) else {
      return
    }
    let output = ServerMessageEncoder(arena)
    output.encode(.error(cause == .descriptors ? .noDescriptorsLeft : .connectionsFull), to: 0)
    stream.write(output.bytes)
    stream.close()
  }

  func noteRefused(_ cause: RefusedConnections.Cause, _ peer: Peer) {
    counters.connectionsRefused.add()
    if context.audit.isOn { context.refusedConnections.note(cause, from: peer.description) }
  }
}
