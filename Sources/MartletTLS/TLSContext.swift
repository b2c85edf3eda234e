internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// OpenSSL's context of a server or of a client: its certificate, its authorities and its rules, for all connections.
///
/// Always true: it does not change after it was made; a reload makes another, and connections keep the one that they
/// began with.
// @unchecked because OpenSSL locks its own contexts, and nothing here is changed after `init`.
package final class TLSContext: @unchecked Sendable {
  /// What a server says at its TLS addresses, as its configuration names it. Files are PEM.
  package struct Files: Sendable, Equatable {
    /// The certificate, followed by those between it and its authority.
    package var certificate: String
    package var key: String
    /// The authorities of clients' certificates; nil: none are asked for.
    package var clientAuthority: String?
    package var requiresClientCertificate: Bool
    package var allowsTLS12: Bool

    package init(
      certificate: String, key: String, clientAuthority: String? = nil, requiresClientCertificate: Bool = false,
      allowsTLS12: Bool = false
    ) {
      self.certificate = certificate
      self.key = key
      self.clientAuthority = clientAuthority
      self.requiresClientCertificate = requiresClientCertificate
      self.allowsTLS12 = allowsTLS12
    }
  }

  /// The application protocol that clients name in their first message.
  package static let applicationProtocol = "martlet/1"

  let raw: OpaquePointer
  /// Days until the certificate ends; negative if it has ended.
  package let daysLeft: Int
  /// Tells the authorities of clients' certificates from others; nil if clients are not asked for any.
  package let authorityDigest: [UInt8]?

  /// Reads the files. Throws a sentence that names the one which cannot be used.
  package init(_ files: Files) throws(TLSError) {
    guard let raw = SSL_CTX_new(TLS_server_method()) else {
      throw TLSError.noContext()
    }
    do throws(TLSError) {
      try Self.loadIdentity(files, into: raw)
      try Self.loadClientAuthority(files, into: raw)
    } catch {
      SSL_CTX_free(raw)
      throw error
    }
    self.raw = raw
    authorityDigest = files.clientAuthority.map { Self.digest(of: $0) }
    daysLeft = Self.daysLeft(of: SSL_CTX_get0_certificate(raw))
    Self.setRules(files, on: raw)
  }

  /// For a client that verifies servers by the authorities of a file, or by the system's.
  ///
  /// Throws a sentence that names the file which cannot be used.
  package init(verifyingBy authority: String?, certificate: String? = nil, key: String? = nil) throws(TLSError) {
    guard let raw = SSL_CTX_new(TLS_client_method()) else {
      throw TLSError.noContext()
    }
    do throws(TLSError) {
      if let authority {
        try Self.checkReadable(authority, "authority")
        guard SSL_CTX_load_verify_locations(raw, authority, nil) == 1 else {
          throw TLSError("The authority \(authority) cannot be used (\(TLSError.lastReason())). It must be PEM.")
        }
      } else {
        SSL_CTX_set_default_verify_paths(raw)
      }
      if let certificate, let key { try Self.loadIdentity(Files(certificate: certificate, key: key), into: raw) }
    } catch {
      SSL_CTX_free(raw)
      throw error
    }
    SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
    SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    let name = Array(Self.applicationProtocol.utf8)
    SSL_CTX_set_alpn_protos(raw, [UInt8(name.count)] + name, UInt32(name.count + 1))
    self.raw = raw
    authorityDigest = nil
    daysLeft = 0
  }

  deinit { SSL_CTX_free(raw) }

  private static func loadIdentity(_ files: Files, into raw: OpaquePointer) throws(TLSError) {
    SSL_CTX_set_default_passwd_cb(raw, TLSError.noPassword)
    try checkReadable(files.certificate, "certificate")
    try checkReadable(files.key, "key")
    try checkIsPrivate(files.key)
    guard SSL_CTX_use_certificate_chain_file(raw, files.certificate) == 1 else {
      throw TLSError(
        "The certificate \(files.certificate) cannot be used (\(TLSError.lastReason())). It must be a PEM file with it "
          + "first, and those of its authorities behind it.")
    }
    guard SSL_CTX_use_PrivateKey_file(raw, files.key, SSL_FILETYPE_PEM) == 1 else {
      throw TLSError(
        "The key \(files.key) cannot be used with the certificate \(files.certificate) (\(TLSError.lastReason())). It "
          + "must be the certificate's own, as PEM, without a password.")
    }
    guard SSL_CTX_check_private_key(raw) == 1 else {
      // OpenSSL says that there is no certificate, because it keeps keys of each kind apart.
      ERR_clear_error()
      throw TLSError("The key \(files.key) is not that of the certificate \(files.certificate). Name the right one.")
    }
  }

  private static func loadClientAuthority(_ files: Files, into raw: OpaquePointer) throws(TLSError) {
    guard let authority = files.clientAuthority else {
      if files.requiresClientCertificate {
        throw TLSError("Client certificates are required, but no authority is named that signs them.")
      }
      return
    }
    try checkReadable(authority, "clients' authority")
    guard SSL_CTX_load_verify_locations(raw, authority, nil) == 1, let names = SSL_load_client_CA_file(authority) else {
      throw TLSError("The clients' authority \(authority) cannot be used (\(TLSError.lastReason())). It must be PEM.")
    }
    SSL_CTX_set_client_CA_list(raw, names)
    let required = files.requiresClientCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
    SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | required, nil)
  }

  private static func setRules(_ files: Files, on raw: OpaquePointer) {
    let least = files.allowsTLS12 ? TLS1_2_VERSION : TLS1_3_VERSION
    SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(least), nil)
    SSL_CTX_set_options(raw, martlet_ssl_server_options())
    // Connections that rest keep no buffers. What cannot be sent is ours to keep, so a write is never partial.
    SSL_CTX_ctrl(raw, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
    // For TLS 1.2: ephemeral keys, and ciphers that also authenticate.
    SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20")
    // Sessions are resumed by tickets whose keys live as long as this context, so a reload ends them.
    let name = Array("martlet".utf8)
    SSL_CTX_set_session_id_context(raw, name, UInt32(name.count))
    SSL_CTX_ctrl(raw, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    SSL_CTX_set_num_tickets(raw, 1)
    SSL_CTX_set_alpn_select_cb(raw, chooseProtocol, nil)
  }

  /// A client that names protocols must name ours; one that names none is taken to mean it.
  private static let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, length, offered, offeredCount, _ in
    let wanted = Array(TLSContext.applicationProtocol.utf8)
    guard let offered, let chosen, let length else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    var place = 0
    while place < Int(offeredCount) {
      let count = Int(offered[place])
      let begin = place + 1
      guard begin + count <= Int(offeredCount) else { break }
      if count == wanted.count, (0..<count).allSatisfy({ offered[begin + $0] == wanted[$0] }) {
        chosen.pointee = offered + begin
        length.pointee = UInt8(count)
        return SSL_TLSEXT_ERR_OK
      }
      place = begin + count
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }

  // MARK: - Files

  private static func checkReadable(_ path: String, _ what: String) throws(TLSError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw TLSError("The \(what) \(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    // OpenSSL would wait for the end of a pipe for ever.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TLSError("The \(what) \(path) is no ordinary file.")
    }
  }

  /// A key that any user of the machine can read is no secret.
  private static func checkIsPrivate(_ path: String) throws(TLSError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { return }
    throw TLSError("Every user of the machine can reach the key \(path). Take that away with `chmod o= \(path)`.")
  }

  private static func digest(of path: String) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    guard let bio = BIO_new_file(path, "r") else { return digest }
    defer { BIO_free(bio) }
    let hash = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(hash) }
    EVP_DigestInit_ex(hash, EVP_sha256(), nil)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = BIO_read(bio, &buffer, Int32(buffer.count)), count > 0 {
      EVP_DigestUpdate(hash, buffer, Int(count))
    }
    EVP_DigestFinal_ex(hash, &digest, nil)
    return digest
  }

  private static func daysLeft(of certificate: OpaquePointer?) -> Int {
    guard let certificate, let end = X509_get0_notAfter(certificate) else { return 0 }
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard ASN1_TIME_diff(&days, &seconds, nil, end) == 1 else { return 0 }
    return days == 0 && seconds < 0 ? -1 : Int(days)
  }
}
