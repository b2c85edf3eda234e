internal import Foundation
internal import NIOCore
internal import NIOSSL

/// What one connection needs for TLS: the files' content, and whom it expects.
///
/// Always true: the server's certificate is verified, against authorities and a name or against a fingerprint.
struct TLSClient: Sendable {
  /// What both ends name in the handshake (ALPN).
  static let protocolName = "martlet/1"

  let name: ServerName
  let fingerprint: CertificateFingerprint?
  private let context: NIOSSLContext

  /// Reads the files, so it may block. Throws if one of them cannot be used.
  init(_ settings: ClientTLS, host: String) throws(ClientError) {
    name = ServerName(settings.serverName ?? host)
    fingerprint = if let text = settings.fingerprint { try CertificateFingerprint(text) } else { nil }
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = [Self.protocolName]
    // The gate compares the name.
    configuration.certificateVerification = .noHostnameVerification
    if fingerprint != nil {
      configuration.trustRoots = .certificates([])
    } else if let file = settings.authorities {
      configuration.trustRoots = .certificates(try Self.certificates(of: file, role: "the authorities"))
    }
    switch (settings.certificate, settings.key) {
    case (let certificate?, let key?):
      let chain = try Self.certificates(of: certificate, role: "this client's certificate")
      configuration.certificateChain = chain.map { .certificate($0) }
      configuration.privateKey = .privateKey(try Self.key(of: key))
    case (nil, nil): break
    case (.some, nil): throw .keyMissing
    case (nil, .some): throw .certificateMissing
    }
    do {
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw Self.unusable(settings)
    }
  }

  /// The handlers at the front of a channel's pipeline, in their order.
  func handlers() throws -> [any ChannelHandler] {
    let handler: NIOSSLClientHandler
    if let fingerprint {
      handler = try NIOSSLClientHandler(context: context, serverHostname: name.indication) { chain, promise in
        let found = (try? chain.first?.toDERBytes()).map { CertificateFingerprint(of: $0) }
        promise.succeed(found == fingerprint ? .certificateVerified : .failed)
      }
    } else {
      handler = try NIOSSLClientHandler(context: context, serverHostname: name.indication)
    }
    return [handler, TLSGate(self, handler: handler)]
  }

  // MARK: Files

  private static func certificates(of file: String, role: String) throws(ClientError) -> [NIOSSLCertificate] {
    let content = try content(of: file, role: role)
    guard let certificates = try? NIOSSLCertificate.fromPEMBytes(content), !certificates.isEmpty else {
      throw .noCertificate(in: file, of: role)
    }
    return certificates
  }

  private static func key(of file: String) throws(ClientError) -> NIOSSLPrivateKey {
    let content = try content(of: file, role: "this client's key")
    guard let key = try? NIOSSLPrivateKey(bytes: content, format: .pem) else {
      throw .noPrivateKey(in: file)
    }
    return key
  }

  private static func content(of file: String, role: String) throws(ClientError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: file)))
    } catch {
      let isMissing = (error as? CocoaError)?.code == .fileReadNoSuchFile
      throw .unreadableFile(file, of: role, isMissing: isMissing)
    }
  }

  private static func unusable(_ settings: ClientTLS) -> ClientError {
    guard let certificate = settings.certificate, let key = settings.key else {
      return .noAuthorities
    }
    return .otherKey(key, certificate: certificate)
  }
}
