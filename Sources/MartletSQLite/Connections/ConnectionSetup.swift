import CSQLite

/// The limits of one connection, and the fixed settings that every connection of this package gets.
///
/// Always true: a connection that opened has every setting below in force; each that can be read back was read back.
package struct ConnectionSetup: Sendable, Equatable {
  /// The longest value and the longest row, in bytes.
  package var valueBytesMax = 5 << 20
  /// The longest text of one statement.
  package var sqlBytesMax = 256 << 10
  /// Columns of a table, an index or a result.
  package var columnsMax = 2_000
  /// Levels of an expression.
  package var expressionDepthMax = 1_000
  /// Queries of a compound, as UNION makes one.
  package var compoundSelectsMax = 100
  /// Instructions of the program that a statement becomes.
  package var operationsMax = 250_000
  /// Arguments of a function.
  package var functionArgumentsMax = 100
  /// Triggers that lead to each other.
  package var triggerDepthMax = 500
  /// The longest pattern of LIKE or GLOB.
  package var likePatternBytesMax = 256
  /// What one pattern of MATCH may ask of a row, as `PatternWork` counts; `Int.max` for no bound. An owner has none.
  package var patternWorkMax = 1_024
  /// The same on a writer's connection.
  package var patternWriteWorkMax = 256
  /// The highest number of a parameter.
  package var parametersMax = 10_000
  /// The processor's time that compiling one statement may take; `Int.max` for no bound. An owner has none.
  package var compileMicrosecondsMax = 250_000
  /// The same on a writer's connection.
  package var compileWriteMicrosecondsMax = 50_000
  /// A compilation that allocates memory fewer times than this is not ended for its time.
  package var compileAllocationsShort = SQLiteLimits.allocationsOfShortCompilation
  /// A schema that takes longer to read than a statement may take to compile is not read together with a statement.
  /// Whoever sets this reads the schema with `readSchema`, expects `SQLiteCode.schemaTooLong` when a statement is
  /// compiled, and asks `hasEndedRecompilation` when a step fails.
  package var boundsSchemaReading = false
  /// Pages that are kept for the next statement.
  package var pageCacheBytes = 8 << 20
  /// What is left of the log when it has been copied into the file.
  package var journalBytesMax = 64 << 20
  /// Virtual-machine steps between two looks at deadline, budget and cancellation.
  package var progressSteps = 1_000
  /// How long a call waits for another connection's lock.
  package var busyTimeoutMs = 1_000

  /// Whose statements the connection runs; it decides what SQLite's authorizer refuses.
  package enum Authority: Sendable, Equatable {
    /// Programs that share the file over a server: nothing that others would notice besides data and schema.
    case clients
    /// The program that opened the file: everything but to end a transaction that is not its own.
    case owner
  }

  package var authority = Authority.clients
  package var enforcesForeignKeys = true
  /// Databases that may be attached beside the first.
  package var attachedMax = 0

  /// For a file that is not an engine's (one to import or export): its journal mode stays what it is.
  package var keepsJournalMode = false

  /// For a reader that looks at CHECK constraints: SQLite forgets those of a file that is opened for reading only, so
  /// the file is opened for writing if the system lets it. Nothing writes to it all the same, and closing it leaves the
  /// log as it is.
  package var seesChecks = false

  /// Whether the path may be, or lead through, a symbolic link.
  package var followsLinks = true

  /// For a file that nobody trusts and that is thrown away: its catalogue may be written, and what stands in double
  /// quotes may be a text, as in dumps of old databases.
  package var isScratch = false

  /// For a file that gets the schema of another one, which may be that of an old program: what stands in double quotes
  /// and names nothing is a text.
  package var takesQuotedTexts = false

  /// Keeps SQLite's own functions, and not this package's in their place; for comparisons.
  package var keepsLibraryFunctions = false

  /// Whether the pages of a file that this connection makes have checksums, and whether those that it reads are
  /// compared. An encrypted file has none: SQLCipher signs each page.
  package var pageChecksums = PageChecksums.off

  /// What opens an encrypted file: a passphrase, or SQLCipher's `x'…'` of the key itself. Nil: it is not encrypted.
  package var key: [UInt8]?

  /// A file of a former version of SQLCipher is rewritten for this one.
  package var migratesKey = false

  /// Who keeps something of each file that the connection opens.
  package var keeper: FileKeeper?

  package init() {}

  /// How SQLite is to open the file. A reader makes none.
  func openingFlags(for access: Connection.Access) -> Int32 {
    let mode =
      access == .writer
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : seesChecks ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    return mode | (followsLinks ? 0 : SQLITE_OPEN_NOFOLLOW) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  }

  func compileMicrosecondsMax(for access: Connection.Access) -> Int {
    if authority == .owner { return .max }
    return access == .writer ? min(compileMicrosecondsMax, compileWriteMicrosecondsMax) : compileMicrosecondsMax
  }

  func patternWorkMax(for access: Connection.Access) -> Int {
    if authority == .owner { return .max }
    return access == .writer ? patternWriteWorkMax : patternWorkMax
  }

  func apply(to connection: Connection) throws(SQLiteError) {
    sqlite3_busy_timeout(connection.handle, Int32(clamping: busyTimeoutMs))
    if let key {
      try connection.apply(key: key)
      if migratesKey { try connection.execute(FixedSQL.migrateCipher) }
      try connection.checkKey()
    } else {
      // Before anything makes the first page.
      try connection.apply(pageChecksums)
    }
    try applyPragmas(to: connection)
    try applyOptions(to: connection)
    applyLimits(to: connection)
    try checkDurability(of: connection)
    // An owner may change `synchronous` later; clients may not.
    if connection.access == .writer, authority == .clients, !keepsJournalMode { connection.gatherFrames() }
  }

  private func applyPragmas(to connection: Connection) throws(SQLiteError) {
    if connection.access == .writer {
      if !keepsJournalMode { try connection.execute(FixedSQL.journalModeWAL) }
      try connection.execute(FixedSQL.synchronousFull)
      try connection.execute(FixedSQL.journalSizeLimit(bytes: journalBytesMax))
    } else {
      // An owner's reader opens the file for reading only, and may still prepare temporary objects.
      if authority == .clients { try connection.execute(FixedSQL.queryOnly) }
      if seesChecks { connection.keepLogOnClose() }
    }
    for sql in FixedSQL.everywhere { try connection.execute(sql) }
    try connection.execute(FixedSQL.foreignKeys(isOn: enforcesForeignKeys))
    try connection.execute(FixedSQL.cacheSize(kibibytes: max(64, pageCacheBytes / 1024)))
    // Checkpoints are the writer's decision alone: one that runs beside a commit can lose pages in this SQLite.
    sqlite3_wal_autocheckpoint(connection.handle, 0)
  }

  private func applyOptions(to connection: Connection) throws(SQLiteError) {
    // An owner trusts the schema of its own file. The schema of clients' files is trusted only if FTS5 needs that.
    let isTrusted = authority == .owner || SQLiteLibrary.fullTextNeedsTrust
    let quotedTexts: Int32 = isScratch || takesQuotedTexts ? 1 : 0
    let options: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, isScratch ? 0 : 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, isTrusted ? 1 : 0),
      (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
      (SQLITE_DBCONFIG_DQS_DML, quotedTexts), (SQLITE_DBCONFIG_DQS_DDL, quotedTexts),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, enforcesForeignKeys ? 1 : 0),
    ]
    for (option, value) in options {
      var inForce: Int32 = -1
      let result = martlet_sqlite_db_config(connection.handle, option, value, &inForce)
      guard result == SQLITE_OK, inForce == value else {
        throw SQLiteError(
          extendedCode: result == SQLITE_OK ? SQLITE_ERROR : result,
          message: "The setting \(option) did not take effect.")
      }
    }
  }

  private func applyLimits(to connection: Connection) {
    let limits: [(Int32, Int)] = [
      (SQLITE_LIMIT_LENGTH, valueBytesMax), (SQLITE_LIMIT_SQL_LENGTH, sqlBytesMax),
      (SQLITE_LIMIT_COLUMN, columnsMax), (SQLITE_LIMIT_EXPR_DEPTH, expressionDepthMax),
      (SQLITE_LIMIT_COMPOUND_SELECT, compoundSelectsMax), (SQLITE_LIMIT_VDBE_OP, operationsMax),
      (SQLITE_LIMIT_FUNCTION_ARG, functionArgumentsMax), (SQLITE_LIMIT_ATTACHED, attachedMax),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, likePatternBytesMax), (SQLITE_LIMIT_VARIABLE_NUMBER, parametersMax),
      (SQLITE_LIMIT_TRIGGER_DEPTH, triggerDepthMax), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { sqlite3_limit(connection.handle, limit, Int32(clamping: value)) }
  }

  private func checkDurability(of connection: Connection) throws(SQLiteError) {
    func expect(_ sql: String, _ wanted: String) throws(SQLiteError) {
      let found = try connection.text(of: sql)
      guard found == wanted else {
        throw SQLiteError(
          extendedCode: SQLITE_CANTOPEN, message: "\(connection.label): \(sql) is \(found ?? "empty"), not \(wanted)")
      }
    }
    try expect(FixedSQL.readForeignKeys, enforcesForeignKeys ? "1" : "0")
    if !connection.isTransient && !keepsJournalMode { try expect(FixedSQL.readJournalMode, "wal") }
    if connection.access == .writer { try expect(FixedSQL.readSynchronous, "2") }
  }
}
