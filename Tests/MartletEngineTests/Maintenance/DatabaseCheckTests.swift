/// A check of a database that is open ends when it has to, and says what it could not look at.
import Foundation
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
