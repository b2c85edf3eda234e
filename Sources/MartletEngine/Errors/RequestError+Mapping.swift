package import MartletSQLite
package import MartletValues

/// What SQLite reports, as what a client is told: the one place where its codes become codes of the protocol.
///
/// Always true: the message is a sentence of ours, or SQLite's own if that can only name what the statement or the
/// schema name; no value of a row or a parameter gets through.
extension RequestError {
  /// The error has no code of SQLite's, because SQLite may not undo the whole statement then.
  static let rowDenied = RequestError(
    .permissionDenied, .permission,
    "This client may not write one of these rows. Ask the server's operator which rows it may write.")

  static let rowsNumberless = RequestError(
    .unimplemented, .unsupported,
    "This client may write to some rows of the table only, and the table has no rowid. Update it without FROM, with its "
      + "own name, and ask other tables in subqueries.")

  static let tooComplex = RequestError(
    .resourceExhausted, .limit,
    "SQLite takes too long to compile the statement, or makes too much of it, counted with the views, common tables "
      + "and generated columns that it names. Name each of them less often, join fewer tables, or take the statement "
      + "apart.")

  static let filesExhausted = RequestError(
    .resourceExhausted, .overloaded,
    "One more file is needed, and as many are open as the system lets this program open. Try again in a moment, or "
      + "raise the limit on open files.", isRetryable: true)

  static func schemaFull(_ size: SchemaSize, _ limits: Limits) -> RequestError {
    size.objects >= limits.schemaObjectsMax
      ? RequestError(
        .resourceExhausted, .limit,
        "The schema has \(size.objects) tables, indexes, views and triggers, and may have \(limits.schemaObjectsMax). Drop "
          + "some, or raise the limit.")
      : RequestError(
        .resourceExhausted, .limit,
        "The schema has \(size.bytes) bytes of SQL, and may have \(limits.schemaBytesMax). Drop something of it.")
  }

  /// - Parameters:
  ///   - plan: the statement that ran, for the path of the node at fault.
  ///   - stop: why the connection's limiter ended the statement, if it did.
  ///   - isCompiling: SQLite was reading the SQL, and has seen no values yet.
  ///   - writing: the tables whose foreign key may be violated, if the plan does not tell them.
  package init(
    _ error: SQLiteError, plan: Plan? = nil, limits: Limits = Limits(), stop: ExecutionLimiter.Stop? = nil,
    isCompiling: Bool = false, writing tables: [String]? = nil
  ) {
    let isCompiling = isCompiling || error.isOfCompilation && plan?.rules == nil
    if error.extendedCode == SQLiteCode.rowDenied {
      self = .rowDenied
      return
    }
    if error.extendedCode == SQLiteCode.keysMissing {
      self = .keysMissing
      return
    }
    if error.extendedCode == SQLiteCode.rowsNumberless {
      self = .rowsNumberless
      return
    }
    if error.extendedCode == SQLiteCode.cannotVacuum {
      self = RequestError(
        .failedPrecondition, .unsupported,
        "SQLCipher cannot vacuum a file with page checksums. Export the database and import it again.")
      return
    }
    switch error.code {
    case SQLiteCode.interrupt: self = .stopped(stop, limits)
    case SQLiteCode.constraint:
      self = .constraint(error, writing: tables ?? plan.map { WrittenTable.names(in: $0.sql) } ?? [])
    case SQLiteCode.error, SQLiteCode.authorization: self = .statement(error, plan, limits, isCompiling: isCompiling)
    case _ where error.extendedCode == SQLiteCode.ioData: self = .pageCorrupt(error.damagedPage)
    default: self = .condition(error, SQLiteLibrary.words(of: error.code))
    }
    sqliteCode = error.extendedCode
    guard isCompiling, let plan else { return }
    if let offset = error.offset, !SQLiteWords.isOfSchema(error.message) {
      path = plan.path(atOffset: offset, limits: limits)
    } else if error.message == Self.parserOverflow {
      path = plan.deepestPath(limits: limits)
    }
  }

  private static func stopped(_ stop: ExecutionLimiter.Stop?, _ limits: Limits) -> RequestError {
    switch stop {
    case .deadline: .deadlineWhileRunning
    case .budget:
      RequestError(.resourceExhausted, .limit, "The statement took more steps than it may. Ask for less at a time.")
    case .memory: .noMemory("what the statement has to remember")
    case .displaced:
      // Reads that this ends begin again by themselves. The error is for those that cannot.
      .noRoomForLongRead
    case .cancelled:
      RequestError(
        .cancelled, .cancelled, "The request was cancelled while it ran. Send it again if it is wanted after all.")
    case nil:
      RequestError(
        .aborted, .sqlite, "The statement was interrupted, though not by its owner; it was undone. Send it again.",
        isRetryable: true)
    }
  }

  // MARK: - Statements that SQLite does not take

  /// SQLite's words when its parser has no more room for what is open: parentheses, calls, subqueries. That of 3.40 has
  /// room for a hundred symbols, of which each level takes one to nine; only the parser itself can tell.
  private static let parserOverflow = "parser stack overflow"

  private static let tooManyTerms = "too many terms in compound SELECT"

  private static func statement(
    _ error: SQLiteError, _ plan: Plan?, _ limits: Limits, isCompiling: Bool
  ) -> RequestError {
    if error.message == tooManyTerms {
      return RequestError(
        .invalidArgument, .limit,
        "\(sentence(tooManyTerms)) It may have \(limits.compoundSelectsMax). Put rows into VALUES, or compounds into "
          + "common tables.")
    }
    if error.message == parserOverflow {
      return RequestError(
        .invalidArgument, .limit,
        "The statement nests deeper than SQLite's parser reads: about 30 calls or a dozen subqueries inside each other. "
          + "Move inner queries into common tables, and chains into operators of many operands.")
    }
    if error.extendedCode == SQLiteCode.schemaChangeDenied { return .permissionMissing(.schema) }
    if error.code == SQLiteCode.authorization {
      return RequestError(.permissionDenied, .notAllowed, sentence(isCompiling ? error.message : "not authorized"))
    }
    if !isCompiling, let plan, mayNameCondition(error.message, plan) {
      return RequestError(.permissionDenied, .notAllowed, sentence(SQLiteError.misfit.message))
    }
    // Before a value was bound, SQLite can only have words of the statement and the schema.
    if isCompiling || isAboutSchema(error.message, plan) { return named(error.message) }
    guard let words = SQLiteWords.harmless(error.message) else {
      return RequestError(.invalidArgument, .sqlite, "SQLite could not carry the statement out with these values.")
    }
    return whileRunning(words)
  }

  /// A statement is compiled again while it runs if the schema has changed. A full-text query reports its own columns
  /// in the words that SQLite has for a table's.
  private static func isAboutSchema(_ words: String, _ plan: Plan?) -> Bool {
    guard let plan, words.hasPrefix("no such column: ") else { return false }
    return !plan.sql.uppercased().contains("MATCH")
  }

  /// If the schema has changed, a condition of the operator's may not compile any more, and its names are in the
  /// SQL that SQLite speaks of.
  private static func mayNameCondition(_ words: String, _ plan: Plan) -> Bool {
    guard plan.rules != nil else { return false }
    // Of a full-text query's columns nothing is quoted anyway.
    if words.hasPrefix("no such column") { return isAboutSchema(words, plan) }
    return namesOfSchema.contains(where: words.hasPrefix)
  }

  private static let namesOfSchema = [
    "no such ", "ambiguous column", "table ", "view ", "index ", "vtable constructor failed", "recursive reference",
    "error in ",
  ]

  private static func named(_ words: String) -> RequestError {
    let isTooMany = words.hasPrefix("too many") && !words.hasPrefix("too many arguments on")
    let isLimit = isTooMany || words.contains("too large")
    return RequestError(
      .invalidArgument, isLimit ? .limit : .invalidStatement, sentence(words) + SQLiteWords.remark(on: words))
  }

  private static func whileRunning(_ words: String) -> RequestError {
    if words == "integer overflow" {
      return RequestError(.outOfRange, .sqlite, "A result does not fit an integer of 64 bits: \(words).")
    }
    if words.hasPrefix("unable to use function MATCH") {
      return RequestError(
        .invalidArgument, .sqlite,
        sentence(words) + " MATCH finds rows in a full-text index: it is a condition of WHERE, or of ON if the table "
          + "is the right side of a LEFT JOIN, alone or beside others with AND. Put alternatives into one pattern, or "
          + "into the parts of a UNION.")
    }
    if words.hasPrefix("unable to use function ") {
      return RequestError(
        .invalidArgument, .sqlite, sentence(words) + " Use it only in a query that has MATCH on that table.")
    }
    // A missing column is one that the pattern names. Those of the statement were there when it was compiled.
    if ["fts5", "unterminated string", "malformed MATCH", "no such column"].contains(where: words.hasPrefix) {
      return RequestError(
        .invalidArgument, .sqlite,
        "The full-text query is invalid: \(words). Quote its words, or check its operators and columns.")
    }
    if words == "malformed JSON" || words.contains("JSON path") {
      return RequestError(
        .invalidArgument, .sqlite, "A value is not valid JSON, or its path is invalid: \(words).")
    }
    if words.hasPrefix("cannot VACUUM") {
      return RequestError(.failedPrecondition, .notAllowed, sentence(words) + " Run it on its own.")
    }
    if SQLiteWords.isOfValues(words) {
      return RequestError(
        .invalidArgument, .sqlite, "SQLite could not carry the statement out with these values: \(words).")
    }
    return named(words)
  }

  /// SQLite's words with a capital and a full stop.
  private static func sentence(_ words: String) -> String {
    guard let first = words.first else { return "SQLite refused the statement." }
    let text = String(first).uppercased() + words.dropFirst()
    return text.hasSuffix(".") ? text : text + "."
  }

  // MARK: - Constraints

  private static func constraint(_ error: SQLiteError, writing tables: [String]) -> RequestError {
    let subject = error.message.split(separator: ": ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    switch error.extendedCode {
    case SQLiteCode.constraintUnique, SQLiteCode.constraintPrimaryKey, SQLiteCode.constraintRowID:
      let kind = error.extendedCode == SQLiteCode.constraintUnique ? "UNIQUE" : "PRIMARY KEY"
      return columns(
        subject, .alreadyExists, kind, "A row with the same \(kind == "UNIQUE" ? "unique value" : "key") exists already"
      )
    case SQLiteCode.constraintNotNull:
      return columns(subject, .failedPrecondition, "NOT NULL", "A value is missing where NULL is not allowed")
    case SQLiteCode.constraintCheck:
      return RequestError(
        .failedPrecondition, .constraint, "The CHECK constraint \(subject) does not hold.", constraint: subject)
    case SQLiteCode.constraintForeignKey: return foreignKey(of: tables)
    case SQLiteCode.constraintTrigger where error.message == foreignKeyWords:
      // SQLite makes triggers of its own for RESTRICT, and these report a foreign key.
      return foreignKey(of: tables)
    case SQLiteCode.constraintTrigger: return raised(error.message)
    case SQLiteCode.constraintDataType:
      let place = error.message.split(separator: " ").last.map(String.init) ?? ""
      return columns(place, .failedPrecondition, "DATATYPE", "A value does not have the type that its column demands")
    default:
      let words = SQLiteWords.harmless(error.message).map { ": \($0)" } ?? ""
      return RequestError(.failedPrecondition, .constraint, "A constraint of the schema does not hold\(words).")
    }
  }

  /// The words of RAISE are those of whoever wrote the trigger, and a program may compare them: they stay as they are.
  private static func raised(_ words: String) -> RequestError {
    RequestError(
      .failedPrecondition, .constraint, words.isEmpty ? "A trigger of the schema refused the statement." : words,
      constraint: "TRIGGER")
  }

  /// What SQLite says of every foreign key.
  static let foreignKeyWords = "FOREIGN KEY constraint failed"

  /// SQLite does not say which foreign key, because it only counts those that do not hold.
  private static func foreignKey(of tables: [String]) -> RequestError {
    let which =
      switch tables.count {
      case 0: "A foreign key"
      case 1: "A foreign key of \(tables[0]), or one that refers to it,"
      default:
        "A foreign key of \(tables.dropLast().joined(separator: ", ")) or \(tables[tables.count - 1]), or one that refers "
          + "to one of them,"
      }
    return RequestError(
      .failedPrecondition, .constraint,
      "\(which) would point nowhere: \(foreignKeyWords). Write the row that it refers to first, or delete what refers to "
        + "it.", constraint: "FOREIGN KEY", table: tables.count == 1 ? tables[0] : "")
  }

  /// `table.column, table.other` or `index 'name'`, as SQLite writes them.
  private static func columns(_ subject: String, _ code: Code, _ kind: String, _ words: String) -> RequestError {
    if subject.hasPrefix("index '"), subject.hasSuffix("'") {
      let name = String(subject.dropFirst(7).dropLast())
      return RequestError(code, .constraint, "\(words) (index \(name)).", constraint: name)
    }
    let places = subject.split(separator: ",").map { $0.drop { $0 == " " } }
    let table = places.first.map { $0.split(separator: ".").dropLast().joined(separator: ".") } ?? ""
    let names = places.map { $0.split(separator: ".").last.map(String.init) ?? "" }.joined(separator: ", ")
    return RequestError(
      code, .constraint, subject.isEmpty ? "\(words)." : "\(words) (\(subject)).", constraint: kind, table: table,
      column: names)
  }

  // MARK: - Conditions of the database

  private static func pageCorrupt(_ damaged: SQLiteError.DamagedPage?) -> RequestError {
    let place = damaged.map { "Page \($0.page) of \($0.file)" } ?? "A page of the database file"
    return RequestError(
      .dataLoss, .pageCorrupt,
      "\(place) is damaged: its checksum does not hold. The other pages can be used. Restore the file from a backup. If "
        + "another program wrote to the file, close it everywhere and run `martlet checksums renew`.")
  }

  private static func condition(_ error: SQLiteError, _ words: String) -> RequestError {
    if let condition = fileCondition(error, words) { return condition }
    return switch error.code {
    case SQLiteCode.busy:
      RequestError(.unavailable, .sqlite, "The database was busy: \(words). Try again.", isRetryable: true)
    case SQLiteCode.locked: .readByCursor(words)
    case SQLiteCode.schema, SQLiteCode.abort:
      RequestError(
        .aborted, .sqlite, "The schema changed while the statement ran: \(words). Try again.", isRetryable: true)
    case SQLiteCode.tooBig where error.extendedCode == SQLiteCode.tooComplex: .tooComplex
    case SQLiteCode.tooBig where error.extendedCode == SQLiteCode.tooLongForOperators:
      RequestError(.resourceExhausted, .limit, error.message)
    case SQLiteCode.tooBig:
      RequestError(
        .resourceExhausted, .limit,
        "A value, a row or the statement is too large: \(words). Send less at once.")
    case SQLiteCode.mismatch:
      RequestError(.invalidArgument, .sqlite, "A value does not have the type that its place demands: \(words).")
    case SQLiteCode.range:
      RequestError(.invalidArgument, .invalidStatement, "A parameter's number is out of range: \(words).")
    case SQLiteCode.noMemory:
      RequestError(
        .resourceExhausted, .memory, "There is not enough memory: \(words). Ask for less at once.", isRetryable: true)
    default:
      RequestError(.internal, .sqlite, "SQLite failed in a way that it should not: \(words). Report it.")
    }
  }

  /// What concerns the database's files or the disk; nil for anything else.
  private static func fileCondition(_ error: SQLiteError, _ words: String) -> RequestError? {
    switch error.code {
    case SQLiteCode.readOnly where error.extendedCode == SQLiteCode.boundToShadow: .boundToShadow(error.message)
    case SQLiteCode.readOnly where error.extendedCode != SQLiteCode.readOnly:
      RequestError(
        .failedPrecondition, .readOnly,
        "The database's file or directory cannot be written: \(words). Give this program the right to write there, or "
          + "mount the file system for writing.")
    case SQLiteCode.readOnly:
      RequestError(
        .failedPrecondition, .readOnly,
        "The statement writes where only reads are allowed: \(words). Use a write; where it is one, make the file "
          + "writable.")
    case SQLiteCode.full where error.extendedCode == SQLiteCode.temporaryFull: .temporaryFilesFull
    case SQLiteCode.full where error.extendedCode == SQLiteCode.temporaryDiskFull: .temporaryDiskFull
    case SQLiteCode.full:
      RequestError(
        .resourceExhausted, .sqlite,
        "There is no room on the disk, within the database's quota, or for another rowid: \(words). Free space and try "
          + "again.")
    case SQLiteCode.corrupt where error.extendedCode == SQLiteCode.corruptVirtualTable:
      RequestError(
        .dataLoss, .sqlite,
        "A full-text index, or another virtual table, is damaged or does not agree with its content: \(words). Rebuild it."
      )
    case SQLiteCode.corrupt:
      RequestError(.dataLoss, .sqlite, "The database file is damaged: \(words). Restore it from a backup.")
    case SQLiteCode.notADatabase:
      RequestError(
        .dataLoss, .sqlite,
        "The file is no database that can be read: \(words). It is damaged, of another kind, or encrypted with another "
          + "key than the one that was given, if any was. Give its key, or restore it from a backup.")
    case SQLiteCode.cannotOpen where error.extendedCode == SQLiteCode.noDescriptors: .filesExhausted
    case SQLiteCode.io, SQLiteCode.cannotOpen, SQLiteCode.permission:
      RequestError(
        .unavailable, .sqlite,
        "The database file could not be opened, read or written: \(words). Look at the disk, and at the rights on the "
          + "file and its directory.")
    default: nil
    }
  }
}
