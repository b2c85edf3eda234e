internal import MartletTLS

/// What a transport needs for TLS: the session with the peer, and the place that its handshake takes among others.
///
/// Always true: the place is given back once, when the handshake has ended or the transport goes.
final class TransportEncryption {
  let session: TLSSession
  private let authenticator: Authenticator
  private(set) var isShakingHands = true
  /// How much of the loop's time the handshake has taken so far.
  var handshakeNs: UInt64 = 0

  /// What tells the authority of clients' certificates from another one; nil if they were not asked for.
  let authority: [UInt8]?
  private let place: HandshakeLimits.Place

  init(
    _ context: TLSContext, authenticator: Authenticator, place: HandshakeLimits.Place
  ) throws(TLSError) {
    session = try TLSSession(context)
    authority = context.authorityDigest
    self.authenticator = authenticator
    self.place = place
  }

  /// Whether bytes of the peer can be those of TLS, by the first that ever came.
  func mayBeTLS(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isFresh, let first = bytes.first else { return true }
    isFresh = false
    return first == Self.firstByte
  }

  /// The first byte of every handshake of TLS.
  private static let firstByte: UInt8 = 0x16
  private var isFresh = true

  /// The handshake has succeeded or failed, or the transport goes.
  func handshakeEnded() {
    guard isShakingHands else { return }
    isShakingHands = false
    authenticator.handshakeEnded(place)
  }
}
