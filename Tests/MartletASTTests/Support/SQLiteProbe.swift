/// The real library, asked only what it makes of a text: whether it is one statement, of which kind, over which tables.
///
/// Always true: nothing is executed except the schema and `evaluate`; double-quoted names never become strings.
import CSQLite
import MartletTestSupport

final class SQLiteProbe {
  struct Answer {
    /// Empty if SQLite took the text.
    var error = ""
    var errorOffset = -1
    /// What follows the first statement.
    var tail = ""
    var isReadOnly = false
    var columnCount = 0
    var parameterCount = 0
    /// Tables that the statement reads or writes, without the schema's own.
    var tables: Set<String> = []
    /// Pragmas that the statement asks by their names.
    var pragmas: Set<String> = []
  }

  private final class Seen {
    var tables: Set<String> = []
    var pragmas: Set<String> = []
  }

  private var handle: OpaquePointer?
  private let seen = Seen()

  init(schema: [String]) {
    SQLiteStart.settle()
    precondition(sqlite3_open(":memory:", &handle) == SQLITE_OK)
    var inForce: Int32 = 0
    // SQLITE_DBCONFIG_DQS_DML and _DDL: a name that is no column is an error, not a string.
    _ = martlet_sqlite_db_config(handle, 1013, 0, &inForce)
    _ = martlet_sqlite_db_config(handle, 1014, 0, &inForce)
    for name in ["regexp", "uuid"] {
      sqlite3_create_function(
        handle, name, -1, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) }, nil, nil)
    }
    ListModule.register(on: handle)
    for sql in schema {
      precondition(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(message): \(sql)")
    }
    sqlite3_set_authorizer(
      handle,
      { context, action, first, _, _, _ in
        let tableActions = [SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_TABLE]
        guard let context, let first else { return SQLITE_OK }
        // Alive because the probe that registered it owns it and closes the connection first.
        let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
        if tableActions.contains(action) { seen.tables.insert(String(cString: first)) }
        if action == SQLITE_PRAGMA { seen.pragmas.insert(String(cString: first)) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(seen).toOpaque())  // Not retained because the probe owns both.
  }

  deinit { sqlite3_close(handle) }

  private var message: String { String(cString: sqlite3_errmsg(handle)) }

  func prepare(_ sql: String) -> Answer {
    seen.tables = []
    seen.pragmas = []
    var answer = Answer()
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      if sqlite3_prepare_v2(handle, text, -1, &statement, &tail) != SQLITE_OK {
        answer.error = message
        answer.errorOffset = Int(sqlite3_error_offset(handle))
      }
      answer.tail = tail.map { String(cString: $0) } ?? ""
    }
    answer.isReadOnly = sqlite3_stmt_readonly(statement) != 0
    answer.columnCount = Int(sqlite3_column_count(statement))
    answer.parameterCount = Int(sqlite3_bind_parameter_count(statement))
    answer.tables = seen.tables.filter { !$0.hasPrefix("sqlite_") }
    answer.pragmas = seen.pragmas
    return answer
  }

  /// The first column of the first row of a query that needs no parameters, with its type.
  func evaluate(_ sql: String) -> (type: Int32, integer: Int64, real: Double, text: String, blob: [UInt8]) {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
    else {
      return (-1, 0, 0, message, [])
    }
    let type = sqlite3_column_type(statement, 0)
    let blob = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, 0), count: Int(sqlite3_column_bytes(statement, 0)))
    return (
      type, sqlite3_column_int64(statement, 0), sqlite3_column_double(statement, 0),
      String(decoding: blob, as: UTF8.self), Array(blob)
    )
  }
}

/// Stands for the engine's `martlet_list` and `martlet_rows`: they can be named in a statement, and hold nothing.
private enum ListModule {
  static func register(on handle: OpaquePointer?) {
    for (name, declaration) in [
      ("martlet_list", "CREATE TABLE x(value, list HIDDEN)"),
      ("martlet_rows", "CREATE TABLE x(c0, c1, c2, c3, list HIDDEN)"),
    ] {
      let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
      let text = UnsafeMutablePointer<CChar>.allocate(capacity: declaration.utf8.count + 1)
      for (index, byte) in declaration.utf8CString.enumerated() { text[index] = byte }
      module.initialize(to: made())
      // Both are never freed because SQLite keeps them for as long as the tests run.
      sqlite3_create_module(handle, name, module, text)
    }
  }

  private static func made() -> sqlite3_module {
    var module = sqlite3_module()
    module.iVersion = 1
    module.xConnect = { handle, declaration, _, _, table, _ in
      guard let declaration, let table else { return SQLITE_ERROR }
      let made = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
      made.initialize(to: sqlite3_vtab())
      table.pointee = made
      return sqlite3_declare_vtab(handle, declaration.assumingMemoryBound(to: CChar.self))
    }
    module.xBestIndex = { _, information in
      information?.pointee.estimatedCost = 10
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      table?.deallocate()
      return SQLITE_OK
    }
    return module
  }
}
