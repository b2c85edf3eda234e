internal import COpenSSL

/// Makes an authority of one's own and certificates that it signs, for trying TLS out and for networks of one's own.
///
/// Always true: keys are of the curve P-256 and are never written anywhere by this type; serial numbers are random.
package struct CertificateMaker {
  /// A certificate and its key, as PEM.
  package struct Pair: Sendable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Whom a certificate is for.
  package enum Purpose: Sendable, Equatable {
    case server
    case client
  }

  private let certificate: OpaquePointer
  private let key: OpaquePointer
  package let authority: Pair

  /// A new authority with this name that lasts so many days. It can be thrown away once it has signed.
  package init(name: String, days: Int) throws(TLSError) {
    let key = try Self.makeKey()
    let certificate = try Self.makeCertificate(name: name, days: days, key: key)
    try Self.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", to: certificate, issuer: certificate)
    try Self.add(NID_key_usage, "critical,keyCertSign,cRLSign", to: certificate, issuer: certificate)
    try Self.add(NID_subject_key_identifier, "hash", to: certificate, issuer: certificate)
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate))
    try Self.sign(certificate, with: key)
    self.certificate = certificate
    self.key = key
    authority = Pair(certificate: try Self.pem(of: certificate), key: try Self.pem(ofKey: key))
  }

  /// An authority that was made before. Throws if the key is not its certificate's.
  package init(_ authority: Pair) throws(TLSError) {
    let certificate = Self.reading(authority.certificate) { PEM_read_bio_X509($0, nil, nil, nil) }
    let key = Self.reading(authority.key) { PEM_read_bio_PrivateKey($0, nil, TLSError.noPassword, nil) }
    guard let certificate, let key, X509_check_private_key(certificate, key) == 1 else {
      let reason = TLSError.lastReason()
      X509_free(certificate)
      EVP_PKEY_free(key)
      throw TLSError("The authority's certificate and key are not PEM that belongs together: \(reason).")
    }
    self.certificate = certificate
    self.key = key
    self.authority = authority
  }

  /// Frees what OpenSSL keeps; the value is used no more.
  package func close() {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  /// A certificate with this common name. `hosts` are the DNS names and IP addresses of a server; letters that OpenSSL
  /// reads as something else are refused.
  package func sign(
    _ purpose: Purpose, name: String, hosts: [String] = [], days: Int
  ) throws(TLSError) -> Pair {
    for host in hosts { try Self.check(host: host) }
    let key = try Self.makeKey()
    defer { EVP_PKEY_free(key) }
    let made = try Self.makeCertificate(name: name, days: days, key: key)
    defer { X509_free(made) }
    X509_set_issuer_name(made, X509_get_subject_name(certificate))
    try Self.add(NID_basic_constraints, "critical,CA:FALSE", to: made, issuer: certificate)
    try Self.add(NID_key_usage, "critical,digitalSignature", to: made, issuer: certificate)
    try Self.add(NID_ext_key_usage, purpose == .server ? "serverAuth" : "clientAuth", to: made, issuer: certificate)
    try Self.add(NID_subject_key_identifier, "hash", to: made, issuer: certificate)
    try Self.add(NID_authority_key_identifier, "keyid", to: made, issuer: certificate)
    if !hosts.isEmpty {
      let names = hosts.map { (Self.isAddress($0) ? "IP:" : "DNS:") + $0 }
      try Self.add(NID_subject_alt_name, names.joined(separator: ","), to: made, issuer: certificate)
    }
    try Self.sign(made, with: self.key)
    return Pair(certificate: try Self.pem(of: made), key: try Self.pem(ofKey: key))
  }

  // MARK: - Parts

  private static func check(host: String) throws(TLSError) {
    let isFine =
      !host.isEmpty && host.utf8.count <= TLSLimits.hostBytesMax
      && host.utf8.allSatisfy { byte in
        switch byte {
        case 48...58, 65...90, 97...122, 45, 46, 42, 95: true
        default: false
        }
      }
    guard isFine, !host.contains(":") || isAddress(host) else {
      throw TLSError("'\(host)' is no host name and no IP address.")
    }
  }

  private static func isAddress(_ host: String) -> Bool {
    guard let bytes = a2i_IPADDRESS(host) else { return false }
    ASN1_OCTET_STRING_free(bytes)
    return true
  }

  private static func makeKey() throws(TLSError) -> OpaquePointer {
    var key: OpaquePointer?
    let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { EVP_PKEY_CTX_free(maker) }
    guard EVP_PKEY_keygen_init(maker) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1) == 1, EVP_PKEY_keygen(maker, &key) == 1,
      let key
    else { throw TLSError("OpenSSL cannot make a key: \(TLSError.lastReason()).") }
    return key
  }

  private static func makeCertificate(
    name: String, days: Int, key: OpaquePointer
  ) throws(TLSError) -> OpaquePointer {
    guard (1...64).contains(name.utf8.count) else { throw TLSError("A certificate's name has 1 to 64 bytes.") }
    guard (1...36_500).contains(days) else { throw TLSError("A certificate lasts 1 to 36500 days.") }
    guard let certificate = X509_new() else { throw TLSError("OpenSSL cannot make a certificate.") }
    X509_set_version(certificate, 2)
    // Positive, as a serial number must be.
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), UInt64.random(in: 1...UInt64(Int64.max)))
    // An hour back, for clocks that are behind.
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3_600)
    X509_time_adj_ex(X509_getm_notAfter(certificate), Int32(days), 0, nil)
    let bytes = Array(name.utf8)
    X509_NAME_add_entry_by_NID(
      X509_get_subject_name(certificate), NID_commonName, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0)
    guard X509_set_pubkey(certificate, key) == 1 else {
      X509_free(certificate)
      throw TLSError("OpenSSL cannot use a key: \(TLSError.lastReason()).")
    }
    return certificate
  }

  private static func add(
    _ kind: Int32, _ text: String, to certificate: OpaquePointer, issuer: OpaquePointer
  ) throws(TLSError) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
    guard let made = X509V3_EXT_nconf_nid(nil, &context, kind, text) else {
      throw TLSError("OpenSSL refuses '\(text)' in a certificate: \(TLSError.lastReason()).")
    }
    defer { X509_EXTENSION_free(made) }
    X509_add_ext(certificate, made, -1)
  }

  private static func sign(_ certificate: OpaquePointer, with key: OpaquePointer) throws(TLSError) {
    guard X509_sign(certificate, key, EVP_sha256()) > 0 else {
      throw TLSError("OpenSSL cannot sign a certificate: \(TLSError.lastReason()).")
    }
  }

  private static func pem(of certificate: OpaquePointer) throws(TLSError) -> String {
    try text { PEM_write_bio_X509($0, certificate) == 1 }
  }

  private static func pem(ofKey key: OpaquePointer) throws(TLSError) -> String {
    try text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
  }

  private static func reading(_ text: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    Array(text.utf8).withUnsafeBytes { bytes in
      // It reads from the bytes for as long as it is there.
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
      defer { BIO_free(bio) }
      return read(bio)
    }
  }

  private static func text(_ write: (OpaquePointer) -> Bool) throws(TLSError) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw TLSError("OpenSSL has no memory.") }
    defer { BIO_free(bio) }
    guard write(bio) else { throw TLSError("OpenSSL cannot write PEM: \(TLSError.lastReason()).") }
    var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
    let count = BIO_read(bio, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
  }
}
