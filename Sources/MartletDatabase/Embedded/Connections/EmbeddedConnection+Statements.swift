import MartletEngine
import MartletQuery
import MartletSQLite
import MartletValues

/// How the statements of a closure run on the connection, one after the other.
extension EmbeddedConnection: StatementHome, RowsOwner {
  func open(_ statement: SerializedStatement, outlivesCall: Bool) throws -> OpenedRows {
    let rows = EmbeddedRows(try prepare(statement), owner: self)
    if outlivesCall {
      cursors.removeAll(where: \.isOver)
      cursors.append(rows)
      // A statement that is at a row is busy, so that nobody else takes it from the cache.
      rows.hasPendingRow = try rows.step()
      if rows.hasPendingRow { rows.started() }
    }
    return .statement(rows)
  }

  func run(_ statement: SerializedStatement) throws {
    let rows = EmbeddedRows(try prepare(statement), owner: self)
    while try rows.step() {}
  }

  func run(script: String) throws {
    var text = ScriptText(script)
    while true {
      if control.isActive, connection.isAutocommit { throw RequestError.transactionUndone }
      let next: MartletSQLite.Statement?
      do throws(SQLiteError) {
        next = try connection.prepareNext(of: &text)
      } catch {
        throw explain(error, ofScriptsStatement: nil)
      }
      guard let statement = next else { return }
      try followTask(toRun: statement.sql)
      do throws(SQLiteError) {
        if isReading, !statement.isReadOnly {
          throw SQLiteError(extendedCode: SQLiteCode.readOnly, message: "")
        }
        let moment = connection.accessMoment
        began(statement)
        defer {
          statement.noteRecompilation(since: moment)
          ended(statement)
        }
        while try statement.step() {}
      } catch {
        throw explain(error, ofScriptsStatement: statement.sql)
      }
    }
  }

  private func explain(_ error: SQLiteError, ofScriptsStatement sql: String?) -> any Error {
    guard connection.functionFailure == nil else { return explain(error, of: nil) }
    if let refusal = RequestError(ofLock: error, path: file.path) { return refusal }
    return nameOtherSpelling(
      RequestError(
        error, limits: file.limits, stop: connection.limiter.stop, isCompiling: true, writing: tables(writtenBy: sql)))
  }

  var lastInsertRowID: Int64 { connection.lastInsertRowID }
  var changesCount: Int { Int(clamping: connection.changes) }
  var totalChangesCount: Int { Int(clamping: connection.totalChanges) }
  var isInTransaction: Bool { !connection.isAutocommit }

  func inTransaction<T>(_ body: () throws -> T, isUndone: (T) -> Bool) throws -> T {
    do throws(SQLiteError) { try control.begin(immediate: true) } catch { throw explain(error, of: nil) }
    do {
      let result = try body()
      if isUndone(result) {
        undo()
        return result
      }
      guard !connection.isAutocommit else { throw RequestError.transactionUndone }
      try checkCancellation()
      do throws(SQLiteError) { try control.commit() } catch { throw explain(error, of: nil) }
      tellOfWrites()
      return result
    } catch {
      undo()
      throw error
    }
  }

  private func undo() {
    closeCursors()
    control.rollBack()
    forgetWrites()
  }

  func inMigration(_ body: () throws -> Void) throws {
    let enforces = file.configuration.foreignKeysEnabled
    if enforces { try control.setForeignKeys(enforced: false) }
    defer { if enforces { try? control.setForeignKeys(enforced: true) } }
    try inTransaction {
      try body()
      let broken = enforces ? try control.brokenForeignKeys() : []
      guard broken.isEmpty else {
        throw RequestError.migrationBreaksKeys(of: broken)
      }
    } isUndone: {
      false
    }
  }

  func recordingReads<T>(_ body: () throws -> T) throws -> RecordedValue<T> {
    recordedReads = TableSet()
    defer { recordedReads = nil }
    let value = try body()
    return RecordedValue(value: value, reads: recordedReads ?? .everything)
  }

  func savepoint(_ action: SavepointAction, depth: Int) throws {
    do throws(SQLiteError) {
      switch action {
      case .set: try control.setSavepoint(depth)
      case .release: try control.releaseSavepoint(depth)
      case .rollBackTo: try control.rollBackToSavepoint(depth)
      }
    } catch {
      throw explain(error, of: nil)
    }
    // Outside of a transaction the release of the outermost savepoint commits.
    if !control.isActive, connection.isAutocommit { tellOfWrites() }
  }

  func trace(_ options: TracingOptions, _ hook: ((TraceEvent) -> Void)?) {
    guard let hook else { return connection.trace(nil) }
    connection.trace(tellsEnds: options.contains(.profile)) { traced in
      let statement = TraceEvent.Statement(sql: traced.sql, expandedSQL: traced.expandedSQL)
      if let nanoseconds = traced.nanoseconds {
        hook(.profile(statement: statement, duration: Double(nanoseconds) / 1e9))
      } else if options.contains(.statement) {
        hook(.statement(statement))
      }
    }
  }
}
