import ArgumentParser
import Foundation
import MartletClient
import MartletTLS
import MartletValues

/// How a verb finds out that a server is the right one, and says who asks.
///
/// Always true: a token never stands on the command line, where every process of the machine can read it.
struct SecurityOptions: ParsableArguments, Sendable {
  @Option(
    name: .customLong("ca"),
    help: ArgumentHelp("Trust servers by the authorities in this PEM file, not by the system's.", valueName: "file"))
  var authorities: String?

  @Option(
    name: .customLong("cert"),
    help: ArgumentHelp("Show the server this certificate, a PEM file; with --key.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The certificate's private key, a PEM file.", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "Accept exactly the server's certificate with this SHA-256, and no other.", valueName: "hex"))
  var fingerprint: String?

  @Option(
    help: ArgumentHelp(
      "The file of a token that says who asks. Without it the variable MARTLET_TOKEN is the token.", valueName: "file"))
  var tokenFile: String?

  /// Puts the options into a configuration for a connection to `url`. `token` is that of the environment.
  func apply(
    to configuration: inout ClientConfiguration, url: MartletURL, token: String? = ProcessSecrets.token
  ) throws {
    let isTLSWanted = [authorities, certificate, key, fingerprint].contains { $0 != nil }
    if isTLSWanted, !url.isEncrypted {
      throw CommandFailure.tlsOptionsWithoutTLS
    }
    if let key { SecretFile.warn(of: key) }
    configuration.tls = ClientTLS(
      authorities: authorities, fingerprint: fingerprint, certificate: certificate, key: key)
    configuration.credential = credential(token)
  }

  /// The token for a connection that no `DatabaseClient` makes; empty if there is none.
  func token() async throws -> String {
    try await credential(ProcessSecrets.token)?.current() ?? ""
  }

  /// What encrypts connections that no `DatabaseClient` makes.
  func context() throws -> TLSContext {
    guard fingerprint == nil else {
      throw CommandFailure.fingerprintNotForLoad
    }
    do throws(TLSError) {
      return try TLSContext(verifyingBy: authorities, certificate: certificate, key: key)
    } catch {
      throw CommandFailure(error.message)
    }
  }

  /// The token of the file or else that of the environment; nil if there is neither.
  func credential(_ token: String?) -> ClientCredential? {
    if let tokenFile {
      SecretFile.warn(of: tokenFile)
      return .file(tokenFile)
    }
    guard let token, !token.isEmpty else { return nil }
    return .token(token)
  }
}
