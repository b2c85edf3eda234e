/// The bounds of what is taken from a peer's certificate, and of the buffers of a session.
enum TLSLimits {
  /// The longest name, in bytes of UTF-8.
  static let nameBytesMax = 256
  /// Names of a certificate that are looked at; the others are left out.
  static let namesMax = 64
  /// The longest name of a host that a certificate is made for: DNS has no longer ones.
  static let hostBytesMax = 253
  /// The longest record, decrypted.
  static let recordBytesMax = 16 << 10
  /// Messages about the connection itself that a peer may send, for the handshake and beyond: each costs the server
  /// keys and an answer, and the peer 27 bytes. One handshake has fewer than ten of them.
  static let controlMessagesMax = 64
  /// So many bytes of the protocol allow one more: peers change their keys after gigabytes.
  static let bytesPerControlMessage = 1 << 20
  /// An empty output buffer keeps at most this much memory for the next answer.
  static let keptOutputBytesMax = 32 << 10
}
