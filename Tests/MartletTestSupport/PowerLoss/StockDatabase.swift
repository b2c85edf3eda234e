/// A database file opened by SQLite as it comes, with none of Martlet's settings: what a sceptic would open it with.
///
/// Always true: used on one thread at a time; closed when the value goes.
import CSQLite

package final class StockDatabase {
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    package var code: Int32
    package var description: String
  }

  private let handle: OpaquePointer

  /// `vfs` names the file system to go through; `unix` is the system's own, which nothing records.
  package init(_ path: String, vfs: String = "unix") throws {
    SQLiteStart.settle()
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &opened, flags, vfs)
    guard result == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw Failure(code: result, description: "The file cannot be opened: \(result).")
    }
    handle = opened
    sqlite3_busy_timeout(opened, 1_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Closing leaves the log as it is.
  package func keepLogOnClose() {
    _ = martlet_sqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nil)
  }

  /// Runs `body` while this connection has the file's lock, as whoever closes one of a file with a log has it for a
  /// moment: another one cannot be opened meanwhile. The file has been read before.
  package func withFileLock(_ body: () throws -> Void) rethrows {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard let file, let methods = file.pointee.pMethods?.pointee else { return }
    // It waits for the others' locks behind which nobody new comes.
    _ = methods.xLock(file, SQLITE_LOCK_EXCLUSIVE)
    defer { _ = methods.xUnlock(file, SQLITE_LOCK_SHARED) }
    try body()
  }

  /// Every row of every statement, as text.
  @discardableResult
  package func run(_ sql: String) throws -> [[String]] {
    var rows: [[String]] = []
    var rest: Substring = sql[...]
    while !rest.isEmpty {
      var statement: OpaquePointer?
      let text = String(rest)
      var used = 0
      let result = text.withCString { start in
        var tail: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v2(handle, start, -1, &statement, &tail)
        used = tail.map { $0 - start } ?? 0
        return result
      }
      guard result == SQLITE_OK else { throw failure(result) }
      rest = rest.dropFirst(text.utf8.prefix(used).count)
      guard statement != nil else { continue }
      defer { sqlite3_finalize(statement) }
      try step(statement, into: &rows)
    }
    return rows
  }

  private func step(_ statement: OpaquePointer?, into rows: inout [[String]]) throws {
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { throw failure(result) }
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        })
    }
  }

  private func failure(_ result: Int32) -> Failure {
    Failure(code: result, description: String(cString: sqlite3_errmsg(handle)))
  }

  /// What a load left, for `LoadModel`: recovery, integrity, foreign keys, and every row.
  package static func finding(at path: String) -> LoadModel.Finding {
    var finding = LoadModel.Finding()
    do {
      let database = try StockDatabase(path)
      let integrity = try database.run("PRAGMA synchronous=OFF; PRAGMA integrity_check").map { $0[0] }
      finding.complaints = integrity.filter { $0 != "ok" }
      finding.complaints += try database.run("PRAGMA foreign_key_check").map { "foreign key: \($0)" }
      finding.tables = Set(try database.run("SELECT name FROM sqlite_schema").map { $0[0] })
      if finding.tables.contains("ledger") {
        for row in try database.run("SELECT unit, count(*) FROM ledger NOT INDEXED GROUP BY unit") {
          finding.rows[Int(row[0]) ?? -1] = Int(row[1])
        }
      }
      if finding.tables.contains("tally") {
        finding.tally = try database.run("SELECT n FROM tally").first.flatMap { Int($0[0]) }
      }
      if finding.tables.contains("filler") {
        finding.fillers = Set(try database.run("SELECT DISTINCT unit FROM filler").compactMap { Int($0[0]) })
      }
    } catch {
      finding.complaints.append("\(error)")
    }
    return finding
  }
}
