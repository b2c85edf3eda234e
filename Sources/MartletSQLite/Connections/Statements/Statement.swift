public import CSQLite

/// One compiled statement: bind, step, read, reset.
///
/// Always true: it is compiled anew by SQLite itself when the schema changed, and keeps its bindings across that. It
/// belongs to one connection and is used where that is.
public final class Statement {
  @usableFromInline let handle: OpaquePointer
  package let connection: Connection
  @usableFromInline let author: Connection.Author

  /// The tables that the statement touches, as of the last compilation that was noted. Of the engine's own statements
  /// nothing is known.
  package internal(set) var access: TableAccess
  /// Grows when a compilation by SQLite itself has changed `access`.
  package internal(set) var accessVersion: UInt32 = 0
  var seenCompilations: Int32 = 0
  /// Result columns at the end that the reader of the rows does not get.
  @usableFromInline package var hiddenColumns = 0
  /// How long one of its steps may take.
  package internal(set) var pace = StatementPace.ordinary
  /// The statement makes or alters something in the schema; what it drops does not count.
  package internal(set) var growsSchema = false
  var tableChange: TableChange?
  /// Tables, in lower case, that it queries as full-text tables are queried. They may be other tables.
  package internal(set) var fullTextTables: Set<String> = []
  /// It calls `offsets`, `matchinfo` or `snippet` of FTS3 or FTS4, which take the words of the pattern times those of
  /// the row, and more, in one step.
  package internal(set) var ranksOldFullText = false
  /// What it asks full-text tables for; nil if it touches none, or belongs to the file's owner.
  private var fullText: (asked: FullTextUse, compilations: Int32)?
  var altersTable = false
  /// As of the compilation of that number.
  var failure: (reach: FailureReach, compilations: Int32)?
  /// Tables, in lower case, that its views read. Known only for a statement that is held to what it may touch.
  package internal(set) var tablesOfViews: Set<String> = []
  /// What the statement may touch; nil: everything.
  private var reach: StatementReach?
  /// The steps need no watching: the statement is a program's, not held to what it may touch, and no transaction's.
  // Unchecked because it is read at each row, and changed only before the statement runs for the first time.
  @exclusivity(unchecked) @usableFromInline private(set) var isPlain: Bool
  /// SQLite compiled the statement anew, perhaps for a changed schema, and it touches more than it may. It cannot be
  /// used any more, but its SQL may be compiled once more.
  package private(set) var isOutgrown = false

  init(handle: OpaquePointer, connection: Connection, author: Connection.Author) {
    self.handle = handle
    self.connection = connection
    self.author = author
    isPlain = author == .program && !connection.authorizer.controlsTransactions
    access = author == .program ? connection.authorizer.access : .unknown
    if author == .program { access = access.completed(isReadOnly: isReadOnly) }
  }

  deinit { sqlite3_finalize(handle) }

  /// Bytes of memory that the statement holds, without its bound values.
  package var byteCount: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_MEMUSED, 0)) }

  // MARK: - Running

  /// Has the limiter look as often as the statement needs. Called before the limiter is armed for it. `hasLongValues`:
  /// what is bound makes its steps slow.
  package func setPace(hasLongValues: Bool = false) {
    connection.limiter.expect(hasLongValues ? max(pace, .slow) : pace, on: connection.handle)
  }

  /// What is known of its program, and how often SQLite had compiled it anew by then.
  private var measured: (isSmall: Bool, compilations: Int32)?
  /// Those of the program that was measured, if they were counted. It stands alone because each run of the statement
  /// asks whether it is small, and would copy this with the answer.
  private var countedOperators: OperatorCount?

  /// Its program is so small that its operators need not be counted.
  package var isSmall: Bool {
    let compilations = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    if let measured, measured.compilations == compilations { return measured.isSmall }
    let isSmall = !altersTable && fullText?.asked.isCheap ?? true && byteCount < smallBytes
    measured = (isSmall, compilations)
    countedOperators = nil
    return isSmall
  }

  /// What the operators of a program go through: each goes through the whole of its values in one step.
  package enum OperatorValues {
    /// All of its values.
    case all
    /// The same byte of the values of a message, or of what is read, at most.
    case message
    /// The same byte of one stored row, at most.
    case row
    /// The same within one round of a loop, if the steps of the statement are slow: SQLite looks up after each.
    case round
    /// Values that are read or made, and not bound.
    case stored
  }

  /// Throws if the program cannot be looked at, and nothing is known of it.
  package func operatorCount(on values: OperatorValues) throws(SQLiteError) -> Int {
    switch values {
    case .all: try operators.onAll
    case .message: try operators.onMessage
    case .row: try operators.onRow + additionalOperators
    case .round: try operators.onRound + additionalOperators
    case .stored: try operators.onStored + additionalOperators
    }
  }

  /// Those of what SQLite compiles within the statement: a read of the table that a full-text table indexes, and a
  /// query of all rows with what an ALTER TABLE says of a column.
  private var additionalOperators: Int {
    let altering = altersTable ? SQLText.tokenCount(of: sql) * SQLiteLimits.operatorsPerToken : 0
    return altering + (fullText?.asked.contentOperators ?? 0)
  }

  private var operators: OperatorCount {
    get throws(SQLiteError) {
      // What was counted before SQLite compiled it anew is forgotten.
      _ = isSmall
      if let countedOperators { return countedOperators }
      // An EXPLAIN does nothing of what it explains.
      let isExplain = sqlite3_stmt_isexplain(handle) != 0
      let operators = isExplain ? OperatorCount([]) : try connection.operators(of: sql, touching: access)
      countedOperators = operators
      return operators
    }
  }

  /// Functions that read the whole of a value may take more than an operator for each byte.
  private var smallBytes: Int {
    pace == .ordinary ? SQLiteLimits.countedStatementBytesMin : SQLiteLimits.countedSlowStatementBytesMin
  }

  func lookForFullText() throws(SQLiteError) {
    // An EXPLAIN does nothing of what it explains.
    guard sqlite3_stmt_isexplain(handle) == 0 else { return }
    fullText = try connection.fullTextUse(of: sql, touching: access).map { ($0, reprepareCount) }
  }

  /// What it asks full-text tables for, as of its last compilation; nil if it touches none.
  package var fullTextUse: FullTextUse? {
    get throws(SQLiteError) {
      if let fullText, fullText.compilations != reprepareCount { try lookForFullText() }
      return fullText?.asked
    }
  }

  /// Goes to the next row; false when there is none. After an error or the last row, `reset` before the next use.
  @inlinable
  public func step() throws(SQLiteError) -> Bool {
    let result = isPlain ? sqlite3_step(handle) : stepWatched()
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    return try stepAfter(result)
  }

  /// A step has failed. It is taken once more if all that SQLite lacked was time to read the schema; nothing has run by
  /// then.
  @usableFromInline
  func stepAfter(_ failure: Int32) throws(SQLiteError) -> Bool {
    // A virtual table may have another error for it.
    if let end = endOfVirtualTable() { throw end }
    guard failure & 0xff == SQLITE_NOMEM else { throw stepError(failure) }
    guard connection.compilation.takeEndWithinStep() else { throw stepError(failure) }
    sqlite3_reset(handle)
    if connection.compilation.hasLostTransaction {
      connection.compilation.end()
      throw .transactionLost
    }
    guard try connection.readSchemaAfterAll() else { throw connection.compilationEnded }
    let result = isPlain ? sqlite3_step(handle) : stepWatched()
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    if let end = endOfVirtualTable() { throw end }
    guard result & 0xff == SQLITE_NOMEM else { throw stepError(result) }
    throw connection.compilation.takeEndWithinStep() ? connection.compilationEnded : stepError(result)
  }

  /// The error if what a virtual table of the statement compiles took too long. SQLite lacks memory then, and gives up
  /// the transaction, too, if it cannot undo the statement alone: who has one open looks after each error.
  private func endOfVirtualTable() -> SQLiteError? {
    connection.compilation.takeEndOfVirtualTable() ? connection.compilationEnded : nil
  }

  /// A step may compile the statement anew, and SQLite says no more than "not authorized" to what is refused then.
  @usableFromInline
  func stepError(_ result: Int32) -> SQLiteError {
    if isOutgrown { return SQLiteError(extendedCode: SQLITE_SCHEMA, message: "the schema has changed") }
    let isRefused = result & 0xff == SQLITE_AUTH
    if isRefused, var refusal = connection.refusal() {
      refusal.isOfCompilation = true
      return refusal
    }
    var error = SQLiteError(result, on: sqlite3_db_handle(handle))
    if error.code == SQLiteCode.tooBig, let bytes = connection.valueBound {
      // They were counted before the values were bound.
      let operators = (try? operatorCount(on: .stored)) ?? 0
      error = SQLiteError(
        extendedCode: SQLiteCode.tooLongForOperators,
        message:
          "A statement of \(operators) operators takes values of \(bytes) bytes at most, because nothing could "
          + "end it between two of them. Use fewer operators, or shorter values.")
    }
    if mayBeOfCompilation(error) {
      error.isOfCompilation = connection.words(ofCompiling: handle) == error.message
      if connection.compilation.hasLostTransaction { return .transactionLost }
    }
    return error
  }

  /// SQLite has one code for a statement that it could not compile anew, because of what has become of the schema, and
  /// for much else. Only in the first case it says the same of the text once more. What a statement says that is held
  /// to what it may touch is not told anyway.
  private func mayBeOfCompilation(_ error: SQLiteError) -> Bool {
    error.code == SQLITE_ERROR && author == .program && reach == nil && reprepareCount == seenCompilations
  }

  /// A step of the engine's own statements, and of those that are held to what they may touch: it may compile the
  /// statement anew, and then the authorizer has to know which statement it is. And a step of a program's statement
  /// that controls transactions, which may have been compiled before the present one began.
  @usableFromInline
  func stepWatched() -> Int32 {
    guard let reach else {
      guard author == .engine else {
        return connection.authorizer.mayControlTransactions() ? sqlite3_step(handle) : SQLITE_AUTH
      }
      connection.authorizer.isEngine = true
      defer { connection.authorizer.isEngine = false }
      return sqlite3_step(handle)
    }
    connection.authorizer.wasBeyondReach = false
    connection.authorizer.running = (handle, reach)
    defer { connection.authorizer.running = nil }
    let result = sqlite3_step(handle)
    if result != SQLITE_ROW, result != SQLITE_DONE { isOutgrown = connection.authorizer.wasBeyondReach }
    return result
  }

  func hold(to reach: StatementReach) {
    self.reach = reach
    isPlain = false
  }

  /// Makes the statement ready to run again, with the same bindings; ends its part in a transaction.
  @inlinable public func reset() { sqlite3_reset(handle) }

  /// Every parameter is NULL again; lists and texts that were bound are let go.
  @inlinable public func clearBindings() { sqlite3_clear_bindings(handle) }

  // MARK: - Binding, with parameters counted from 1

  @inlinable
  public func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value))
  }

  @inlinable
  public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: index), value))
  }

  @inlinable
  public func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index)))
  }

  /// Binds a copy of UTF-8 bytes.
  @inlinable
  public func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    // Any address will do for an empty text, because SQLite reads none of it; a missing one would mean NULL.
    let start = (bytes.baseAddress ?? UnsafeRawPointer(handle)).assumingMemoryBound(to: CChar.self)
    try check(
      martlet_sqlite_bind_text_copy(handle, Int32(truncatingIfNeeded: index), start, UInt64(bytes.count)))
  }

  @inlinable
  public func bindText(_ text: String, at index: Int) throws(SQLiteError) {
    var text = text
    var result: Int32 = SQLITE_OK
    text.withUTF8 { bytes in
      // Bytes may be read as characters of C because both are one byte; an empty text needs an address, and any will
      // do.
      let start = (UnsafeRawPointer(bytes.baseAddress) ?? UnsafeRawPointer(handle)).assumingMemoryBound(to: CChar.self)
      result = martlet_sqlite_bind_text_copy(
        handle, Int32(truncatingIfNeeded: index), start, UInt64(bytes.count))
    }
    try check(result)
  }

  /// Binds a copy of bytes.
  @inlinable
  public func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    let start = bytes.baseAddress ?? UnsafeRawPointer(handle)
    try check(
      martlet_sqlite_bind_blob_copy(handle, Int32(truncatingIfNeeded: index), start, UInt64(bytes.count)))
  }

  /// Binds rows for `martlet_list` and `martlet_rows`; they live until the binding is replaced or cleared.
  package func bind(_ rows: RowsPointer, at index: Int) throws(SQLiteError) {
    try check(rows.bind(to: handle, at: Int32(clamping: index)))
  }

  @inlinable
  func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw SQLiteError(result, on: sqlite3_db_handle(handle)) }
  }

  // MARK: - Reading, with columns counted from 0

  /// A value of the current row, valid until the next step or reset. `index` must be below `columnCount`.
  @inlinable
  public func value(at index: Int) -> RowValue {
    RowValue(handle: sqlite3_column_value(handle, Int32(truncatingIfNeeded: index)))
  }

  @inlinable public var columnCount: Int { max(0, Int(sqlite3_column_count(handle)) - hiddenColumns) }
  @inlinable public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Whether the statement is a query, and stays one when SQLite compiles it again. `DROP TRIGGER IF EXISTS` writes
  /// nothing as long as there is no such trigger, but has no columns.
  package var isQuery: Bool { isReadOnly && columnCount > 0 }

  /// Whether the statement writes nothing to the database file. An EXPLAIN does not, whatever it explains.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 || sqlite3_stmt_isexplain(handle) != 0 }

  /// Whether the statement was stepped and neither finished nor reset.
  package var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// How often SQLite compiled the statement anew, after a change of the schema; the columns may differ then.
  @inlinable public var reprepareCount: Int32 { sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) }
}
