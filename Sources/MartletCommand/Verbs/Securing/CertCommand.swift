import ArgumentParser
import Foundation
import MartletTLS

/// `martlet cert`: certificates for a network of one's own.
struct CertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cert",
    abstract: "Make certificates for TLS: an authority of your own, a server's, and clients'.",
    subcommands: [Make.self])

  /// `martlet cert make`.
  ///
  /// Always true: no file that is there is overwritten; keys can be read by their owner only.
  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make",
      abstract: "Make a server's certificate, or a client's, and the authority that signs them.",
      discussion: """
        Writes into a directory: ca.pem and ca.key, the authority, made if it is not there; server.pem and server.key; \
        with --client NAME instead NAME.pem and NAME.key. Clients need ca.pem (--ca). Keep ca.key somewhere else when \
        all certificates are made: whoever has it can make more.

        EXAMPLES:
          martlet cert make --host db.example.org --host 10.0.0.7
          martlet cert make --client backup
        """)

    @Option(help: ArgumentHelp("Where the files go; made if it does not exist.", valueName: "path"))
    var directory = "."

    @Option(
      help: ArgumentHelp(
        "A DNS name or IP address of the server; may be given more than once. (default: localhost, 127.0.0.1 and ::1)",
        valueName: "name"))
    var host: [String] = []

    @Option(help: ArgumentHelp("Make a client's certificate with this name.", valueName: "name"))
    var client: String?

    @Option(help: ArgumentHelp("How many days they last, from 1 to 36500.", valueName: "days"))
    var days = 825

    func validate() throws {
      guard (1...36_500).contains(days) else { throw ValidationError("--days is a number from 1 to 36500.") }
      if let client {
        guard !client.isEmpty, client.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }),
          client.utf8.count <= CommandLimits.commonNameCharactersMax, !client.hasPrefix("."),
          !["ca", "server"].contains(client)
        else {
          throw ValidationError(
            "--client is a name of 1 to 64 letters, digits, dots, hyphens and underscores, and not 'ca' or 'server'.")
        }
        guard host.isEmpty else { throw ValidationError("--host is for a server's certificate. Leave --client out.") }
      }
    }

    func run() throws {
      do {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let files = CertificateFiles(directory: directory)
        let name = client ?? "server"
        try files.checkIsFree(name)
        let maker = try files.authority(days: days)
        defer { maker.close() }
        let hosts = host.isEmpty ? ["localhost", "127.0.0.1", "::1"] : host
        let shortName = String(hosts[0].prefix(CommandLimits.commonNameCharactersMax))
        let pair =
          client == nil
          ? try maker.sign(.server, name: shortName, hosts: hosts, days: days)
          : try maker.sign(.client, name: name, days: days)
        try files.write(pair, as: name)
        let text =
          "Made \(files.path(name, "pem")) and \(files.path(name, "key")), signed by \(files.path("ca", "pem")).\n"
        try StandardOutput.write(Array(text.utf8), to: 1)
      } catch let error as TLSError {
        throw CommandFailure(error.message)
      } catch {
        throw CommandFailure.explaining(error)
      }
    }
  }
}
