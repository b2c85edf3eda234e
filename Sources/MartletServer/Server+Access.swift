internal import Foundation
internal import Logging
internal import MartletLoop
internal import MartletTLS
internal import MartletValues
internal import Synchronization

/// Who may come, and with what: certificates, roles and tokens, read when the server starts and at each reload.
extension Server {
  /// Beyond this machine only with TLS and a role, or if the operator has said that it is a private network.
  static func checkAddresses(_ configuration: ServerConfiguration) throws(ServerError) {
    if let fault = configuration.addressFaults.first {
      let advice =
        switch fault.lacks {
        case .certificate: "Name one with its key, or make one with `martlet cert make`."
        case .encryption:
          "Listen at a martlet+tls:// address, at 127.0.0.1, ::1 or a Unix socket, or, on a private network, allow it "
            + "with --insecure."
        case .roles:
          "Write a role into the configuration file and make a token for it with `martlet token create`."
        }
      throw .unsafeAddress("\(fault)", advice: advice)
    }
    if let missing = configuration.access.missingRole() { throw ServerError(missing) }
    if let contradiction = configuration.access.contradiction() { throw ServerError(contradiction) }
  }

  /// What is wrong with the files that a configuration names, a sentence for the certificate with its key, one for the
  /// tokens, one for the registered shapes, one for each issuer's keys, one for the audit log, one for the databases'
  /// key and one for each socket whose folder is not there. A server that starts with them says the same.
  ///
  /// Folders below `/run` are gone after each boot, and whoever starts the server makes them then, as systemd does.
  public static func fileFaults(of configuration: ServerConfiguration) -> [String] {
    var faults: [String] = []
    do throws(ServerError) { _ = try context(configuration.tls) } catch { faults.append(error.message) }
    do throws(ServerError) { _ = try tokens(configuration.access) } catch { faults.append(error.message) }
    do throws(ServerError) {
      _ = try ShapeRegister(configuration.access.roles.values.sorted { $0.name < $1.name })
    } catch { faults.append(error.message) }
    for (name, issuer) in configuration.access.issuers.sorted(by: { $0.key < $1.key }) {
      do throws(ServerError) { _ = try JWTVerifier([name: issuer]) } catch { faults.append(error.message) }
    }
    if let audit = configuration.audit, let fault = AuditFile.fault(at: audit.file) {
      faults.append(fault.message)
    }
    if let file = configuration.keyFile {
      do throws(RequestError) { _ = try DatabaseKey(file: file) } catch { faults.append(error.message) }
    }
    for url in configuration.listen where !url.socketAddress.isMadeAtBoot {
      if let fault = missingFolder(of: url.socketAddress) { faults.append(fault.message) }
    }
    return faults
  }

  /// The rules and the certificate that a configuration names. Throws what cannot be read or used.
  static func access(_ configuration: ServerConfiguration) throws(ServerError) -> (AccessRules, TLSContext?) {
    var rules = AccessRules(denied: configuration.denied, deniedOverTCP: configuration.deniedOverTCP)
    rules.policy = configuration.access
    rules.isInsecure = configuration.isInsecure
    rules.tokens = try tokens(configuration.access)
    rules.shapes = try ShapeRegister(configuration.access.roles.values.sorted { $0.name < $1.name })
    rules.jwts = try JWTVerifier(configuration.access.issuers)
    let context = try context(configuration.tls)
    rules.clientAuthority = context?.authorityDigest
    if let context, let certificate = configuration.tls?.certificate {
      noteEnd(of: certificate, daysLeft: context.daysLeft, configuration.logger)
    }
    return (rules, context)
  }

  private static func tokens(_ access: AccessPolicy) throws(ServerError) -> TokenList {
    guard let path = access.tokensFile else { return TokenList() }
    return try TokenFile(path: path).load()
  }

  private static func context(_ settings: TLSSettings?) throws(ServerError) -> TLSContext? {
    guard let settings else { return nil }
    do throws(TLSError) {
      return try TLSContext(
        TLSContext.Files(
          certificate: settings.certificate, key: settings.key, clientAuthority: settings.clientAuthority,
          requiresClientCertificate: settings.requiresClientCertificate, allowsTLS12: settings.allowsTLS12))
    } catch {
      throw ServerError(error.message)
    }
  }

  private static func noteEnd(of certificate: String, daysLeft: Int, _ logger: Logger) {
    guard daysLeft < AccessLimits.certificateDaysMin else { return }
    logger.warning(
      daysLeft < 0 ? "The server's certificate has ended, so clients refuse it" : "The server's certificate ends soon",
      metadata: ["certificate": "\(certificate)", "days": .number(daysLeft)])
  }

  /// Takes new roles, tokens, issuers of JWTs with their keys, users, certificates, denials and the limits of
  /// `ServingLimits` from now on, without closing a connection: sessions that are still known go on with what they may
  /// do now, and others end. TLS connections keep the certificate that they began with, requests and transactions the
  /// limits. The audit log's file is opened anew, also if something is wrong. Everything else stays as it was at the
  /// start, and the log names what differs, with `otherKeys` of the program's own configuration. Throws what is wrong,
  /// and nothing else changes then.
  public func reload(_ wanted: ServerConfiguration, alsoDiffering otherKeys: [String] = []) throws(ServerError) {
    do throws(ServerError) {
      try take(wanted, alsoDiffering: otherKeys)
    } catch {
      reloadRefused()
      throw error
    }
  }

  private func take(_ wanted: ServerConfiguration, alsoDiffering otherKeys: [String]) throws(ServerError) {
    var changed = configuration
    changed.access = wanted.access
    changed.tls = wanted.tls
    changed.denied = wanted.denied
    changed.deniedOverTCP = wanted.deniedOverTCP
    try Self.checkAddresses(changed)
    if let contradiction = wanted.limits.check() { throw .unfitLimits(contradiction) }
    let (rules, context) = try Self.access(changed)
    if let fault = unfitRules(of: wanted.access).first { throw ServerError(fault) }
    let auditFile = try AuditLog.file(of: wanted.audit)
    self.context.authenticator.replace(rules: rules, tls: context)
    goOn(auditing: wanted, to: auditFile, tokens: rules.tokens.records.count)
    take(wanted.limits)
    self.context.slowQueries.take(thresholdMs: wanted.slowQueryMs)
    self.context.logger.notice(
      "Reloaded",
      metadata: [
        "roles": .number(wanted.access.roles.count), "tokens": .number(rules.tokens.records.count),
        "issuers": .number(wanted.access.issuers.count),
      ])
    noteWhatStays(of: wanted, and: otherKeys)
  }

  /// The same with everything else as it was at the start, and the limits as they are.
  public func reload(access: AccessPolicy, tls: TLSSettings?) throws(ServerError) {
    var wanted = configuration
    wanted.limits = askedLimits
    wanted.limits.take(limitsInForce.withLock { $0 })
    wanted.slowQueryMs = context.slowQueries.thresholdMs
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

extension SocketAddress {
  /// A socket in a folder that is made when the server is started.
  fileprivate var isMadeAtBoot: Bool {
    if case .unix(let path) = self { path.hasPrefix("/run/") || path.hasPrefix("/var/run/") } else { false }
  }
}
