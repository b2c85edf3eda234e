internal import Foundation
internal import Logging
internal import MartletLoop
internal import MartletTLS
internal import MartletValues

/// Who may come, and with what: certificates, roles and tokens, read when the server starts and at each reload.
extension Server {
  /// Beyond this machine only with TLS and a role, or where the operator has said that it is a private network.
  static func checkAddresses(_ configuration: ServerConfiguration) throws(ServerError) {
    for url in configuration.listen {
      if url.isEncrypted, configuration.tls == nil {
        throw ServerError("\(url) needs a certificate: name one with its key, or make one with `martlet cert make`.")
      }
      if url.socketAddress.isLoopback || configuration.isInsecure { continue }
      guard url.isEncrypted else {
        throw ServerError(
          "\(url) is not a loopback address, and without TLS anybody on the way could read and change what is said. "
            + "Listen at a martlet+tls:// address, at 127.0.0.1, ::1 or a Unix socket, or, on a private network, "
            + "allow it with --insecure.")
      }
      guard !configuration.access.roles.isEmpty else {
        throw ServerError(
          "\(url) is not a loopback address, and without roles nobody from there may do anything. Write a role into the "
            + "configuration file and make a token for it with `martlet token create`.")
      }
    }
    if let missing = configuration.access.missingRole() { throw ServerError(missing) }
  }

  /// The rules and the certificate that a configuration names. Throws what cannot be read or used.
  static func access(_ configuration: ServerConfiguration) throws(ServerError) -> (AccessRules, TLSContext?) {
    var rules = AccessRules(denied: configuration.denied, deniedOverTCP: configuration.deniedOverTCP)
    rules.policy = configuration.access
    rules.isInsecure = configuration.isInsecure
    if let path = configuration.access.tokensFile { rules.tokens = try tokens(at: path) }
    guard let settings = configuration.tls else { return (rules, nil) }
    do throws(TLSError) {
      let context = try TLSContext(
        TLSContext.Files(
          certificate: settings.certificate, key: settings.key, clientAuthority: settings.clientAuthority,
          requiresClientCertificate: settings.requiresClientCertificate, allowsTLS12: settings.allowsTLS12))
      rules.clientAuthority = context.authorityDigest
      noteEnd(of: settings.certificate, daysLeft: context.daysLeft, configuration.logger)
      return (rules, context)
    } catch {
      throw ServerError(error.message)
    }
  }

  private static func tokens(at path: String) throws(ServerError) -> TokenList {
    // A file that is not there yet has no tokens: `martlet token create` makes it.
    if !FileManager.default.fileExists(atPath: path) { return TokenList() }
    return try TokenFile(path: path).load()
  }

  private static func noteEnd(of certificate: String, daysLeft: Int, _ logger: Logger) {
    guard daysLeft < AccessLimits.certificateDaysMin else { return }
    logger.warning(
      daysLeft < 0 ? "The server's certificate has ended, so clients refuse it" : "The server's certificate ends soon",
      metadata: ["certificate": "\(certificate)", "days": "\(daysLeft)"])
  }

  /// Takes new roles, tokens, users, certificates and denials from now on, without closing a connection: sessions that
  /// are still known go on with what they may do now, and others end. TLS connections keep the certificate that they
  /// began with. Addresses, limits and the rest stay as they were at the start, which the log says where they differ.
  /// Throws what is wrong, and everything stays as it was.
  public func reload(_ wanted: ServerConfiguration) throws(ServerError) {
    var changed = configuration
    changed.access = wanted.access
    changed.tls = wanted.tls
    changed.denied = wanted.denied
    changed.deniedOverTCP = wanted.deniedOverTCP
    try Self.checkAddresses(changed)
    let (rules, context) = try Self.access(changed)
    self.context.authenticator.replace(rules: rules, tls: context)
    loops.identifyAgain()
    self.context.logger.notice(
      "Reloaded", metadata: ["roles": "\(wanted.access.roles.count)", "tokens": "\(rules.tokens.records.count)"])
    if wanted.listen != configuration.listen || wanted.isInsecure != configuration.isInsecure
      || wanted.directory != configuration.directory
    {
      self.context.logger.warning("Addresses, insecure and data stay as they were: they are taken at a restart")
    }
  }

  /// The same with everything else as it was at the start.
  public func reload(access: AccessPolicy, tls: TLSSettings?) throws(ServerError) {
    var wanted = configuration
    wanted.access = access
    wanted.tls = tls
    try reload(wanted)
  }

  func noteWhoMayCome() {
    guard configuration.isInsecure else { return }
    let remote = configuration.listen.filter { !$0.socketAddress.isLoopback && !$0.isEncrypted }
    guard !remote.isEmpty else { return }
    context.logger.warning(
      "Insecure: whoever reaches these addresses can read and change what is said there, and needs to show nothing",
      metadata: ["urls": "\(remote.map(\.description).joined(separator: " "))"])
  }
}
