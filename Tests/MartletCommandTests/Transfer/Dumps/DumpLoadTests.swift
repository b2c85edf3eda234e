/// The file of this machine in which a dump runs before it is copied.
import Testing

@testable import MartletCommand

struct DumpLoadTests {
  @Test func `a statement that is too long for a dump is refused with its length, before anything else runs`() throws {
    let most = CommandLimits.fileStatementBytesMax
    let load = try DumpLoad(firstLine: 1)
    try load.append("CREATE TABLE t(a)", line: 2)
    let begin = "INSERT INTO t VALUES('"
    let fits = begin + String(repeating: "x", count: most - begin.utf8.count - 2) + "')"
    try load.append(fits, line: 3)
    #expect(throws: CommandFailure.dumpStatementTooLong(most + 1, bytesMax: most)) {
      try load.append(fits + " ", line: 4)
    }
    #expect(CommandFailure.dumpStatementTooLong(9, bytesMax: 8).description.hasPrefix("The statement has 9 bytes, and"))
  }
}
