/// A check of a database that is open ends when it has to, and says what it could not look at.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct DatabaseCheckTests {
  private func check(
    _ base: TemporaryDatabase, wholeFile: Bool, deadline: MonotonicTime = .distantFuture
  ) -> CollectingSink.Outcome {
    let sink = CollectingSink()
    let token = sink.token()
    _ = base.database.check(wholeFile: wholeFile, deadline: deadline, credit: .max, token: token, sink: sink)
    return sink.outcome(of: token)
  }

  @Test(arguments: [false, true])
  func `a CHECK constraint that takes long ends with the check's deadline, and the next check is made`(
    wholeFile: Bool
  ) throws {
    let base = try TemporaryDatabase()
    // Some tenths of a millisecond for each row.
    try base.sql("CREATE TABLE t(a CHECK (length(replace(hex(zeroblob(50000 + a)), '00', 'abc')) > a), b)")
    try base.sql("INSERT INTO t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i, i FROM n")
    let now = base.engine.configuration.clock()
    let ended = check(base, wholeFile: wholeFile, deadline: now.advanced(milliseconds: 20))
    #expect(ended.error == .deadlineInCheck, "\(ended)")
    let complete = check(base, wholeFile: wholeFile)
    #expect(complete.error == nil && complete.rows.allSatisfy { $0[2] == 1 }, "\(complete)")
  }

  /// A file as another program makes it, without checksums, with two tables of many pages, some of which of the first
  /// are overwritten.
  private func damagedFile(at path: String, _ pages: Range<Int>, by byte: UInt8) throws {
    let connection = try Connection(path: path, label: "maker", access: .writer, clock: { 0 })
    var script = ["broken", "sound"].flatMap { name in
      [
        "CREATE TABLE \(name)(a INTEGER PRIMARY KEY, b)",
        "INSERT INTO \(name) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
          + " SELECT i, hex(zeroblob(500)) FROM n",
      ]
    }
    script.append("PRAGMA wal_checkpoint(TRUNCATE)")
    for sql in script {
      let statement = try connection.prepare(sql, for: .engine)
      while try statement.step() {}
    }
    // The schema has the first page, and the first table those behind it.
    let first = 2
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    for page in pages {
      try file.seek(toOffset: UInt64((first + page - 1) * 4_096))
      try file.write(contentsOf: [UInt8](repeating: byte, count: 4_096))
    }
  }

  @Test(arguments: [0..<1, 3..<4, 5..<9], [0xFF, 0x00] as [UInt8])
  func `damage of a file without checksums is a finding of its table, and the others are looked at`(
    pages: Range<Int>, byte: UInt8
  ) throws {
    let base = try TemporaryDatabase { configuration in
      do {
        try damagedFile(at: configuration.directory + "/test.sqlite", pages, by: byte)
      } catch { Issue.record(error) }
    }
    for wholeFile in [false, true] {
      let outcome = check(base, wholeFile: wholeFile)
      #expect(outcome.error == nil, "\(outcome)")
      let rows = outcome.rows
      let faults = rows.filter { $0[2] == 0 }
      #expect(faults.contains { $0[0] == "integrity" && (wholeFile || $0[1] == "broken") }, "\(rows)")
      if !wholeFile {
        #expect(rows.contains { $0[0] == "integrity" && $0[1] == "sound" && $0[2] == 1 }, "\(rows)")
      }
      // What comes behind the tables is looked at, too.
      #expect(rows.contains { $0[0] == "files" }, "\(rows)")
    }
  }

  /// The superuser may write whatever the mode says.
  @Test(.enabled(if: geteuid() != 0)) func `that a file may only be read, so that no CHECK is seen, is told`() throws {
    let base = try TemporaryDatabase()
    try base.sql("CREATE TABLE t(a CHECK (a > 0))")
    let file = base.directory.path + "/test.sqlite"
    #expect(!check(base, wholeFile: false).rows.contains { $0[0] == "checks" })
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file)
    for wholeFile in [false, true] {
      let rows = check(base, wholeFile: wholeFile).rows
      let words = Value.text("CHECK constraints were not looked at, because the file may only be read")
      #expect(rows.contains { $0[0] == "checks" && $0[2] == 1 && $0[3] == words }, "\(rows)")
    }
  }
}
