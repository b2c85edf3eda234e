internal import COpenSSL

/// One encrypted connection: bytes of the network in, bytes of the protocol out, and back. No sockets.
///
/// Always true: used on one thread at a time; after it has failed or ended it takes nothing more, and all that is left
/// to send are its last words to the peer.
package final class TLSSession {
  /// The state of the connection.
  package enum Phase: Equatable, Sendable {
    case shakingHands
    case open
    /// The peer has said that it sends nothing more.
    case ended
    case failed(reason: String)
  }

  package private(set) var phase = Phase.shakingHands
  /// What is to be sent to the peer; whoever sends it empties it.
  package private(set) var output: [UInt8] = []

  private let raw: OpaquePointer
  private let context: TLSContext
  /// What came and has not been decrypted. Valid because only `receive` sets it, to what its caller lends it for the
  /// call, and empties it before it returns; OpenSSL reads it from within that call.
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  /// How many messages about the connection itself have come, and how many bytes of the protocol.
  private var controlMessages = 0
  private var receivedBytes = 0

  /// A server's end of a connection.
  package convenience init(_ context: TLSContext) throws(TLSError) {
    try self.init(context, host: nil)
  }

  /// A client's end, which begins the handshake. The server must have a certificate for `host`, a name or an address.
  package convenience init(_ context: TLSContext, connectingTo host: String) throws(TLSError) {
    try self.init(context, host: host)
    ERR_clear_error()
    SSL_do_handshake(raw)
  }

  private init(_ context: TLSContext, host: String?) throws(TLSError) {
    guard let raw = SSL_new(context.raw) else {
      throw TLSError("OpenSSL cannot make a connection: \(TLSError.lastReason()).")
    }
    guard let bio = BIO_new(TLSPipe.method) else {
      SSL_free(raw)
      throw TLSError("OpenSSL cannot make a pipe: \(TLSError.lastReason()).")
    }
    self.raw = raw
    self.context = context
    // Unretained because the session frees the connection, and with it the pipe, before it goes.
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    SSL_set_bio(raw, bio, bio)
    SSL_set_msg_callback(raw) { isSent, _, kind, _, _, raw, _ in
      guard isSent == 0, kind == SSL3_RT_HANDSHAKE else { return }
      TLSPipe.session(of: SSL_get_rbio(raw))?.controlMessageCame()
    }
    if let host {
      SSL_set_connect_state(raw)
      try verify(host)
    } else {
      SSL_set_accept_state(raw)
    }
  }

  /// The peer's certificate must be for that name or address.
  private func verify(_ host: String) throws(TLSError) {
    guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), host) != 1 else { return }
    let name = Array(host.utf8CString)
    name.withUnsafeBytes { bytes in
      // The cast drops const because the call has none; the name is only read.
      _ = SSL_ctrl(
        raw, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
        UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
    guard SSL_set1_host(raw, host) == 1 else { throw TLSError("'\(host)' cannot be verified.") }
  }

  deinit { SSL_free(raw) }

  /// Takes bytes of the network, all of them, and hands what they say to `body`, in pieces that are valid for the call
  /// only.
  package func receive(
    _ bytes: UnsafeRawBufferPointer, scratch: TLSScratch, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard phase == .shakingHands || phase == .open else { return }
    input = bytes
    defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
    while true {
      ERR_clear_error()
      var count = 0
      let result = SSL_read_ex(raw, scratch.bytes.baseAddress, scratch.bytes.count, &count)
      if phase == .shakingHands, SSL_is_init_finished(raw) == 1 { phase = .open }
      if hasTooManyControlMessages {
        return phase = .failed(reason: "The peer changed its keys again and again")
      }
      if result == 1 {
        receivedBytes &+= count
        body(UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]))
      } else {
        return note(SSL_get_error(raw, result))
      }
    }
  }

  private var hasTooManyControlMessages: Bool {
    controlMessages > TLSLimits.controlMessagesMax + receivedBytes / TLSLimits.bytesPerControlMessage
  }

  /// OpenSSL is about to do what a message about the connection asks for.
  fileprivate func controlMessageCame() {
    controlMessages += 1
    // OpenSSL would go on through all that was received before it returns.
    if hasTooManyControlMessages { input = UnsafeRawBufferPointer(start: nil, count: 0) }
  }

  private func note(_ error: Int32) {
    switch error {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
    case SSL_ERROR_ZERO_RETURN: phase = .ended
    default: phase = .failed(reason: TLSError.lastReason())
    }
  }

  /// Encrypts bytes into `output`. Nothing if it is not open.
  package func send(_ bytes: UnsafeRawBufferPointer) {
    guard phase == .open || phase == .ended, bytes.count > 0 else { return }
    ERR_clear_error()
    var count = 0
    if SSL_write_ex(raw, bytes.baseAddress, bytes.count, &count) != 1 {
      phase = .failed(reason: TLSError.lastReason())
    }
  }

  /// Says to the peer that nothing more comes.
  package func finishSending() {
    guard phase == .open || phase == .ended else { return }
    ERR_clear_error()
    SSL_shutdown(raw)
  }

  /// Hands what is to be sent to `body` and forgets it.
  package func takeOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
    if output.isEmpty { return }
    output.withUnsafeBytes(body)
    output.removeAll(keepingCapacity: output.capacity <= TLSLimits.keptOutputBytesMax)
  }

  /// The names in the certificate that the peer has shown and proven: its common name and its DNS names. Empty if it
  /// has shown none.
  package var peerNames: [String] {
    guard phase == .open || phase == .ended, let certificate = SSL_get1_peer_certificate(raw) else { return [] }
    defer { X509_free(certificate) }
    guard SSL_get_verify_result(raw) == Int(X509_V_OK) else { return [] }
    return CertificateNames.names(of: certificate)
  }

  /// When the certificate that the peer has shown ends, in seconds from now; nil if it has shown none.
  package var peerCertificateSecondsLeft: Int? {
    guard phase == .open || phase == .ended, let certificate = SSL_get1_peer_certificate(raw) else { return nil }
    defer { X509_free(certificate) }
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard let end = X509_get0_notAfter(certificate), ASN1_TIME_diff(&days, &seconds, nil, end) == 1 else { return 0 }
    return Int(days) * 86_400 + Int(seconds)
  }

  // MARK: - The pipe

  /// OpenSSL wants bytes of the network.
  fileprivate func pull(into target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let taken = min(count, input.count)
    if taken > 0, let base = input.baseAddress {
      target.copyMemory(from: base, byteCount: taken)
      input = UnsafeRawBufferPointer(rebasing: input[taken...])
    }
    return taken
  }

  /// OpenSSL has bytes for the network.
  fileprivate func push(_ bytes: UnsafeRawBufferPointer) { output.append(contentsOf: bytes) }
}

/// How OpenSSL gets and gives bytes of the network: from and to the session's own buffers.
private enum TLSPipe {
  /// Made once for the process.
  // `nonisolated(unsafe)` because it is written once, under the lock of a static's first use; OpenSSL only reads it.
  nonisolated(unsafe) static let method: OpaquePointer? = {
    guard let method = BIO_meth_new(Int32(BIO_TYPE_SOURCE_SINK), "martlet") else { return nil }
    BIO_meth_set_read(method) { bio, target, count in
      BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
      guard let session = session(of: bio), let target, count > 0 else { return -1 }
      let taken = session.pull(into: target, Int(count))
      if taken > 0 { return Int32(taken) }
      BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      return -1
    }
    BIO_meth_set_write(method) { bio, bytes, count in
      BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
      guard let session = session(of: bio), let bytes, count > 0 else { return -1 }
      session.push(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      return count
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return method
  }()

  static func session(of bio: OpaquePointer?) -> TLSSession? {
    guard let data = BIO_get_data(bio) else { return nil }
    // Unretained because the session owns the connection that owns the pipe.
    return Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
  }
}
