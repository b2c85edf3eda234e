internal import MartletTLS

/// What a transport needs for TLS: the session with the peer, and the place that its handshake takes among others.
///
/// Always true: the place is given back once, when the handshake has ended or the transport goes.
final class TransportEncryption {
  let session: TLSSession
  private let authenticator: Authenticator
  private var isShakingHands = true

  /// What tells the authority of clients' certificates from another one; nil if they were not asked for.
  let authority: [UInt8]?
  private let share: UInt64

  init(_ context: TLSContext, authenticator: Authenticator, share: UInt64) throws(TLSError) {
    session = try TLSSession(context)
    authority = context.authorityDigest
    self.authenticator = authenticator
    self.share = share
  }

  /// Nothing has come of the peer yet.
  private(set) var isFresh = true

  func began() { isFresh = false }

  /// The handshake has succeeded or failed.
  func handshakeEnded() {
    guard isShakingHands else { return }
    isShakingHands = false
    authenticator.handshakeEnded(share)
  }

  func close() { handshakeEnded() }

  /// The first byte of every handshake of TLS.
  static let firstByte: UInt8 = 0x16
}
