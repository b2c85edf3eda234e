/// Copies of live databases: one snapshot, and what is said if it cannot be made.
import Foundation
import MartletSQLite
import Testing

@Suite struct BackupTests {
  private func filled(_ scratch: ScratchDatabase) throws -> Connection {
    var setup = ConnectionSetup()
    setup.busyTimeoutMs = 0
    let writer = try scratch.writer(setup)
    try writer.run("CREATE TABLE t(a, b)")
    for number in 0..<20 { try writer.run("INSERT INTO t VALUES (\(number), zeroblob(5000))") }
    return writer
  }

  private func open(_ path: String) throws -> Connection {
    try Connection(path: path, label: "copy", access: .writer, clock: { 0 })
  }

  @Test(arguments: [1, 3, -1])
  func `a copy is of one moment, however many steps it takes and whoever writes meanwhile`(pages: Int) throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let path = scratch.directory.appendingPathComponent("copy.sqlite").path
    var changes: Int64 = 0
    do {
      let backup = try Backup(of: try scratch.reader(), to: path)
      while try backup.step(pages: pages) {
        #expect(backup.remainingPages < backup.pageCount)
        guard changes < 3 else { continue }
        // Both or neither are in the copy.
        changes += 1
        try writer.execute("BEGIN IMMEDIATE")
        try writer.run("UPDATE t SET a = a + 100 WHERE rowid = 1")
        try writer.run("UPDATE t SET a = a - 100 WHERE rowid = 20")
        try writer.execute("COMMIT")
      }
      #expect(backup.remainingPages == 0)
      #expect(backup.pageCount == Int(try writer.integer("PRAGMA page_count") ?? 0))
    }
    #expect((changes == 0) == (pages < 0))
    let copy = try open(path)
    #expect(try copy.integer("SELECT sum(a) FROM t") == 190)
    #expect(try copy.integer("SELECT count(*) FROM t") == 20)
    #expect(try copy.text("PRAGMA integrity_check") == "ok")
  }

  @Test func `a copy that is given up leaves the source as it was`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let path = scratch.directory.appendingPathComponent("copy.sqlite").path
    do {
      let backup = try Backup(of: writer, to: path)
      #expect(try backup.step(pages: 2))
    }
    try writer.run("INSERT INTO t VALUES (20, 0)")
    #expect(try writer.checkpoint(.truncate).isComplete)
    #expect(try writer.integer("SELECT sum(a) FROM t") == 210)
    // The same file can be the target of another one.
    let backup = try Backup(of: writer, to: path)
    #expect(try !backup.step(pages: -1))
  }

  @Test func `a place that cannot be opened is told when the copy begins`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let folder = scratch.directory
    for path in ["missing/copy.sqlite", ".", "main.sqlite/copy.sqlite"] {
      let error = #expect(throws: SQLiteError.self, "\(path)") {
        try Backup(of: writer, to: folder.appendingPathComponent(path).path)
      }
      #expect(error?.code == SQLiteCode.cannotOpen, "\(path): \(String(describing: error))")
    }
    #expect(try writer.integer("SELECT count(*) FROM t") == 20)
  }

  @Test func `what is locked copies nothing, and can be tried again`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let path = scratch.directory.appendingPathComponent("copy.sqlite").path
    let other = try open(path)
    try other.run("CREATE TABLE u(a)")
    try other.execute("BEGIN IMMEDIATE")
    let backup = try Backup(of: writer, to: path)
    #expect(try backup.step(pages: -1))
    let error = #expect(throws: SQLiteError.self) { try backup.step(pages: -1, throwsLocks: true) }
    #expect(error?.code == SQLiteCode.busy && error?.message == SQLiteLibrary.words(of: SQLiteCode.busy))
    #expect(try other.integer("SELECT count(*) FROM u") == 0)
    try other.execute("ROLLBACK")
    #expect(try !backup.step(pages: -1))
    #expect(try other.integer("SELECT count(*) FROM t") == 20)
  }

  @Test func `a file that is no database is not written over`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let path = scratch.directory.appendingPathComponent("letter.txt").path
    let letter = Data(String(repeating: "Dear reader, ", count: 900).utf8)
    try letter.write(to: URL(filePath: path))
    let error = #expect(throws: SQLiteError.self) {
      let backup = try Backup(of: writer, to: path)
      while try backup.step(pages: 5) {}
    }
    #expect(error?.code == SQLiteCode.notADatabase)
    #expect(FileManager.default.contents(atPath: path) == letter)
  }

  @Test func `one connection's database is copied over another's`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let memory = try Connection.inMemory()
    try memory.run("CREATE TABLE old(a)")
    do {
      let backup = try Backup(of: writer, "main", into: memory, "main")
      while try backup.step(pages: 4) {}
    }
    #expect(try memory.integer("SELECT sum(a) FROM t") == 190)
    #expect(throws: SQLiteError.self) { try memory.run("SELECT * FROM old") }
    try memory.run("INSERT INTO t VALUES (1, 1)")
    #expect(try writer.integer("SELECT count(*) FROM t") == 20)
  }

  @Test func `a copy over a database that is in use is refused`() throws {
    let scratch = try ScratchDatabase()
    let writer = try filled(scratch)
    let memory = try Connection.inMemory()
    try memory.run("CREATE TABLE old(a)")
    try memory.execute("BEGIN")
    try memory.run("INSERT INTO old VALUES (1)")
    #expect(throws: SQLiteError.self) { try Backup(of: writer, "main", into: memory, "main") }
    try memory.execute("COMMIT")
    #expect(try memory.integer("SELECT count(*) FROM old") == 1)
    for (source, target) in [("main", "nobody"), ("nobody", "main"), ("ma'in", "main"), ("main", "")] {
      let error = #expect(throws: SQLiteError.self) { try Backup(of: writer, source, into: memory, target) }
      #expect(error?.message.contains("unknown database") == true, "\(source) \(target)")
    }
    #expect(throws: SQLiteError.self) { try Backup(of: memory, "main", into: memory, "main") }
  }
}
