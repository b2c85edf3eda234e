internal import MartletEngine
package import MartletQuery
internal import MartletSQLite
internal import MartletValues
internal import Synchronization

#if Client
  internal import MartletClient
#endif

/// A database whose connection stays open between calls: a transaction that one call begins, another one ends.
///
/// Always true: one thread at a time is in `call`, which whoever has it sees to; `interrupt` may come from any.
// Unchecked because the owner lets one thread at a time use it, and what `interrupt` touches is under a mutex.
package final class StandingDatabase: @unchecked Sendable {
  private enum Kind {
    /// A file that may yet be given a key.
    case unopened(path: String, Configuration)
    case embedded(EmbeddedConnection)
    #if Client
      case remote(RemoteDatabase, isReadonly: Bool)
    #endif
    /// The file is closed.
    case closed
  }

  /// What ends the statement that runs now.
  private struct Interruption {
    var flag: CancellationFlag?
    #if Client
      var canceller: RequestCanceller?
    #endif
  }

  private var kind: Kind
  /// Whether the database is at a server.
  package let isRemote: Bool
  /// Where the database's statements run.
  private var home: Database?
  /// Calls that wait for the file to be opened.
  private var waiting: [(EmbeddedConnection) -> Void] = []
  private let interruption = Mutex(Interruption())

  /// Opens a file of this process, and makes it unless the configuration is for reading only. A file that is empty or
  /// may be encrypted is opened by the first call, so that `key` can come before. Throws `RequestError` if it cannot be
  /// opened.
  package init(path: String, configuration: Configuration) throws {
    isRemote = false
    kind = .unopened(path: path, configuration)
    guard try !mayWaitForKey(path, configuration) else { return }
    _ = try opened()
  }

  /// The connection to a file, which is opened now if nothing did before; nil at a server.
  func opened() throws -> EmbeddedConnection? {
    switch kind {
    case .embedded(let connection): return connection
    case .unopened(let path, let configuration):
      let connection = try Self.open(path, configuration)
      kind = .embedded(connection)
      home = Database(home: connection)
      for body in waiting { body(connection) }
      waiting = []
      return connection
    #if Client
      case .remote: return nil
    #endif
    case .closed: throw RequestError.connectionClosed
    }
  }

  private static func open(_ path: String, _ configuration: Configuration) throws -> EmbeddedConnection {
    let file = EmbeddedFile(path: path, configuration: configuration)
    let access: Connection.Access = configuration.readonly ? .reader : .writer
    return try EmbeddedConnection(file, access: access, label: configuration.label ?? "connection")
  }

  /// Calls `body` with the connection to the file once that is open; never at a server.
  func whenOpen(_ body: @escaping (EmbeddedConnection) -> Void) {
    switch kind {
    case .embedded(let connection): body(connection)
    case .unopened: waiting.append(body)
    default: break
    }
  }

  /// Opens the file with `configuration` in place of the one that it waits with. Throws as `opened`, and leaves it
  /// waiting then; false if the file is open already.
  func open(_ change: (inout Configuration) -> Void) throws -> Bool {
    guard case .unopened(let path, let former) = kind else { return false }
    var configuration = former
    change(&configuration)
    kind = .unopened(path: path, configuration)
    do {
      _ = try opened()
    } catch {
      kind = .unopened(path: path, former)
      throw error
    }
    return true
  }

  #if Client
    /// A database at a server. Throws if the URL is none; nothing is connected yet.
    package init(url: String, configuration: Configuration) throws {
      var configuration = configuration
      configuration.remote.createsDatabase = !configuration.readonly
      // Each statement of such a program is waited for, because its error is expected where it stands.
      configuration.remote.defersStatements = false
      let remote = try RemoteDatabase(url, configuration: configuration)
      let canceller = RequestCanceller()
      kind = .remote(remote, isReadonly: configuration.readonly)
      isRemote = true
      let session = BlockingSession(remote.client, canceller: canceller)
      home = Database(home: RemoteSession(session, defersStatements: false))
      interruption.withLock { $0.canceller = canceller }
    }
  #endif

  /// Runs `body`, whose statements `interrupt` ends. What it left open stays open.
  package func call<T>(_ body: (Database) throws -> T) throws -> T {
    // A function of the program may use its connection while a statement calls it: that is part of the call.
    guard let connection = try opened(), interruption.withLock({ $0.flag == nil }) else {
      guard let home else { throw RequestError.noSession }
      return try body(home)
    }
    let flag = CancellationFlag()
    interruption.withLock { $0.flag = flag }
    defer {
      interruption.withLock { $0.flag = nil }
      // It was closed by what the call ran.
      if case .closed = kind { connection.endStanding() }
    }
    return try connection.standing(cancellation: flag) { try body(Database(home: connection)) }
  }

  /// Ends the statement that runs now, if one does.
  package func interrupt() {
    let interruption = interruption.withLock { $0 }
    interruption.flag?.cancel()
    #if Client
      interruption.canceller?.interrupt()
    #endif
  }

  /// What a compiled statement is like; nil at a server, which tells when it has run.
  package func description(of statement: SerializedStatement) throws -> StatementDescription? {
    guard let connection = try opened() else { return nil }
    return try connection.description(of: statement)
  }

  /// Throws if the statement may write and the database was opened for reading only. An embedded one asks SQLite.
  package func checkReadonly(isRead: Bool) throws {
    #if Client
      guard case .remote(_, true) = kind, !isRead else { return }
      throw RequestError.connectionReadOnly
    #endif
  }

  /// How long a statement waits for a lock that another process holds; at a server deadlines bound it instead.
  package func setBusyTimeout(ms: Int) {
    if case .unopened(let path, var configuration) = kind {
      configuration.setBusyTimeout(ms: ms)
      kind = .unopened(path: path, configuration)
    }
    whenOpen { $0.connection.setBusyTimeout(ms: ms) }
  }

  /// Undoes what is open and ends the connection. Statements fail from here on. Called by a function or a hook of the
  /// program, it ends the connection after the statement that called.
  package func close() {
    let isCalled = interruption.withLock { $0.flag != nil }
    if !isCalled { try? home?.end() }
    waiting = []
    switch kind {
    case .embedded(let connection): if !isCalled { connection.endStanding() }
    #if Client
      case .remote(let remote, _):
        interrupt()
        Task { await remote.close() }
    #endif
    case .unopened, .closed: break
    }
    home = nil
    kind = .closed
  }
}
