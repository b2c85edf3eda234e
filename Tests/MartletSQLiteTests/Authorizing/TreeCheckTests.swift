/// `rtreecheck` begins a transaction if none is open, which no statement of a client may.
import MartletSQLite
import Testing

@Suite struct TreeCheckTests {
  @Test(arguments: [Connection.Access.writer, .reader])
  func `an R-tree is checked within a transaction, and without one a client is told so`(
    access: Connection.Access
  ) throws {
    let scratch = try ScratchDatabase()
    let writer = try scratch.writer()
    for sql in ["CREATE VIRTUAL TABLE boxes USING rtree(id, a, b)", "INSERT INTO boxes VALUES (1, 2, 3)"] {
      try writer.run(sql)
    }
    let connection = try access == .writer ? writer : scratch.reader()
    let check = "SELECT rtreecheck('boxes')"
    let error = #expect(throws: SQLiteError.self) { try connection.text(check) }
    let words = "A statement may not call rtreecheck outside of a transaction, because that begins one itself. "
    #expect(error?.message == words + "Call it within one.", "\(String(describing: error))")
    #expect(connection.isAutocommit)
    try connection.execute("BEGIN")
    #expect(try connection.text(check) == "ok")
    try connection.execute("ROLLBACK")
    let begin = #expect(throws: SQLiteError.self) { try connection.run("BEGIN") }
    #expect(begin?.message == "A statement may not control transactions with SQL.")
  }
}
