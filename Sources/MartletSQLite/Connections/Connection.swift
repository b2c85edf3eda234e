public import CSQLite

/// One connection to one database file, with every safety setting in force.
///
/// Always true: used by one thread at a time (SQLite's mutexes are off); readers cannot write; only the writer's owner
/// checkpoints. A statement keeps its connection alive.
public final class Connection {
  /// What may be done through a connection.
  public enum Access: Sendable, Equatable {
    case writer
    case reader
  }

  /// Whose statement is compiled: a program's, or one of the engine's own fixed ones.
  public enum Author: Sendable, Equatable {
    case program
    case engine
  }

  /// What logs and errors call it: `writer`, `reader.2`, `loop.0`.
  package let label: String
  package let path: String
  package let access: Access

  /// Ends statements that run too long; armed by whoever runs one.
  package let limiter: ExecutionLimiter
  let boundsSchemaReading: Bool

  @usableFromInline let handle: OpaquePointer
  let authorizer = Authorizer()
  let compilation: CompilationGuard

  /// Shared by the connections of one writer, because each hears of its own commits only.
  package let logGauge: LogGauge
  /// Pages of the logs of attached files after the last commit to each, by the schemas' names.
  var attachedLogs: [String: Int32] = [:]

  /// An object that must stay alive until the file is closed, such as a lock on it.
  private let companion: (any AnyObject & Sendable)?
  /// SQLite has rolled a transaction back since this was last made false; a writer's connection only.
  package var wasRolledBack = false

  var tracer: Tracer?
  let hooks = ConnectionHooks()
  let functions: FunctionRegistry
  let changeCount = ChangeCount()
  let tokenizers = ConnectionTokenizers()
  let pageBytes: Int
  /// Nil if no bound was ever asked for.
  var pageBound: PageBound?
  /// What SQLite takes for a value, and less for the statement that runs, if that is bounded.
  let valueBytesMax: Int
  var valueBound: Int?
  let patternBound: PatternBound
  var internalTallies: [InternalTable: InternalTally] = [:]

  /// In memory, or in a file without a name that SQLite removes: it has no log, and nobody else opens it.
  var isTransient: Bool { path == ":memory:" || path.isEmpty }

  /// Opens the file, makes it if `access` is `.writer`, and applies the setup. `clock` returns nanoseconds for
  /// deadlines. `check` is called when the path has been opened and nothing of it was read yet; `companion` lives as
  /// long as the file is open.
  package init(
    path: String, label: String, access: Access, setup: ConnectionSetup = ConnectionSetup(),
    logGauge: LogGauge = LogGauge(), companion: (any AnyObject & Sendable)? = nil,
    check: (Connection) throws(SQLiteError) -> Void = { _ in }, clock: @escaping @Sendable () -> UInt64
  ) throws(SQLiteError) {
    _ = SQLiteLibrary.isTuned
    guard let system = PageFileSystem.systemName(for: setup.keeper) else {
      throw SQLiteError(extendedCode: SQLITE_NOMEM, message: "SQLite did not take the file system.")
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, setup.openingFlags(for: access), system)
    guard result == SQLITE_OK, let opened else {
      let error = SQLiteError(result, on: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    functions = FunctionRegistry(handle: opened)
    self.label = label
    self.path = path
    self.access = access
    self.logGauge = logGauge
    self.companion = companion
    valueBytesMax = setup.valueBytesMax
    patternBound = PatternBound(workMax: setup.patternWorkMax(for: access))
    limiter = ExecutionLimiter(period: setup.progressSteps, clock: clock)
    boundsSchemaReading = setup.boundsSchemaReading
    compilation = CompilationGuard(
      microsecondsMax: setup.compileMicrosecondsMax(for: access), shortAllocations: setup.compileAllocationsShort,
      limiter: limiter, handle: opened)
    pageBytes = Self.pageBytes(of: opened)
    // From here on the deinitializer closes the handle.
    try check(self)
    try setup.apply(to: self)
    try registerFunctions(keepsLibraryFunctions: setup.keepsLibraryFunctions)
    authorizer.isOwned = setup.authority == .owner
    if setup.authority == .clients {
      authorizer.recompilation = compilation
      limiter.recompilation = compilation
    }
    authorizer.install(on: opened)
    limiter.install(on: opened)
    limiter.pageBytes = pageBytes
    // Unretained because the file forgets the limiter before the connection lets go of it.
    pageFile?.pointee.limiter = Unmanaged.passUnretained(limiter)
    watchWAL()
    watchRollbacks()
  }

  /// Whether the client whose statement is compiled or run next may make, change and drop what the schema holds; the
  /// file's owner always may.
  package var allowsSchemaChanges: Bool {
    get { authorizer.allowsSchemaChanges }
    set { authorizer.allowsSchemaChanges = newValue }
  }

  deinit {
    limiter.remove(from: handle)
    sqlite3_set_authorizer(handle, nil, nil)
    pageFile?.pointee.limiter = nil
    compilation.close()
    sqlite3_close_v2(handle)
  }

  private func registerFunctions(keepsLibraryFunctions: Bool) throws(SQLiteError) {
    if !keepsLibraryFunctions { try BuiltinFunctions.register(on: handle, limiter: limiter) }
    try UUIDFunction.register(on: handle)
    try RowCheckFunction.register(on: handle)
    try JSONNumberFunction.register(on: handle)
    try PatternFunction.register(on: handle, patternBound)
    if access == .writer { try changeCount.register(on: handle) }
    try RowsModule.register(on: handle)
    try OrderedAggregates.register(in: functions)
    try BlockingFunction.register(in: functions)
  }

  private static func pageBytes(of handle: OpaquePointer) -> Int {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, FixedSQL.readPageSize, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return 4096 }
    return Int(sqlite3_column_int64(statement, 0))
  }

  // MARK: - Fixed statements

  /// Runs one of the engine's own fixed statements to its end.
  package func execute(_ fixedSQL: String) throws(SQLiteError) {
    let statement = try prepare(fixedSQL, for: .engine)
    while try statement.step() {}
    statement.reset()
  }

  /// The names of the tables and views of every schema, as a JSON array.
  package func tableNames() throws(SQLiteError) -> String { try text(of: FixedSQL.tableNames) ?? "[]" }

  /// The first column of the first row that a fixed statement returns, as text.
  package func text(of fixedSQL: String) throws(SQLiteError) -> String? {
    let statement = try prepare(fixedSQL, for: .engine)
    guard try statement.step() else { return nil }
    let value = statement.value(at: 0)
    return value.type == .null ? nil : String(decoding: value.textBytes, as: UTF8.self)
  }

  // MARK: - State

  /// Rows that the last statement changed.
  @inlinable public var changes: Int64 { sqlite3_changes64(handle) }

  /// Rows that all statements changed, those of triggers and foreign keys included.
  @inlinable public var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  @inlinable public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// True outside any transaction; turns true under a program when SQLite itself rolled back.
  @inlinable public var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

  /// Whether violations of deferred foreign keys are waiting for the commit.
  package var hasDeferredForeignKeyViolations: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    let result = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return result != SQLITE_OK || current != 0
  }

  /// Bytes of the frames that the write-ahead log held after the last commit that its gauge heard of.
  package var walBytes: Int { Int(logGauge.pages) * (pageBytes + 24) }

  /// Whether another file has the path of the one that is open, or none has, as far as SQLite sees.
  package var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Bytes of all frames that commits have ever added to the log since its gauge was made.
  package var walWrittenBytes: UInt64 { logGauge.writtenPages &* UInt64(pageBytes + 24) }

  /// With it, other threads can end what runs on the connection. They may use nothing else of the connection.
  package var interrupter: Interrupter { Interrupter(connection: self) }

  /// Ends whatever runs on the connection with `SQLITE_INTERRUPT`; may be called from any thread while it is open.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// Gives memory of the page cache back.
  package func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// An interrupted `COMMIT` may have been carried out. Whether it was, only a rollback by SQLite tells.
  private func watchRollbacks() {
    guard access == .writer else { return }
    // Unretained because the connection owns the handle that calls.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_rollback_hook(
      handle,
      { context in
        guard let context else { return }
        // Unretained because the handle that calls belongs to the connection.
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.wasRolledBack = true
        connection.hooks.rolledBack?()
      }, context)
  }

  /// From now on only the engine's own statements commit, and none that a client sent: if a transaction ended under it,
  /// it fails.
  package func commitOnlyForEngine() {
    // Unretained because the connection owns the handle that calls, and keeps the authorizer.
    let context = Unmanaged.passUnretained(authorizer).toOpaque()
    sqlite3_commit_hook(
      handle,
      { context in
        guard let context else { return 0 }
        // Unretained because the handle that calls belongs to a connection that keeps the authorizer.
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        return authorizer.isEngine || authorizer.isPreparing ? 0 : 1
      }, context)
  }

  /// Closing will leave the write-ahead log as it is: after a failed sync nothing more may be copied from it, and
  /// whoever only looks at a file copies nothing.
  package func keepLogOnClose() {
    var inForce: Int32 = 0
    _ = martlet_sqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &inForce)
  }

  /// All of the log is in the database's file, so the next commit begins it anew.
  package func logIsCopied() { walWasCheckpointed(framesInLog: 0) }

  func walWasCheckpointed(framesInLog: Int32) { logGauge.pages = max(0, framesInLog) }
}

/// Ends what runs on a connection, from any thread, and keeps the connection open for that.
// Unchecked because the one thing that is done with the connection may be done on any thread.
public struct Interrupter: @unchecked Sendable {
  fileprivate let connection: Connection

  package func interrupt() { connection.interrupt() }
}

/// How long the write-ahead log was when one of a writer's connections last committed or checkpointed.
///
/// Always true: used on the writer's thread only.
public final class LogGauge {
  fileprivate(set) var pages: Int32 = 0
  /// All pages that were ever added to the log.
  private(set) var writtenPages: UInt64 = 0
  private var lastPages: Int32 = 0
  private var hasHeard = false

  /// The frames that the log held after the last commit that wrote some; nil before the first.
  package var lastFrames: Int? { hasHeard ? Int(lastPages) : nil }

  package init() {}

  /// After a commit, with the frames that the log holds then. There are fewer than before if it has started anew.
  func committed(pages count: Int32) {
    writtenPages &+= UInt64(max(0, count >= lastPages ? count - lastPages : count))
    lastPages = count
    pages = count
    hasHeard = true
  }
}
