/// How a connection opens its file, by what its setup asks for.
import Foundation
import MartletSQLite
import Testing

@Suite struct ConnectionSetupTests {
  private var checking: ConnectionSetup {
    var setup = ConnectionSetup()
    setup.seesChecks = true
    return setup
  }

  /// What a database's files hold, by their endings; nil of one that is not there.
  private func files(of scratch: ScratchDatabase) -> [String: Data?] {
    let endings = ["", "-wal", "-journal"]
    return Dictionary(
      uniqueKeysWithValues: endings.map { ($0, FileManager.default.contents(atPath: scratch.path + $0)) })
  }

  @Test(arguments: [PageChecksums.off, .on])
  func `who sees CHECK constraints writes nothing, and leaves the log when it is the last to close the file`(
    checksums: PageChecksums
  ) throws {
    let scratch = try ScratchDatabase()
    do {
      var setup = ConnectionSetup()
      setup.pageChecksums = checksums
      let writer = try scratch.writer(setup)
      writer.keepLogOnClose()
      try writer.run("CREATE TABLE t(a CHECK (a > 1))")
      try writer.execute("PRAGMA ignore_check_constraints=ON")
      try writer.run("INSERT INTO t VALUES (1)")
    }
    let before = files(of: scratch)
    #expect(before["-wal"]??.isEmpty == false)
    do {
      let reader = try scratch.reader(checking)
      #expect(try reader.text("PRAGMA integrity_check") == "CHECK constraint failed in t")
      let refused = #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t VALUES (2)") }
      #expect(refused?.code == SQLiteCode.readOnly)
      #expect(!reader.isFileReadOnly)
    }
    #expect(files(of: scratch) == before)
    #expect(try scratch.reader().text("PRAGMA integrity_check") == "ok", "who only reads does not see them")
  }

  @Test func `who sees CHECK constraints makes no file`() throws {
    let scratch = try ScratchDatabase()
    let error = #expect(throws: SQLiteError.self) { try scratch.reader(checking) }
    #expect(error?.code == SQLiteCode.cannotOpen)
    #expect(files(of: scratch).values.allSatisfy { $0 == nil })
  }
}
