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

  @Option(
    help: ArgumentHelp(
      "The most time that a query may take, in seconds; a write has the server's limit (--write-time-max) as well. "
        + "(default: 600, or what the server allows)", valueName: "seconds"))
  var timeout: Double?

  /// How long queries of people, and imports, may run if nothing else is said; the server has a limit of its own
  /// (`--deadline-max-ms`).
  static let patience = Duration.seconds(CommandLimits.patienceSeconds)

  func validate() throws {
    try Self.checkNoFile(url)
    if let timeout, !(timeout >= 0.001 && timeout <= 1e6) {
      throw ValidationError("--timeout takes seconds from 0.001 to 1000000.")
    }
  }

  /// Throws if the text is a file's path, and not somebody's try at a URL.
  static func checkNoFile(_ text: String) throws {
    let isPath = ["/", "./", "../", "~/"].contains { text.hasPrefix($0) }
    let isFile = [".sqlite", ".sqlite3", ".db", ".db3"].contains { text.lowercased().hasSuffix($0) }
    if !text.contains("://"), isPath || isFile { throw ValidationError(CommandFailure.fileForURL(text).description) }
  }

  var deadline: Duration? { timeout.map { .milliseconds(Int64($0 * 1_000)) } }

  func connect(createsDatabase: Bool) async throws -> DatabaseClient {
    try await Self.connect(to: url, security: security, createsDatabase: createsDatabase, deadline: deadline)
  }

  static func connect(
    to url: String, security: SecurityOptions, createsDatabase: Bool, connectionsMax: Int? = nil,
    deadline: Duration? = nil
  ) async throws -> DatabaseClient {
    do {
      return try await open(
        url, security, createsDatabase: createsDatabase, connectionsMax: connectionsMax, deadline: deadline)
    } catch {
      throw CommandFailure.explaining(error)
    }
  }

  /// The same without words for people, so that its error can be told from others.
  static func open(
    _ url: String, _ security: SecurityOptions, createsDatabase: Bool, connectionsMax: Int? = nil, deadline: Duration?
  ) async throws -> DatabaseClient {
    var configuration = configuration(deadline: deadline)
    configuration.createsDatabase = createsDatabase
    if let connectionsMax { configuration.connectionsMax = connectionsMax }
    try security.apply(to: &configuration, url: MartletURL(url))
    return try await DatabaseClient.connect(to: url, configuration: configuration)
  }

  /// `deadline` is what the person has stated; nil: nothing.
  static func configuration(deadline: Duration?) -> ClientConfiguration {
    var configuration = ClientConfiguration()
    configuration.clientName = "martlet"
    configuration.requestDeadline = deadline ?? patience
    configuration.streamDeadline = deadline ?? patience
    // The server shortens it to what a write may have there.
    if let deadline { configuration.writeDeadline = deadline }
    configuration.connectAttemptsMax = 1
    return configuration
  }
}
