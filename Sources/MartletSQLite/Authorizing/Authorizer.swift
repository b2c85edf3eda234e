import CSQLite

/// Denies, while SQLite compiles a statement, the operations that no program's statement may perform.
///
/// Always true: only what is known to be harmless to the connection's other users is allowed. The engine's own fixed
/// statements are exempt, for the time in which they are compiled. This is the second check: the tree was validated
/// first.
final class Authorizer {
  /// Set while a statement of the engine's own is compiled or run.
  var isEngine = false

  /// Set while a database setup makes its temporary views and triggers; then nothing else is allowed.
  var isPreparing = false

  /// What the statement that is being prepared by a setup makes; nil if it makes nothing.
  private(set) var madeTemporary: String?

  /// The connection has temporary objects, and a program's change of the schema may have taken or altered some.
  private(set) var mayHaveTemporaryChanges = false

  /// The program that opened the file may do everything, but not end a transaction that the library began for it.
  var isOwned = false
  var isInTransaction = false

  /// The client whose statement is compiled or run may make, change and drop what the schema holds.
  var allowsSchemaChanges = true

  /// What the statement that is being compiled may touch; nil: everything.
  var reach: StatementReach?
  /// The statement that takes a step, and what it may touch; nil: everything, or nothing runs.
  var running: (statement: OpaquePointer, reach: StatementReach)?
  /// A statement was refused because it touches more than it may.
  var wasBeyondReach = false
  /// Tables that views of the statement read, in lower case.
  private(set) var tablesOfViews: Set<String> = []
  /// Collects what is read, if somebody asks.
  var noted: ReadColumns?

  /// What has been compiled since a program's statement began.
  private(set) var access = TableAccess()
  /// Grows whenever `access` begins anew.
  private(set) var accessMoment: UInt64 = 0
  private var hasNoted = false

  /// How long one step may take of the statement that is being compiled.
  private(set) var pace = StatementPace.ordinary
  /// The statement names a column like its table, which is how a full-text index is queried.
  private(set) var mayAskFullText = false
  /// The statement alters a table, so SQLite may look at all of its rows.
  private(set) var altersTable = false
  /// It calls a function that FTS3 and FTS4 have, and that a full-text table of FTS5 may have by the same name.
  private(set) var mayRankOldFullText = false
  /// Tables, in lower case, that it may query that way, or whose ranking it names.
  private(set) var fullTextTables: Set<String> = []
  /// The statement counts rows, maybe all of a table at once.
  private(set) var mayCountAtOnce = false

  /// Why the last statement was refused; SQLite itself only says "not authorized".
  private(set) var refusal: String?
  /// The extended result code that goes with it.
  private(set) var refusalCode = SQLITE_AUTH

  /// Set while a program's statement is compiled because the program asked, and not by SQLite itself.
  var isCompiling = false
  /// Watches what SQLite compiles at other times.
  var recompilation: CompilationGuard?

  /// The statement makes or alters something in the schema.
  private(set) var growsSchema = false
  private(set) var makesVirtualTable = false
  /// The statement makes or alters tables.
  private(set) var tableChange: TableChange?
  /// The table that the statement makes a trigger or an index for.
  private(set) var extendedTable: String?
  /// The statement is one of a file's owner, and begins or ends a transaction or a savepoint.
  private(set) var controlsTransactions = false
  /// A table or view is dropped by the statement that is compiled, and its triggers with it.
  private var isDropping = false

  /// A statement is about to be compiled.
  func statementBegan() {
    refusal = nil
    pace = .ordinary
    mayAskFullText = false
    altersTable = false
    mayRankOldFullText = false
    fullTextTables = []
    tablesOfViews = []
    mayCountAtOnce = false
    madeTemporary = nil
    isDropping = false
    growsSchema = false
    makesVirtualTable = false
    extendedTable = nil
    tableChange = nil
    controlsTransactions = false
    forgetAccess()
  }

  /// A statement is about to be compiled, or to run.
  func forgetAccess() {
    accessMoment &+= 1
    guard hasNoted else { return }
    access = TableAccess()
    hasNoted = false
  }

  func install(on connection: OpaquePointer) {
    // Unretained because the connection owns the authorizer and outlives its own handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, schema, inside in
        guard let context else { return SQLITE_DENY }
        // Unretained because the connection that calls owns the authorizer.
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        guard authorizer.allows(action, first, second, schema, inside) else { return SQLITE_DENY }
        return action == SQLITE_DELETE && authorizer.deletesRowByRow(first) ? SQLITE_IGNORE : SQLITE_OK
      }, context)
  }

  /// SQLite empties a table in one step for a DELETE without a condition. No deadline ends that step, and all other
  /// writers wait for it. The answer SQLITE_IGNORE makes SQLite delete row by row, and changes nothing else. SQLite
  /// asks the same about a table that is dropped; that answer would keep the table.
  private func deletesRowByRow(_ table: UnsafePointer<CChar>?) -> Bool {
    !isOwned && !isEngine && !isPreparing && !isDropping && !Self.names(Self.catalogs, table)
  }

  private func allows(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?,
    _ inside: UnsafePointer<CChar>?
  ) -> Bool {
    if isEngine { return true }
    if !isCompiling { recompilation?.beginWithinStep() }
    notePace(action, first, second)
    if isPreparing { return allowsInSetup(action, first, second) }
    access.note(action, first, second, schema)
    hasNoted = true
    if isOwned {
      guard action == SQLITE_TRANSACTION || action == SQLITE_SAVEPOINT else { return true }
      controlsTransactions = true
      return mayControlTransactions()
    }
    if !allowsSchemaChanges, Self.schemaChanges.contains(action) {
      return refuse("change the schema, because its client has no permission for that", SQLiteCode.schemaChangeDenied)
    }
    if action == SQLITE_READ, noted != nil, inside == nil {
      noted?.insert(Self.lowercased(first), Self.lowercased(second))
    }
    if let deed = deedBeyondReach(action, first, second, schema, inside) {
      wasBeyondReach = true
      return refuse(deed)
    }
    return allowsClients(action, first, second, schema)
  }

  /// Whether the owner's statement may begin or end a transaction now. Asked when it is compiled and before each of its
  /// steps, because SQLite asks only the first time, and the library may have begun a transaction since.
  func mayControlTransactions() -> Bool {
    !isInTransaction || refuse("control transactions with SQL inside of one")
  }

  /// What a statement of any client may do, and what it makes of the schema.
  private func allowsClients(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?
  ) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_READ:
      return !Self.names(Self.closedTables, first) || refuse("read the internal table \(Self.lowercased(first))")
    case SQLITE_FUNCTION:
      return !Self.names(Self.closedFunctions, second) || refuse("call the function \(Self.lowercased(second))")
    case SQLITE_PRAGMA: return allowsPragma(first, hasArgument: second != nil)
    case SQLITE_INSERT where Self.names(Self.catalogs, first) && Self.names(["temp"], schema):
      // What is made as `temp.name` and not as TEMPORARY has the code of an ordinary object, but ends up here.
      return refuseTemporary()
    case SQLITE_CREATE_VTABLE:
      growsSchema = true
      makesVirtualTable = true
      tableChange = .ofAny
      return Self.names(Self.openModules, second) || refuse("use the table module \(Self.lowercased(second))")
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_ANALYZE, SQLITE_REINDEX, SQLITE_DROP_INDEX,
      SQLITE_DROP_TRIGGER:
      return true
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER:
      noteExtended(action, second)
      if action == SQLITE_CREATE_TABLE, tableChange == nil { tableChange = first.map { .of(String(cString: $0)) } }
      // ANALYZE makes its one or two tables only once.
      if first.map({ sqlite3_strnicmp($0, "sqlite_stat", 11) != 0 }) ?? true { growsSchema = true }
      return true
    case SQLITE_DROP_TABLE, SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE:
      isDropping = true
      return true
    case SQLITE_ALTER_TABLE:
      tableChange = .ofAny
      altersTable = true
      mayHaveTemporaryChanges = true
      growsSchema = true
      return true
    case SQLITE_DROP_TEMP_TRIGGER where isDropping:
      // The trigger goes with its table; the connection's owner makes the setup's triggers anew.
      mayHaveTemporaryChanges = true
      return true
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("control transactions with SQL")
    case SQLITE_ATTACH, SQLITE_DETACH: return refuse("attach or detach databases")
    default: return refuseTemporary()
    }
  }

  private func notePace(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
    if action == SQLITE_FUNCTION, let second {
      pace = max(pace, StatementPace.of(function: String(cString: second)))
      if sqlite3_stricmp(second, "count") == 0 { mayCountAtOnce = true }
      if Self.names(Self.oldFullTextFunctions, second) { mayRankOldFullText = true }
    } else if action == SQLITE_READ, let first, let second {
      let isQuestion = sqlite3_stricmp(first, second) == 0
      if isQuestion { mayAskFullText = true }
      if isQuestion || sqlite3_stricmp(second, "rank") == 0 { fullTextTables.insert(Self.lowercased(first)) }
    }
  }

  /// What SQLite asks about, in words, if it is beyond the statement's reach. A statement that SQLite compiles anew
  /// does not run yet; what SQLite asks while it runs is for a virtual table's own statements.
  private func deedBeyondReach(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?,
    _ inside: UnsafePointer<CChar>?
  ) -> String? {
    var held = isCompiling ? reach : nil
    if !isCompiling, let running, sqlite3_stmt_busy(running.statement) == 0 { held = running.reach }
    guard let reach = held else { return nil }
    let (first, second, inside) = (Self.lowercased(first), Self.lowercased(second), inside.map(Self.lowercased))
    if action == SQLITE_READ {
      // SQLite names a view's table in the place of the view if it asks no column of it.
      if second.isEmpty, tablesOfViews.contains(first) { return nil }
      if let inside, !reach.commonTables.contains(inside) { tablesOfViews.insert(first) }
    }
    return reach.refusal(action, first, second, schema: Self.lowercased(schema), inside: inside)
  }

  /// What CREATE TEMPORARY VIEW and TRIGGER need, and nothing else.
  private func allowsInSetup(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Bool {
    switch action {
    case SQLITE_CREATE_TEMP_VIEW, SQLITE_CREATE_TEMP_TRIGGER:
      madeTemporary = first.map { String(cString: $0) } ?? ""
      noteExtended(action, second)
      return true
    case SQLITE_SELECT, SQLITE_READ: return true
    case SQLITE_INSERT, SQLITE_UPDATE: return Self.names(Self.catalogs, first) || refuseInSetup()
    default: return refuseInSetup()
    }
  }

  private func noteExtended(_ action: Int32, _ table: UnsafePointer<CChar>?) {
    guard [SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER].contains(action) else { return }
    extendedTable = table.map { String(cString: $0) }
  }

  func refuseExtending(_ table: String) {
    _ = refuse(
      "make an index or a trigger for the table '\(table)', which is the inside of a full-text or R-tree table. Make a "
        + "trigger for the table whose rows that one indexes")
  }

  func refuseArguments(longerThan bytes: Int) {
    _ = refuse("give the module of a virtual table an argument of more than \(bytes) bytes")
  }

  private func refuseTemporary() -> Bool {
    refuse(
      "make or drop temporary objects, because sessions share connections. Declare temporary views and triggers in the "
        + "setup of the session, and use ordinary tables or WITH in place of temporary tables")
  }

  private func refuseInSetup() -> Bool { refuse("do this in a setup, which only makes temporary views and triggers") }

  private func allowsPragma(_ name: UnsafePointer<CChar>?, hasArgument: Bool) -> Bool {
    let name = name.map(Self.lowercased) ?? ""
    return PragmaRules.allow(name, hasArgument: hasArgument)
      || refuse(PragmaRules.refusal(of: name, hasArgument: hasArgument))
  }

  private func refuse(_ deed: String, _ code: Int32 = SQLITE_AUTH) -> Bool {
    refusal = deed
    refusalCode = code
    return false
  }

  private static func names(_ set: Set<String>, _ name: UnsafePointer<CChar>?) -> Bool {
    guard let name else { return false }
    return set.contains(lowercased(name))
  }

  private static func lowercased(_ name: UnsafePointer<CChar>?) -> String { name.map(lowercased) ?? "" }

  private static func lowercased(_ name: UnsafePointer<CChar>) -> String { ComparedName.of(String(cString: name)) }

  private static let schemaChanges: Set<Int32> = [
    SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VTABLE,
    SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_VIEW, SQLITE_DROP_TRIGGER, SQLITE_DROP_VTABLE,
    SQLITE_ALTER_TABLE,
  ]

  /// `sqlite_stmt` shows what other clients run on this connection; `sqlite_dbpage` is the raw file.
  private static let closedTables: Set<String> = ["sqlite_stmt", "sqlite_dbpage"]

  /// SQLite asks about the catalog of a trigger's table too. No statement can write to a catalog directly.
  private static let catalogs: Set<String> = [
    "sqlite_temp_master", "sqlite_temp_schema", "sqlite_master", "sqlite_schema",
  ]
  private static let closedFunctions: Set<String> = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "sqlite_crypt", "sqlcipher_export",
    // Prints what a blob has for a node of an R-tree, for those who debug one: 40 ns a byte.
    "rtreenode",
  ]
  private static let oldFullTextFunctions: Set<String> = ["offsets", "matchinfo", "snippet"]
  private static let openModules: Set<String> = [
    "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32",
  ]
}
