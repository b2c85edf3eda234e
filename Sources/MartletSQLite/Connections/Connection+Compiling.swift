import CSQLite

/// Compiles SQL texts to statements.
///
/// Always true: a program's text is compiled under the guard, and the authorizer judges it; the engine's own fixed
/// texts are exempt from both.
extension Connection {
  /// Compiles exactly one statement. Throws on any error, on empty SQL and on more than one statement,
  /// `SQLiteCode.tooComplex` if a program's takes longer than it may, and `SQLiteCode.schemaTooLong` if the schema does
  /// and the connection bounds that too.
  package func prepare(_ sql: String, for author: Author = .program) throws(SQLiteError) -> Statement {
    do throws(SQLiteError) {
      return try compile(sql, for: author)
    } catch {
      guard error.extendedCode == SQLiteCode.tooComplex else {
        guard author == .program, isOfAnOldSchema(error) else { throw error }
        return try compile(sql, for: author)
      }
      if boundsSchemaReading {
        guard readsSchemaInTime else {
          throw SQLiteError(extendedCode: SQLiteCode.schemaTooLong, message: "The schema takes too long to read.")
        }
        throw error
      }
      if compilation.hasLostTransaction { throw .transactionLost }
      // Reading the schema may have taken the time. The statement is not to blame for that, and it is done only once.
      guard try readSchemaAfterAll() else { throw error }
      return try compile(sql, for: author)
    }
  }

  /// Whether the schema has changed since this connection read it, so that the error may be about what it was. SQLite
  /// asks itself only if a name is missing, and not if a table has too few columns, or a name is taken.
  private func isOfAnOldSchema(_ error: SQLiteError) -> Bool {
    guard error.code == SQLiteCode.error, !boundsSchemaReading else { return false }
    return (try? readSchema()) == true
  }

  private func compile(_ sql: String, for author: Author) throws(SQLiteError) -> Statement {
    let wasEngine = authorizer.isEngine
    authorizer.isEngine = author == .engine
    authorizer.statementBegan()
    defer { authorizer.isEngine = wasEngine }
    let failures = ProcessMemory.failureCount
    let (result, compiled, hasMore) = prepareOne(sql, for: author)
    if result != SQLITE_OK {
      if author == .program, compilation.hasEnded { throw compilationEnded }
      // SQLite says that it has no memory if a program has more instructions than it may.
      if result & 0xff == SQLITE_NOMEM, failures == ProcessMemory.failureCount { throw .tooComplex }
      throw refusal() ?? SQLiteError(result, on: handle)
    }
    guard let compiled else { throw SQLiteError(extendedCode: SQLITE_ERROR, message: "The statement is empty.") }
    if hasMore {
      sqlite3_finalize(compiled)
      throw SQLiteError(extendedCode: SQLITE_ERROR, message: "Only one statement may be sent at a time.")
    }
    do throws(SQLiteError) {
      try refuseExtendingShadow(for: author)
      try refuseLongArguments(of: sql, for: author)
    } catch {
      sqlite3_finalize(compiled)
      throw error
    }
    return try described(Statement(handle: compiled, connection: self, author: author))
  }

  /// Has SQLite compile the first statement of a text: its code, the statement if there is one, and whether the text
  /// holds another.
  private func prepareOne(_ sql: String, for author: Author) -> (Int32, OpaquePointer?, hasMore: Bool) {
    var sql = sql
    var compiled: OpaquePointer?
    var hasMore = false
    let result = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let start = characters.baseAddress
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let length = Int32(clamping: characters.count)
        let result =
          author == .engine
          ? sqlite3_prepare_v3(handle, start, length, flags, &compiled, &tail)
          : watchingCompilation { sqlite3_prepare_v3(handle, start, length, flags, &compiled, &tail) }
        if result == SQLITE_OK, let start, let tail {
          hasMore =
            tail - start < characters.count
            && SQLText.holdsStatement(UnsafeBufferPointer(rebasing: characters[(tail - start)...]))
        }
        return result
      }
    }
    return (result, compiled, hasMore)
  }

  /// The statement with what the authorizer has noted while it was compiled.
  private func described(_ statement: Statement) throws(SQLiteError) -> Statement {
    statement.fullTextTables = authorizer.fullTextTables
    statement.tablesOfViews = authorizer.tablesOfViews
    statement.growsSchema = authorizer.growsSchema
    statement.tableChange = authorizer.tableChange
    let mayRank = authorizer.mayRankOldFullText
    statement.altersTable = authorizer.altersTable
    // This comes last, because it may compile something else.
    statement.pace = try pace(of: statement)
    if statement.author == .program, !authorizer.isOwned { try statement.lookForFullText() }
    if mayRank { statement.ranksOldFullText = try haveOldFullText(statement.fullTextTables) }
    return statement
  }

  /// Nobody but an owner makes a trigger or an index on the inside of a virtual table.
  private func refuseExtendingShadow(for author: Author) throws(SQLiteError) {
    guard author == .program, !authorizer.isOwned, let table = authorizer.extendedTable, try isShadow(table) else {
      return
    }
    authorizer.refuseExtending(table)
    throw refusal() ?? SQLiteError(extendedCode: SQLITE_AUTH, message: "")
  }

  private func refuseLongArguments(of sql: String, for author: Author) throws(SQLiteError) {
    guard author == .program, !authorizer.isOwned, authorizer.makesVirtualTable else { return }
    let most = SQLiteLimits.virtualTableArgumentBytesMax
    guard VirtualTable(sql: sql).longestArgumentBytes > most else { return }
    authorizer.refuseArguments(longerThan: most)
    throw refusal() ?? SQLiteError(extendedCode: SQLITE_AUTH, message: "")
  }

  /// What SQLite says against the text of a statement if it compiles it now; nil if it does compile.
  func words(ofCompiling statement: OpaquePointer) -> String? {
    var compiled: OpaquePointer?
    let result = watchingCompilation { sqlite3_prepare_v3(handle, sqlite3_sql(statement), -1, 0, &compiled, nil) }
    sqlite3_finalize(compiled)
    if result & 0xff == SQLITE_AUTH { _ = refusal() }
    return result == SQLITE_OK ? nil : String(cString: sqlite3_errmsg(handle))
  }

  func watchingCompilation(_ body: () -> Int32) -> Int32 {
    authorizer.isCompiling = true
    defer { authorizer.isCompiling = false }
    return compilation.watch(body)
  }

  /// Asks the schema something for which SQLite compiles views: within the time of a program's compilation.
  func watchingSchema<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let result = compilation.watch { Swift.Result { () throws(SQLiteError) -> Result in try body() } }
    if case .failure = result, compilation.hasEnded { throw compilationEnded }
    return try result.get()
  }

  /// SQLite compiled a statement anew by itself, and that had to end.
  package var hasEndedRecompilation: Bool { compilation.hasEnded }

  /// A compilation had to end. True if the schema took the time, or had changed: the schema is known now, and the
  /// statement may be compiled again.
  func readSchemaAfterAll() throws(SQLiteError) -> Bool {
    compilation.end()
    if boundsSchemaReading { return false }
    let start = CompilationGuard.threadTime
    let hasChanged = try readSchema()
    return hasChanged || CompilationGuard.threadTime &- start >= SQLiteLimits.longSchemaReadingNs
  }

  var compilationEnded: SQLiteError {
    compilation.isStopped
      ? .interrupted
      : .tooComplex
  }

  /// The pace of the statement that was just compiled.
  private func pace(of statement: Statement) throws(SQLiteError) -> StatementPace {
    let isExplain = sqlite3_stmt_isexplain(statement.handle) != 0
    if !authorizer.isEngine, !authorizer.isOwned, authorizer.mayCountAtOnce, !isExplain,
      try countsAtOnce(statement.sql)
    {
      return .long
    }
    let pace = authorizer.pace
    if authorizer.isEngine || !authorizer.mayAskFullText { return pace }
    return try text(of: FixedSQL.firstVirtualTable) == nil ? pace : .long
  }

  /// Whether a statement counts the rows of a whole table in one step. SQLite does so for a `count(*)` without a
  /// condition.
  private func countsAtOnce(_ sql: String) throws(SQLiteError) -> Bool {
    var counts = false
    try explain(sql) { row in
      if let operation = sqlite3_column_text(row, 1), String(cString: operation) == "Count" { counts = true }
    }
    return counts
  }

  /// The instructions of a statement, and behind them those of its triggers.
  func program(of sql: String) throws(SQLiteError) -> [Instruction] {
    var program: [Instruction] = []
    try explain(sql) { row in
      guard let name = sqlite3_column_text(row, 1) else { return }
      let text = sqlite3_column_text(row, 5).map { String(cString: $0) } ?? ""
      let numbers = [0, 2, 3, 4, 6].map { Int(sqlite3_column_int(row, $0)) }
      program.append(
        Instruction(
          address: numbers[0], name: String(cString: name), first: numbers[1], second: numbers[2], third: numbers[3],
          text: text, flags: numbers[4]))
    }
    return program
  }

  /// Throws if it is not looked at to its end: nothing is known of the statement then.
  private func explain(_ sql: String, _ look: (_ row: OpaquePointer?) -> Void) throws(SQLiteError) {
    let wasEngine = authorizer.isEngine
    authorizer.isEngine = true
    defer { authorizer.isEngine = wasEngine }
    // The text is as long as a text may be, and a word longer.
    let most = sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, -1)
    let longer = most.addingReportingOverflow(Int32(FixedSQL.explain.utf8.count)).partialValue
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, max(most, longer))
    defer { sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, most) }
    var program: OpaquePointer?
    defer { sqlite3_finalize(program) }
    var ended: SQLiteError?
    var result = compilation.watchAside {
      let result = sqlite3_prepare_v2(handle, FixedSQL.explain + sql, -1, &program, nil)
      if result != SQLITE_OK, compilation.hasEnded { ended = compilationEnded }
      return result
    }
    if let ended { throw ended }
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle) }
    repeat {
      result = sqlite3_step(program)
      if result == SQLITE_ROW { look(program) }
    } while result == SQLITE_ROW
    guard result == SQLITE_DONE else { throw SQLiteError(result, on: handle) }
  }

  func refusal() -> SQLiteError? {
    guard let deed = authorizer.refusal else { return nil }
    authorizer.statementBegan()
    return SQLiteError(extendedCode: authorizer.refusalCode, message: "A statement may not \(deed).")
  }
}

extension SQLiteError {
  /// SQLite had no time to read the schema, and gave up the transaction for that. Nobody had asked to end it.
  static let transactionLost = interrupted

  static let tooComplex = SQLiteError(
    extendedCode: SQLiteCode.tooComplex, message: "The statement is too complex.")

  /// As SQLite says it of a statement that was ended.
  package static let interrupted = SQLiteError(extendedCode: SQLITE_INTERRUPT, message: "interrupted")
}
