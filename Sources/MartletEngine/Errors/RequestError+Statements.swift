import MartletSQLite
package import MartletValues

// MARK: - Before they run

/// What is wrong with a statement, a batch or a setup as a client sent it, before SQLite has seen it run.
///
/// Always true: the same condition has the same words whoever meets it; a value's number is shown, never the value.
extension RequestError {
  static let unprepared = RequestError(
    .notFound, .unprepared, "This server does not know the statement's shape. Send the statement itself once.",
    isRetryable: true)

  static let planQueueFull = RequestError(
    .resourceExhausted, .overloaded, "Too many long statements wait to be read. Try again in a moment.",
    isRetryable: true)

  /// There is no room for what a request needs or gives.
  package static func noMemory(_ what: String) -> RequestError {
    RequestError(
      .resourceExhausted, .memory,
      "The memory budget (\(max(1, ProcessMemory.limitBytes >> 20)) MiB) has no room for \(what) now. "
        + "Send it again in a while, or in smaller parts.", isRetryable: true)
  }
}

// MARK: - Parameters

extension RequestError {
  static func parameterCount(_ given: Int, wanted: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement,
      "The statement takes \(wanted) parameter\(wanted == 1 ? "" : "s"), and \(given == 0 ? "none" : String(given)) "
        + "came with it. Bind each of them, NULL included.")
  }

  static func parameterIsList(_ index: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement, "Parameter \(index) is a list in this statement. Bind rows, not a value.")
  }

  static func parameterIsNoList(_ index: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement, "Parameter \(index) is a single value in this statement, not a list.")
  }

  static func parameterRowsTooMany(_ index: Int, rowsMax: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit, "Parameter \(index) has more than \(rowsMax) rows. Send them in several requests.")
  }

  static func parameterColumns(_ index: Int, given: Int, wanted: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement,
      "Parameter \(index) takes rows of \(wanted) columns, and these have \(given).")
  }

  static func parameterRowsMalformed(_ index: Int) -> RequestError {
    RequestError(
      .invalidArgument, .malformed, "The columns of parameter \(index) do not agree with its number of rows.")
  }

  static func parameterTooLong(_ index: Int, sqliteCode: Int32) -> RequestError {
    RequestError(
      .resourceExhausted, .limit, "The value of parameter \(index) is longer than may be.", sqliteCode: sqliteCode)
  }

  static func valueWork(_ bytes: Int, operators: Int, max most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "A value of \(bytes) bytes is bound to a statement with \(operators) operators; bytes times operators may be "
        + "\(most), because nothing could end the statement between them. Bind a shorter value, or use fewer operators."
    )
  }

  static func patternWork(_ work: Int, max most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The phrases and NEARs of a pattern for MATCH count \(work), and \(most) at most may be in one here, because "
        + "nothing could end the statement within a row that has them all. A phrase counts 4 for each word, and a NEAR "
        + "twice the square of its phrases; 256 single words count 1. Ask for fewer words, or, if it is a write, for "
        + "the rows in a read first.")
  }

  static let patternUnknown = RequestError(
    .resourceExhausted, .limit,
    "MATCH gets its pattern from a table or a function, so nobody can tell beforehand how long it takes within one "
      + "row. Pass the pattern as a parameter, or write MATCH martlet_pattern(…) around the whole pattern.")

  static func operatorsTooMany(_ operators: Int, max most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The statement has \(operators) operators, those of its views and triggers among them, and \(most) at most may be "
        + "in one, because nothing could end it between them. Make several statements of it.")
  }

  static func parameterNotBound(_ index: Int, sqliteCode: Int32) -> RequestError {
    RequestError(
      .internal, .sqlite, "The value of parameter \(index) could not be bound.", sqliteCode: sqliteCode)
  }
}

// MARK: - Batches

extension RequestError {
  /// - Parameters:
  ///   - number: the step's, counted from 1, here and below.
  ///   - other: of the step that it names.
  static func conditionOfNoEarlierStep(_ number: Int, _ other: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement, "A condition of step \(number) names step \(other). Name an earlier one.",
      path: "steps[\(number - 1)].conditions")
  }

  static func valueOfNoEarlierStep(_ number: Int, _ other: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement, "A value of step \(number) refers to step \(other). Name an earlier one.",
      path: "steps[\(number - 1)].parameters")
  }

  static func valueOfNoColumn(_ number: Int) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement,
      "A value of step \(number) refers to a column that no result can have. Count columns from 0.",
      path: "steps[\(number - 1)].parameters")
  }

  static func valuesTooLong(_ number: Int, max most: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .limit,
      "The values of earlier steps that step \(number) names have more than \(most) bytes together. Name fewer, or "
        + "shorter ones.", path: "steps[\(number - 1)].parameters")
  }

  static func valueOfFailedStep(_ number: Int) -> RequestError {
    RequestError(
      .failedPrecondition, .invalidStatement,
      "A value of step \(number) comes from a step that did not succeed. Put a condition on that step.",
      path: "steps[\(number - 1)].parameters")
  }
}

// MARK: - Setups

extension RequestError {
  static func temporaryInRequest(_ path: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "Sessions share connections, so a statement may not make or drop temporary objects. Declare temporary views and "
        + "triggers in the setup of the session. Use ordinary tables or WITH in place of temporary tables.",
      path: path)
  }

  /// - Parameter finding: what the statement is instead, as a sentence.
  static func notInSetup(_ path: String, _ finding: String) -> RequestError {
    RequestError(
      .invalidArgument, .invalidStatement,
      "\(finding) A setup holds CREATE TEMPORARY VIEW and CREATE TEMPORARY TRIGGER. Send anything else as a request.",
      path: path)
  }

  static let ranksOldFullText = RequestError(
    .permissionDenied, .notAllowed,
    "offsets, matchinfo and snippet of an FTS3 or FTS4 table may hold the writer for minutes. Ask them in a read, or use "
      + "FTS5.")

  static func keyToShadow(_ table: String) -> RequestError {
    RequestError(
      .permissionDenied, .notAllowed,
      "A foreign key of the table '\(table)' would refer to the inside of a full-text or R-tree table, which SQLite "
        + "writes in its own way. Refer to a table of your own.")
  }

  /// The error has no code of SQLite's, because SQLite has undone nothing.
  static func internalTableFull(_ table: InternalTable, rows: Int, bytes: Int) -> RequestError {
    let reading = table.isOfSchema ? "it reads the schema" : "a row comes into a table with AUTOINCREMENT"
    return RequestError(
      .resourceExhausted, .limit,
      "The table '\(table.rawValue)' may have \(rows) rows and \(bytes) bytes, because SQLite reads all of it whenever "
        + "\(reading). Write fewer rows, or delete some of the table before.")
  }

  static func statisticsTooLong(_ table: InternalTable, rows: Int) -> RequestError {
    RequestError(
      .failedPrecondition, .limit,
      "The file came with more than \(rows) rows in the table '\(table.rawValue)', and SQLite reads all of them whenever "
        + "it reads the schema. Run `sqlite3 FILE 'DELETE FROM \(table.rawValue)'` while no server has the file open, "
        + "and ANALYZE afterwards.")
  }

  /// - Parameter object: its kind and its name.
  static func boundToShadow(_ object: String) -> RequestError {
    RequestError(
      .failedPrecondition, .readOnly,
      "The file came with something on the inside of a full-text or R-tree table: \(object). That would run when "
        + "SQLite commits, where no limit holds, so this database is only read. Drop it with SQLite's own shell while "
        + "no server has the file open.")
  }

  static let setupOfRestricted = RequestError(
    .permissionDenied, .permission,
    "This client may use some tables only, so its sessions have no temporary views and triggers. Open the database "
      + "without a setup.")

  static let setupWithParameters = RequestError(
    .invalidArgument, .invalidStatement,
    "A statement of a setup is kept by SQLite as text, so it has no parameters. Write literals.")

  /// The error of the setup's statement at `index`.
  func inSetup(_ index: Int) -> RequestError {
    var error = self
    error.path = path.isEmpty ? "setup[\(index)]" : "setup[\(index)].\(path)"
    error.message = "Statement \(index + 1) of the setup: \(message)"
    return error
  }
}
