/// How a client at `martlet+tls://` finds out that the server is the right one, and says who it is itself.
///
/// Always true: the server is verified, and nothing here turns that off. Files are PEM and are read for each connection
/// that is opened, so a renewed one is taken by the next.
public struct ClientTLS: Sendable, Hashable {
  /// The file of the authorities that servers' certificates are signed by; nil: those that the system trusts.
  public var authorities: String?

  /// The SHA-256 of the server's certificate in 64 hexadecimal digits, with or without colons. If it is given, exactly
  /// this certificate is accepted, whatever name, dates and authority it has, and no other is.
  public var fingerprint: String?

  /// The file of the client's own certificate, followed by those between it and its authority; with `key`.
  public var certificate: String?

  /// The file of the certificate's private key.
  public var key: String?

  /// The name or address that the server's certificate has to bear; nil: the URL's host.
  public var serverName: String?

  public init(
    authorities: String? = nil, fingerprint: String? = nil, certificate: String? = nil, key: String? = nil,
    serverName: String? = nil
  ) {
    self.authorities = authorities
    self.fingerprint = fingerprint
    self.certificate = certificate
    self.key = key
    self.serverName = serverName
  }
}
