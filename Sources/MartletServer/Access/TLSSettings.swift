/// How a server encrypts what it says at `martlet+tls://` addresses.
///
/// Always true: files are PEM; they are read when the server starts and at each reload.
public struct TLSSettings: Sendable, Hashable {
  /// The server's certificate, followed by those between it and its authority.
  public var certificate: String
  /// The certificate's private key.
  public var key: String
  /// The authorities that sign clients' certificates; nil: clients are not asked for any.
  public var clientAuthority: String?
  /// A client without a certificate of `clientAuthority` is refused.
  public var requiresClientCertificate = false
  /// TLS 1.2 is spoken with clients that do not know 1.3.
  public var allowsTLS12 = false

  public init(certificate: String, key: String, clientAuthority: String? = nil) {
    self.certificate = certificate
    self.key = key
    self.clientAuthority = clientAuthority
  }
}
