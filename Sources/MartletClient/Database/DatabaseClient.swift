internal import MartletProtocol
public import MartletValues

/// A client of one database on a Martlet server, over a bounded pool of connections: trees and rows of values.
///
/// Always true: it connects when it is first used and again when a connection is lost; requests of many tasks share
/// connections without waiting for each other.
public final class DatabaseClient: StatementExecutor {
  /// The server and the database.
  public let url: MartletURL
  public let configuration: ClientConfiguration
  public let runner: RequestRunner
  private let pool: ConnectionPool

  /// Throws `ClientError.Code.invalidURL` if the URL names no database, or the port is 0. Nothing is connected yet.
  public init(_ url: MartletURL, configuration: ClientConfiguration = ClientConfiguration()) throws(ClientError) {
    guard let database = url.database else {
      throw .noDatabaseInURL
    }
    if url.leavesPortOpen { throw .noPort }
    if let fault = configuration.check() { throw .unusableConfiguration(fault) }
    self.url = url
    self.configuration = configuration
    if let recorder = configuration.recorder { for statement in configuration.setup { recorder.note(statement) } }
    pool = ConnectionPool(address: url.address, database: database, configuration: configuration)
    runner = RequestRunner(route: pool, configuration: configuration)
  }

  /// Throws `ClientError.Code.invalidURL` if the text is not a Martlet URL with a database, and `invalidConfiguration`
  /// if a number of the configuration makes no sense.
  public convenience init(
    _ url: String, configuration: ClientConfiguration = ClientConfiguration()
  ) throws(ClientError) {
    let parsed: MartletURL
    do {
      parsed = try MartletURL(url)
    } catch {
      throw .unreadableURL(error.message)
    }
    try self.init(parsed, configuration: configuration)
  }

  /// Connects and says hello, so that a wrong address or database shows at once.
  public static func connect(
    to url: String, configuration: ClientConfiguration = ClientConfiguration()
  ) async throws -> DatabaseClient {
    let database = try DatabaseClient(url, configuration: configuration)
    do {
      try await database.ping()
    } catch {
      await database.close()
      throw error
    }
    return database
  }

  /// Pings the server: one round trip that touches no database.
  public func ping() async throws {
    _ = try await runner.collect(.plain(.ping()))
  }

  /// The server's counters, its busiest shapes up to `shapes`, and its sessions up to `sessions`.
  public func inspect(shapes: Int = 0, sessions: Int = 0) async throws -> Inspection {
    try await runner.inspect(shapes: shapes, sessions: sessions)
  }

  /// All databases of the server, by name.
  public func databases() async throws -> [DatabaseList.Entry] { try await runner.databases() }

  /// Checks the database while others use it: each table with its indexes and foreign keys, or the whole file in one
  /// snapshot. What is wrong is in the report and not thrown.
  public func check(wholeFile: Bool = false, deadline: Duration? = nil) async throws -> CheckReport {
    let reply = try await runner.collect(.plain(.maintain(wholeFile ? .checkWhole : .check)), deadline: deadline)
    return try CheckReport(reply.rows)
  }

  /// Lets a database that the server has fenced take writes again. The server looks at its files and its content first,
  /// and opens it anew; throws if the cause is still there.
  public func unfence(deadline: Duration? = nil) async throws {
    _ = try await runner.collect(.plain(.maintain(.unfence)), deadline: deadline)
  }

  /// Closes the connections. Requests that wait or are in flight fail; later ones fail at once.
  public func close() async { await pool.close() }
}

// MARK: - Transactions

extension DatabaseClient {
  /// Runs `body` in a read transaction: all of its queries see one snapshot.
  @discardableResult
  public func read<Success>(
    isolation: isolated (any Actor)? = #isolation, _ body: (RemoteTransaction) async throws -> Success
  ) async throws -> Success {
    try await run(.read, isolation: isolation, body)
  }

  /// Runs `body` in a write transaction and commits it; if `body` throws, everything is undone.
  ///
  /// The transaction is asked for without waiting, so the first statement travels with it. If the commit's answer is
  /// lost, the error says `isOutcomeUnknown`.
  @discardableResult
  public func write<Success>(
    isolation: isolated (any Actor)? = #isolation, _ body: (RemoteTransaction) async throws -> Success
  ) async throws -> Success {
    try await run(.write, isolation: isolation, body)
  }

  private func run<Success>(
    _ mode: TransactionMode, isolation: isolated (any Actor)?, _ body: (RemoteTransaction) async throws -> Success
  ) async throws -> Success {
    let transaction = try await begin(mode)
    let result: Success
    do {
      result = try await body(transaction)
    } catch {
      throw await transaction.rollBack(because: error)
    }
    _ = try await transaction.commit()
    return result
  }

  func begin(_ mode: TransactionMode) async throws -> RemoteTransaction {
    let reply = CollectedReply()
    let sent = try await pool.submit(try beginning(mode), to: reply)
    return RemoteTransaction(mode, request: sent, begun: reply, configuration: configuration)
  }

  /// The twin of `begin` for a thread that may wait.
  func beginAndWait(_ mode: TransactionMode, endedBy canceller: RequestCanceller) throws -> RemoteTransaction {
    let reply = CollectedReply()
    let sent = try pool.submitAndWait(try beginning(mode), to: reply, endedBy: canceller)
    return RemoteTransaction(mode, request: sent, begun: reply, configuration: configuration)
  }

  private func beginning(_ mode: TransactionMode) throws -> ClientRequest {
    try Deadline.check()
    return ClientRequest(
      kind: .plain(.begin(mode)), deadline: Deadline.next(nil, otherwise: configuration.requestDeadline))
  }

  /// Sends a request of its own to any connection, for a thread that may wait for one.
  func submitAndWait(
    _ request: ClientRequest, to receiver: any ReplyReceiver, endedBy canceller: RequestCanceller
  ) throws -> InFlightRequest {
    try pool.submitAndWait(request, to: receiver, endedBy: canceller)
  }

  /// The blocking twin of `read`: waits on the calling thread. Throws `ClientError.Code.wrongThread` on an event
  /// loop's.
  @available(*, noasync, message: "Use the asynchronous read in a task.")
  @discardableResult
  public func read<Success>(_ body: (BlockingTransaction) throws -> Success) throws -> Success {
    try runBlocking(.read, body)
  }

  /// The blocking twin of `write`: waits on the calling thread. Throws `ClientError.Code.wrongThread` on an event
  /// loop's.
  @available(*, noasync, message: "Use the asynchronous write in a task.")
  @discardableResult
  public func write<Success>(_ body: (BlockingTransaction) throws -> Success) throws -> Success {
    try runBlocking(.write, body)
  }

  private func runBlocking<Success>(
    _ mode: TransactionMode, _ body: (BlockingTransaction) throws -> Success
  ) throws -> Success {
    let transaction = try beginAndWait(mode, endedBy: RequestCanceller())
    let result: Success
    do {
      result = try body(BlockingTransaction(transaction: transaction))
    } catch {
      throw try Blocking.wait { await transaction.rollBack(because: error) }
    }
    _ = try Blocking.wait { try await transaction.commit() }
    return result
  }
}
