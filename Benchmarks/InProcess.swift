/// What SQLite does in this process with nothing around it: the yardstick of the durable, bulk and scan figures.
///
/// Always true: the settings are the server's (WAL, synchronous=FULL), one connection, cached statements.
import CSQLite
internal import CSQLiteLibrary
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

  /// Makes the tables of TPC-B's bank as `martlet bench tpcb` makes them.
  func fillBank(scale: Int) throws {
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
    try execute("CREATE TABLE branches(bid integer primary key, bbalance integer, filler text)")
    try execute("CREATE TABLE tellers(tid integer primary key, bid integer, tbalance integer, filler text)")
    try execute("CREATE TABLE accounts(aid integer primary key, bid integer, abalance integer, filler text)")
    try execute(
      "CREATE TABLE history(tid integer, bid integer, aid integer, delta integer, mtime text, filler text)")
    try execute("BEGIN IMMEDIATE")
    try execute("INSERT INTO branches(bid, bbalance) \(numbers)\(scale)) SELECT i, 0 FROM n")
    try execute("INSERT INTO tellers(tid, bid, tbalance) \(numbers)\(scale * 10)) SELECT i, (i - 1) / 10 + 1, 0 FROM n")
    try execute(
      "INSERT INTO accounts \(numbers)\(scale * 100_000)) "
        + "SELECT i, (i - 1) / 100000 + 1, 0, printf('%84s', '') FROM n")
    try execute("COMMIT")
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// TPC-B's transactions a second, one after the other.
  func bank(scale: Int, seconds: Int) throws -> Double {
    let begin = try prepare("BEGIN IMMEDIATE")
    let account = try prepare("UPDATE accounts SET abalance = abalance + ?2 WHERE aid = ?1")
    let select = try prepare("SELECT abalance FROM accounts WHERE aid = ?1")
    let teller = try prepare("UPDATE tellers SET tbalance = tbalance + ?2 WHERE tid = ?1")
    let branch = try prepare("UPDATE branches SET bbalance = bbalance + ?2 WHERE bid = ?1")
    let history = try prepare(
      "INSERT INTO history(tid, bid, aid, delta, mtime) VALUES(?1, ?2, ?3, ?4, CURRENT_TIMESTAMP)")
    let commit = try prepare("COMMIT")
    defer {
      for statement in [begin, account, select, teller, branch, history, commit] { sqlite3_finalize(statement) }
    }
    let start = ContinuousClock.now
    var count = 0
    while (ContinuousClock.now - start).seconds < Double(seconds) {
      let (aid, tid) = (Int64.random(in: 1...Int64(scale * 100_000)), Int64.random(in: 1...Int64(scale * 10)))
      let (bid, delta) = (Int64.random(in: 1...Int64(scale)), Int64.random(in: -5_000...5_000))
      try finish(begin)
      try finish(account, [aid, delta])
      sqlite3_bind_int64(select, 1, aid)
      guard sqlite3_step(select) == SQLITE_ROW else { throw failure() }
      sqlite3_reset(select)
      try finish(teller, [tid, delta])
      try finish(branch, [bid, delta])
      try finish(history, [tid, bid, aid, delta])
      try finish(commit)
      count += 1
    }
    return Double(count) / (ContinuousClock.now - start).seconds
  }

  private func finish(_ statement: OpaquePointer, _ values: [Int64]) throws {
    for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), value) }
    try finish(statement)
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
