import ArgumentParser
import MartletClient
import MartletValues

/// The URL of a server, with or without a database, and the connection that it leads to.
///
/// Always true: the connection is closed when the work is done, whatever became of it.
struct ServerArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The server's URL: martlet://HOST:PORT (the port may be left out), martlet+tls://HOST:PORT, or "
        + "martlet+unix:///PATH.sock; behind it the database where one is meant: /NAME, or ?db=NAME.",
      valueName: "url"))
  var url: String

  @OptionGroup(title: "TLS and credentials") var security: SecurityOptions

  func validate() throws { _ = try TypedURL(url).parsed() }

  /// The database that the URL names.
  func database() throws -> String {
    guard let database = try parsed().database else {
      throw CommandFailure.noDatabaseInURL
    }
    return database
  }

  func parsed() throws -> MartletURL {
    do { return try MartletURL(url) } catch { throw CommandFailure.explaining(error) }
  }

  func withServer<Result>(_ body: (ServerClient) async throws -> Result) async throws -> Result {
    var configuration = ClientConfiguration()
    configuration.clientName = "martlet"
    configuration.requestDeadline = DatabaseArgument.patience
    configuration.writeDeadline = DatabaseArgument.patience
    configuration.connectAttemptsMax = 1
    let server: ServerClient
    do {
      let url = try parsed()
      try security.apply(to: &configuration, url: url)
      server = try ServerClient(url, configuration: configuration)
    } catch {
      throw CommandFailure.explaining(error)
    }
    do {
      let result = try await body(server)
      await server.close()
      return result
    } catch {
      await server.close()
      throw CommandFailure.explaining(error, hasTimeout: false)
    }
  }
}
