import ArgumentParser
import MartletClient
import MartletValues

/// The URL of a database on a server, as every verb but `serve` takes it, and the connection that it leads to.
///
/// Always true: a connection that is handed out has said hello, so a wrong address or name has shown before any work.
struct DatabaseArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The database's URL: martlet://HOST:PORT/NAME (the port may be left out), martlet+tls://HOST:PORT/NAME, or "
        + "martlet+unix:///PATH.sock?db=NAME.", valueName: "url/db"))
  var url: String

  @OptionGroup(title: "TLS and credentials") var security: SecurityOptions

  func connect(createsDatabase: Bool) async throws -> DatabaseClient {
    try await Self.connect(to: url, security: security, createsDatabase: createsDatabase)
  }

  /// Statements of people and imports may run for as long as the server allows.
  static let patience = Duration.seconds(600)

  static func connect(
    to url: String, security: SecurityOptions, createsDatabase: Bool, connectionsMax: Int? = nil
  ) async throws -> DatabaseClient {
    var configuration = ClientConfiguration(createsDatabase: createsDatabase)
    if let connectionsMax { configuration.connectionsMax = connectionsMax }
    configuration.clientName = "martlet"
    configuration.requestDeadline = patience
    configuration.connectAttemptsMax = 1
    do {
      try security.apply(to: &configuration, url: MartletURL(url))
      return try await DatabaseClient.connect(to: url, configuration: configuration)
    } catch {
      throw CommandFailure.explaining(error)
    }
  }
}
