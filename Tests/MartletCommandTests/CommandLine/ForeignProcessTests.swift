/// A process that has a served file open with SQLite is told of, with its name. These tests are that process.
import Foundation
import MartletSQLite
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ForeignProcessTests {
  /// What this process is called, as the system tells it.
  private static func name() throws -> String {
    let text = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    return text.trimmingCharacters(in: .newlines)
  }

  private static func isWarning(_ line: [String: Any]) -> Bool {
    line["level"] as? String == "warning" && (line["message"] as? String)?.contains("has the file open") == true
  }

  @Test(arguments: [true, false])
  func `another process with the file open is told of once, with its name`(isThereBefore: Bool) throws {
    let folder = try TemporaryFolder()
    let server = try LoggedServer(folder: folder.path)
    let url = server.url + "/shop"
    try #require(try Martlet.run(["sql", "--create", url, "create table items(a)"]).status == 0)
    #expect(try !server.lines().contains(where: Self.isWarning))
    if isThereBefore {
      // Nobody uses it, so it is closed; the next session opens it beside the other process.
      try #require(try Martlet.run(["databases", "rename", url, "store"]).status == 0)
    }
    let name = isThereBefore ? "store" : "shop"
    let path = folder.path + "/data/\(name).sqlite"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
    try #require(FileManager.default.fileExists(atPath: path), "\(files)")
    let connection = try Connection(path: path, label: "other", access: .reader, setup: ConnectionSetup(), clock: { 0 })
    try connection.execute("SELECT count(*) FROM items")
    try #require(try Martlet.run(["sql", server.url + "/\(name)", "insert into items values (1)"]).status == 0)

    let wanted =
      "\(try Self.name()) (process \(ProcessInfo.processInfo.processIdentifier)) has the file open with SQLite"
    let line = try #require(try server.line(where: Self.isWarning))
    #expect((line["message"] as? String)?.contains(wanted) == true, "\(line)")
    #expect(line["database"] as? String == name, "\(line)")
    let check = try Martlet.run(["check", server.url + "/\(name)"])
    #expect(check.output.contains(wanted) || check.complaint.contains(wanted), "\(check)")
    // Looked at again and again, said once.
    for _ in 0..<5 { try #require(try Martlet.run(["check", server.url + "/\(name)"]).status == 0) }
    #expect(try server.lines().count(where: Self.isWarning) == 1)
  }
}
