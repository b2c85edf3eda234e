internal import Foundation
internal import NIOSSL

/// Why TLS with a server did not come about, in words.
///
/// Always true: what a certificate or the server's library says is shown only as far as it is plain ASCII.
struct TLSFailure: Error, Sendable, Equatable {
  /// A sentence without its beginning and its end: what "it", the server, did.
  var reason: String

  /// The next attempt may go better. False for all that somebody has to put right first.
  var isRetryable = false

  static let ended = TLSFailure(
    reason: "it ended the connection during the TLS handshake; does it speak TLS there?", isRetryable: true)

  static let endedAfterwards = TLSFailure(
    reason: "it ended the connection before it answered the hello; does it demand a certificate of this client?",
    isRetryable: true)

  static let otherProtocol = TLSFailure(
    reason: "it did not choose the protocol \(TLSClient.protocolName) in the TLS handshake; is it a Martlet server?")

  private static let clientCertificateWanted =
    "a certificate and its key (ClientTLS.certificate and key, or --cert and --key)"

  /// The server's certificate bears other names.
  static func otherName(_ wanted: ServerName, _ certificate: NIOSSLCertificate) -> TLSFailure {
    let names = names(of: certificate)
    let wanted = printable("\(wanted)")
    guard !names.isEmpty else {
      return TLSFailure(
        reason: "its certificate has no alternative name, and needs \(wanted) as one: a common name does not count")
    }
    return TLSFailure(
      reason: "its certificate is for \(names.joined(separator: ", ")) and not for \(wanted). Connect by a name of the "
        + "certificate, or say in the program which one it has (ClientTLS.serverName)")
  }

  /// The certificate was not accepted; its dates and its fingerprint tell why.
  static func refused(_ certificate: NIOSSLCertificate?, expected fingerprint: CertificateFingerprint?) -> TLSFailure {
    if fingerprint != nil {
      let found = (try? certificate?.toDERBytes()).map { " \(CertificateFingerprint(of: $0))" } ?? ""
      return TLSFailure(reason: "its certificate has another fingerprint\(found) than the one that was given")
    }
    if let certificate {
      let now = Int(Date().timeIntervalSince1970)
      if certificate.notValidAfter < now {
        return TLSFailure(
          reason: "its certificate expired at \(time(certificate.notValidAfter)). It must be renewed at the server")
      }
      if certificate.notValidBefore > now {
        return TLSFailure(
          reason: "its certificate is not valid before \(time(certificate.notValidBefore)); is the clock here right?")
      }
    }
    return TLSFailure(
      reason: "its certificate is not signed by an authority that this client trusts. Give the authority's file "
        + "(ClientTLS.authorities, or --ca)")
  }

  /// Nil if the error is not one of TLS.
  init?(_ error: any Error, certificate: NIOSSLCertificate?, expected fingerprint: CertificateFingerprint?) {
    let stack: NIOBoringSSLErrorStack
    switch error {
    case let error as TLSFailure:
      self = error
      return
    case NIOSSLError.handshakeFailed(.sslError(let errors)), BoringSSLError.sslError(let errors): stack = errors
    case NIOSSLError.handshakeFailed:
      self = .ended
      return
    default: return nil
    }
    if stack.contains(.eofDuringHandshake) {
      self = .ended
      return
    }
    // The library has no better names for them than these words.
    let words = stack.map(Self.word).first ?? ""
    self =
      words == "CERTIFICATE_VERIFY_FAILED"
      ? .refused(certificate, expected: fingerprint) : Self(library: words)
  }

  private init(reason: String, isRetryable: Bool = false) {
    self.reason = reason
    self.isRetryable = isRetryable
  }

  /// The failure that a word of the library names; if `ALERT` is in the word, the server reported it.
  private init(library word: String) {
    switch word {
    case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "UNEXPECTED_RECORD":
      self.init(reason: "it does not speak TLS there. Use martlet://")
    case let word where word.hasSuffix("CERTIFICATE_REQUIRED"):
      self.init(reason: "it demands a certificate of this client. Give " + Self.clientCertificateWanted)
    case "TLSV1_ALERT_UNKNOWN_CA":
      self.init(reason: "it does not know the authority that signed this client's certificate")
    case "SSLV3_ALERT_CERTIFICATE_EXPIRED": self.init(reason: "it says that this client's certificate has expired")
    case "SSLV3_ALERT_CERTIFICATE_REVOKED": self.init(reason: "it says that this client's certificate was revoked")
    case "SSLV3_ALERT_BAD_CERTIFICATE", "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE",
      "TLSV1_ALERT_ACCESS_DENIED", "TLSV1_ALERT_DECRYPT_ERROR":
      self.init(reason: "it does not accept this client's certificate")
    case let word where word.hasSuffix("NO_APPLICATION_PROTOCOL"):
      self = .otherProtocol
    case "TLSV1_ALERT_PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL", "WRONG_SSL_VERSION":
      self.init(reason: "it and this client have no version of TLS in common: this client speaks 1.3 and 1.2")
    case "SSLV3_ALERT_HANDSHAKE_FAILURE":
      self.init(
        reason: "it refused the TLS handshake. If it demands a certificate of this client, give "
          + Self.clientCertificateWanted)
    default: self.init(reason: "TLS failed (\(Self.printable(word)))", isRetryable: true)
    }
  }

  /// The reason in `error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at …`.
  private static func word(_ error: BoringSSLInternalError) -> String {
    let text = error.description
    guard let start = text.range(of: "OPENSSL_internal:") else { return text }
    return String(text[start.upperBound...].prefix { $0 != " " })
  }

  // MARK: Texts

  private static func names(of certificate: NIOSSLCertificate) -> [String] {
    let names = certificate._subjectAlternativeNames().compactMap { name -> String? in
      let content = name.contents.withUnsafeBufferPointer { Array($0) }
      switch name.nameType {
      case .dnsName: return printable(String(decoding: content, as: UTF8.self))
      case .ipAddress: return ServerName(bytes: content)?.description
      default: return nil
      }
    }
    return names.count > ClientLimits.certificateNamesShownMax
      ? names.prefix(ClientLimits.certificateNamesShownMax) + ["others"] : names
  }

  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(ClientLimits.shownNameCharactersMax).map {
        (33...126).contains($0.value) ? Character($0) : "?"
      })
  }

  private static func time(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }
}
