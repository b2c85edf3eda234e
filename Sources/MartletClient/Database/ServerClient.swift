internal import MartletProtocol
public import MartletValues

/// A client of a server as a whole: its databases, and what it tells of itself. It has no database, so no statements.
///
/// Always true: whatever it changes is on the disk when the call returns.
public final class ServerClient: Sendable {
  /// The server; a database in it is not looked at.
  public let url: MartletURL
  private let runner: RequestRunner
  private let pool: ConnectionPool

  /// Nothing is connected yet. Throws `ClientError.Code.invalidURL` if the port is 0, and
  /// `invalidConfiguration` if a number of the configuration makes no sense.
  public init(_ url: MartletURL, configuration: ClientConfiguration = ClientConfiguration()) throws(ClientError) {
    if url.leavesPortOpen { throw .noPort }
    if let fault = configuration.check() { throw .unusableConfiguration(fault) }
    self.url = url
    var configuration = configuration
    configuration.createsDatabase = false
    configuration.setup = []
    pool = ConnectionPool(address: url.address, database: "", configuration: configuration)
    runner = RequestRunner(route: pool, configuration: configuration)
  }

  /// Pings the server.
  public func ping() async throws { _ = try await runner.ask(.ping()) }

  /// The server's counters and latencies, its busiest shapes up to `shapes`, and its sessions up to `sessions`.
  public func inspect(shapes: Int = 0, sessions: Int = 0) async throws -> Inspection {
    try await runner.inspect(shapes: shapes, sessions: sessions)
  }

  /// All databases of the directory, by name.
  public func databases() async throws -> [DatabaseList.Entry] {
    try await runner.databases()
  }

  /// Makes an empty database. Throws if there is one of that name.
  public func createDatabase(_ name: String) async throws { try await run(.create(name)) }

  /// Gives a database another name. Throws if somebody has it open, unless `endsSessions`: then they are told so and
  /// their connections close.
  public func renameDatabase(_ name: String, to newName: String, endsSessions: Bool = false) async throws {
    try await run(.rename(name, to: newName, endsSessions: endsSessions))
  }

  /// Removes a database and everything in it, for good. Throws if somebody has it open, unless `endsSessions`.
  public func dropDatabase(_ name: String, endsSessions: Bool = false) async throws {
    try await run(.drop(name, endsSessions: endsSessions))
  }

  private func run(_ task: Administration) async throws { _ = try await runner.ask(.administer(task)) }

  /// Closes the connections. Requests that are in flight fail; later ones fail at once.
  public func close() async { await pool.close() }
}
