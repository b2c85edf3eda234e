internal import Foundation
public import MartletDatabase
internal import MartletValues

/// A connection to a database: a file, memory, or a database at a Martlet server. Which one is the only difference.
///
/// ```swift
/// let db = try Connection("path/to/db.sqlite3")          // or "martlet://localhost/shop"
/// try db.run(users.insert(email <- "alice@example.com"))
/// for user in try db.prepare(users) { print(user[id], user[email]) }
/// ```
///
/// Always true: calls wait for each other, so it may be used from any thread; a transaction's closure keeps the
/// connection until it ends, and other threads wait. Calls block their thread: `perform` is for tasks.
// Unchecked because everything that changes is touched under the lock alone.
public final class Connection: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let standing: StandingDatabase
  private var isClosed = false
  /// Counts what was written, so that rows that were found before a write are found anew.
  private(set) var writes = 0
  /// Savepoints that are open, each in the one before it.
  var savepoints = 0

  /// Whether the connection was opened for reading only.
  public let readonly: Bool

  /// Whether errors have SQLite's extended codes: `Result.extendedError`.
  public var usesExtendedErrorCodes: Bool {
    get { lock.withLock { hasExtendedCodes } }
    set { lock.withLock { hasExtendedCodes = newValue } }
  }
  private var hasExtendedCodes = false
  private var busySeconds = ConnectionLimits.busySecondsDefault
  private let place: String
  /// Functions of the program that could not be made, in lower case, and why.
  private var refusals: [String: any Error] = [:]
  /// Hooks that the program set and that would never be called, and why.
  private var deafHooks: [String: any Error] = [:]

  /// Opens a database, and makes it if it does not exist unless `readonly`. Throws `Result` if it cannot be opened;
  /// a server is connected to with the first statement.
  public convenience init(_ location: Location = .inMemory, readonly: Bool = false) throws {
    var configuration = Configuration()
    // As SQLite and that library have it, until a program says otherwise.
    configuration.foreignKeysEnabled = location.isRemote
    try self.init(location, readonly: readonly, configuration: configuration)
  }

  /// Opens a file by its path, or a server's database by its URL.
  public convenience init(_ filename: String, readonly: Bool = false) throws {
    try self.init(.uri(filename), readonly: readonly)
  }

  /// Opens a database with all that can be said about it: of a server the token and how it is verified.
  public init(_ location: Location, readonly: Bool = false, configuration: Configuration) throws {
    var configuration = configuration
    var path = location.description
    if case .uri(let uri, let parameters) = location {
      path = uri
      for parameter in parameters { try Self.apply(parameter, &path, &configuration) }
    }
    configuration.readonly = configuration.readonly || readonly
    self.readonly = configuration.readonly
    place = Self.place(path, location)
    do {
      #if Client
        standing =
          location.isRemote
          ? try StandingDatabase(url: path, configuration: configuration)
          : try StandingDatabase(path: path, configuration: configuration)
      #else
        standing = try StandingDatabase(path: path, configuration: configuration)
      #endif
    } catch {
      throw Result.make(error, nil, isExtended: false)
    }
  }

  private static func apply(
    _ parameter: URIQueryParameter, _ path: inout String, _ configuration: inout Configuration
  ) throws {
    switch parameter {
    case .mode(.readOnly): configuration.readonly = true
    case .mode(.memory): path = ":memory:"
    case .mode(.readWriteCreate), .cache(.private), .powersafeOverwrite, .immutable(false), .nolock(false): break
    case .mode(.readWrite) where !Location.uri(path).isRemote:
      let file = Self.filePath(path)
      guard FileManager.default.fileExists(atPath: file) else {
        throw Result.error(
          message: "There is no file \(file), and it was to be opened without making it.", code: 14, statement: nil)
      }
    default:
      throw Result.misuse("The parameter \(parameter) cannot be said of a database of this library. Leave it out.")
    }
  }

  /// The path of a file, the URL of a server's database, and nothing of what has no file.
  private static func place(_ path: String, _ location: Location) -> String {
    guard !location.isRemote else { return path }
    guard path != ":memory:", !path.isEmpty else { return "" }
    return URL(fileURLWithPath: filePath(path)).path
  }

  private static func filePath(_ path: String) -> String { path.hasPrefix("file:") ? String(path.dropFirst(5)) : path }

  /// Closes the connection. What is open is undone; later calls throw `Result`.
  public func close() {
    lock.withLock {
      guard !isClosed else { return }
      isClosed = true
      standing.close()
    }
  }

  deinit { if !isClosed { standing.close() } }

  // MARK: - Calls

  /// Runs `body` while nobody else uses the connection. Errors come out as this module's, with `statement`.
  func call<T>(
    _ statement: @autoclosure () -> Statement? = nil, writes: Bool = false, _ body: (Database) throws -> T
  ) throws -> T {
    try lock.withLock {
      guard !isClosed else { throw Result.closed }
      if writes { self.writes &+= 1 }
      do {
        return try standing.call(body)
      } catch {
        let made = Result.make(error, statement(), isExtended: hasExtendedCodes)
        throw refusal(behind: made) ?? made
      }
    }
  }

  /// Notes why a function of the program could not be made; nil: it was.
  func note(refusal: (any Error)?, of function: String) {
    lock.withLock { refusals[function.lowercased()] = refusal }
  }

  /// Notes why a hook would never be called; nil: it is called, or there is none.
  func note(refusal: (any Error)?, ofHook hook: String) {
    lock.withLock { deafHooks[hook] = refusal }
  }

  /// Why there is no function that a statement calls, if the program meant to make it.
  private func refusal(behind error: any Error) -> (any Error)? {
    guard !refusals.isEmpty else { return nil }
    let words = "\(error)".lowercased()
    guard let place = words.range(of: "no such function: ") else { return nil }
    return refusals[String(words[place.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })]
  }

  /// Keeps the connection for several calls.
  func exclusively<T>(_ body: () throws -> T) rethrows -> T { try lock.withLock { try body() } }

  var isRemote: Bool { standing.isRemote }
  /// Asked while the connection is kept.
  var isOpen: Bool { !isClosed }

  /// What is known of a statement before it runs; nil at a server.
  func description(of text: StatementText) throws -> StatementDescription? {
    guard !isRemote else { return nil }
    let values = [SQLValue](repeating: .null, count: text.parameters.count)
    return try call { _ in try standing.description(of: text.serialized(values, nil)) }
  }

  /// Throws if a statement cannot be compiled, which a file tells before it runs.
  func compile(_ node: Node) throws {
    try call(Statement(failed: node, self)) { _ in _ = try standing.description(of: node.serialized) }
  }

  /// Throws if a statement may write and the connection may not, or a hook would not hear of it.
  func checkMayRun(isRead: Bool) throws {
    try standing.checkReadonly(isRead: isRead)
    if !isRead, let refusal = deafHooks.values.first { throw refusal }
  }

  /// Calls what a connection has beside its statements.
  func on<T>(writes: Bool = false, _ body: (StandingDatabase) throws -> T) throws -> T {
    try call(writes: writes) { _ in try body(standing) }
  }

  /// Calls what comes before the file is opened.
  func unopened(_ body: (StandingDatabase) throws -> Void) throws {
    try lock.withLock {
      guard !isClosed else { throw Result.closed }
      do {
        try body(standing)
      } catch {
        throw Result.make(error, nil, isExtended: hasExtendedCodes)
      }
    }
  }

  /// The database of this connection for the builder's statements: `try db.withDatabase { try Item.all.fetchAll($0) }`.
  /// They run in the transaction that is open here.
  public func withDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try call(writes: true) { database in
      if let refusal = deafHooks.values.first { throw refusal }
      return try body(database)
    }
  }

  /// Runs `body` on a thread that may block, and waits for it without blocking: the way to use a connection in a task.
  public func perform<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
    try await ClosureThreads.offload { try body(self) }
  }

  /// Ends the statement that runs now, from any thread; it throws `Result` with SQLite's code 9.
  public func interrupt() { standing.interrupt() }

  // MARK: - What the last statement did

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  public var changes: Int { (try? call { $0.changesCount }) ?? 0 }

  /// How many rows were changed since the connection was opened.
  public var totalChanges: Int { (try? call { $0.totalChangesCount }) ?? 0 }

  /// The number of the row that was inserted last; 0 before the first.
  public var lastInsertRowid: Int64 { (try? call { $0.lastInsertRowID }) ?? 0 }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { (try? call { $0.isInsideTransaction }) ?? false }

  /// How many seconds a statement waits for a lock that another process holds; 5 at first, an hour at most. At a server
  /// deadlines bound a wait.
  public var busyTimeout: Double {
    get { lock.withLock { busySeconds } }
    set {
      lock.withLock {
        // A value that is not a number (NaN) means not to wait.
        busySeconds = newValue.isNaN ? 0 : max(0, min(newValue, ConnectionLimits.busySecondsMax))
        guard !isClosed else { return }
        standing.setBusyTimeout(ms: Int(busySeconds * 1000))
      }
    }
  }
}

extension Connection: CustomStringConvertible {
  /// The path of the connection's file; empty in memory and of a temporary file. At a server the URL, which has no
  /// secrets.
  public var description: String { place }
}
