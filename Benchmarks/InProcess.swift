/// What SQLite does in this process with nothing around it: the yardstick of the durable, bulk and scan figures.
///
/// Always true: the settings are the server's (WAL, synchronous=FULL), one connection, cached statements.
import CSQLite
import Foundation

final class InProcess {
  private let database: OpaquePointer
  private let path: String

  init(folder: String) throws {
    path = folder + "/in-process.sqlite"
    var handle: OpaquePointer?
    guard
      sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK,
      let handle
    else { throw Processes.Failure(description: "SQLite cannot open \(path)") }
    database = handle
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=FULL")
    try execute(
      "CREATE TABLE items(id integer primary key, title text, price real, qty integer, note text, created integer)")
    try execute("CREATE TABLE inserts(id integer primary key, value integer, note text)")
  }

  deinit { sqlite3_close_v2(database) }

  /// Commits a second, one row each.
  func commitEach(seconds: Int) throws -> Double {
    let insert = try prepare("INSERT INTO inserts(value, note) VALUES(?1, ?2)")
    defer { sqlite3_finalize(insert) }
    let start = ContinuousClock.now
    var count: Int64 = 0
    while (ContinuousClock.now - start).seconds < Double(seconds) {
      sqlite3_bind_int64(insert, 1, count)
      bind("a row that is committed by itself", to: insert, at: 2)
      try finish(insert)
      count += 1
    }
    return Double(count) / (ContinuousClock.now - start).seconds
  }

  /// Rows a second of one cached statement in one transaction that fills `items` anew.
  func bulkInsert(rows: Int) throws -> Double {
    try execute("DELETE FROM items")
    let insert = try prepare("INSERT INTO items VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    defer { sqlite3_finalize(insert) }
    let start = ContinuousClock.now
    try execute("BEGIN IMMEDIATE")
    for row in 1...Int64(rows) {
      sqlite3_bind_int64(insert, 1, row)
      bind("Item number \(row)", to: insert, at: 2)
      sqlite3_bind_double(insert, 3, Double(row % 10_000) / 100)
      sqlite3_bind_int64(insert, 4, row % 1_000)
      bind("A note about item \(row) of the catalogue", to: insert, at: 5)
      sqlite3_bind_int64(insert, 6, 1_700_000_000 + row)
      try finish(insert)
    }
    try execute("COMMIT")
    return Double(rows) / (ContinuousClock.now - start).seconds
  }

  /// Rows a second of a step loop that reads every column of `items`.
  func scan() throws -> Double {
    let select = try prepare("SELECT id, title, price, qty, note, created FROM items")
    defer { sqlite3_finalize(select) }
    let start = ContinuousClock.now
    var rows = 0
    var checksum: Int64 = 0
    while sqlite3_step(select) == SQLITE_ROW {
      checksum &+= sqlite3_column_int64(select, 0)
      checksum &+= Int64(sqlite3_column_text(select, 1)[0]) &+ Int64(sqlite3_column_bytes(select, 1))
      checksum &+= Int64(sqlite3_column_double(select, 2))
      checksum &+= sqlite3_column_int64(select, 3)
      checksum &+= Int64(sqlite3_column_text(select, 4)[0]) &+ Int64(sqlite3_column_bytes(select, 4))
      checksum &+= sqlite3_column_int64(select, 5)
      rows += 1
    }
    guard rows > 0, checksum != 0 else { throw Processes.Failure(description: "the scan read nothing") }
    return Double(rows) / (ContinuousClock.now - start).seconds
  }

  private func bind(_ text: String, to statement: OpaquePointer, at index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = martlet_sqlite_bind_text_copy(statement, index, characters.baseAddress, UInt64(bytes.count))
      }
    }
  }

  private func finish(_ statement: OpaquePointer) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
    sqlite3_reset(statement)
  }

  private func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw failure() }
    return statement
  }

  private func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  private func failure() -> Processes.Failure {
    Processes.Failure(description: "in-process SQLite: \(String(cString: sqlite3_errmsg(database)))")
  }
}
