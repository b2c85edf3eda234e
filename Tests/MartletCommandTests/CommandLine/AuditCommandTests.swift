/// The audit log of a server that is started as a program: its configuration, and what rotates it.
import Foundation
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct AuditCommandTests {
  private let folder: TemporaryFolder
  private var audit: String { folder.path + "/audit.log" }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String) throws -> String {
    let path = folder.path + "/m.toml"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// The events of a file, as soon as there are so many.
  private func events(_ path: String, atLeast count: Int) throws -> [String] {
    var events: [String] = []
    try waitUntil("\(events)") {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      // Without one that is being written.
      events = try text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").map {
        let object = try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        return "\(object["event"] ?? "") \(object["kind"] ?? object["outcome"] ?? "")"
      }
      return events.count >= count
    }
    return events
  }

  @Test func `SIGHUP begins the file anew with the level that the configuration names then, also if that is wrong`()
    throws
  {
    let config = try write("[audit]\nfile = \"audit.log\"\n")
    let server = try LoggedServer(folder: folder.path, arguments: ["--config", config])
    let url = server.url + "/shop"
    let first = try Martlet.run([
      "sql", "--create", url, "create table secrets(a); insert into secrets values ('hunter2')",
    ])
    try #require(first.status == 0, "\(first)")
    #expect(
      try events(audit, atLeast: 5) == [
        "server-started ", "session-refused UNKNOWN_DATABASE", "session-opened ", "administration create-database",
        "session-ended PEER_CLOSED",
      ])
    #expect(rename(audit, audit + ".1") == 0)
    _ = try write("[audit]\nfile = \"audit.log\"\nstatements = \"writes\"\n")
    server.hangUp()
    #expect(try events(audit, atLeast: 1) == ["configuration-reloaded ok"])
    let second = try Martlet.run(["sql", url, "insert into secrets values ('hunter3'); select * from secrets"])
    try #require(second.status == 0, "\(second)")
    let lines = try events(audit, atLeast: 4)
    #expect(
      lines == ["configuration-reloaded ok", "session-opened ", "statement raw", "session-ended PEER_CLOSED"],
      "\(lines)")
    #expect(rename(audit, audit + ".2") == 0)
    _ = try write("[audit]\nfile = \"audit.log\"\nstatements = \"some\"\n")
    server.hangUp()
    #expect(try events(audit, atLeast: 1) == ["configuration-refused INVALID"])
    for path in [audit, audit + ".1", audit + ".2"] {
      #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("hunter"))
    }
    #expect(
      try server.line { ($0["reason"] as? String)?.contains("m.toml:3: statements is \"refused\"") == true } != nil)
  }

  @Test func `a check makes no file, and says what a server says of one that others write`() throws {
    let config = try write("[audit]\nfile = \"audit.log\"\nstatements = \"all\"\n")
    let right = try Martlet.run(["config", "check", config])
    #expect(right.status == 0 && right.output.contains("writes the audit log to \(audit), of statements: all"))
    #expect(!FileManager.default.fileExists(atPath: audit))
    _ = FileManager.default.createFile(atPath: audit, contents: nil)
    #expect(chmod(audit, 0o666) == 0)
    let wrong = try Martlet.run(["config", "check", config])
    let served = try Martlet.run(["serve", "--config", config])
    #expect(wrong.status == 1 && wrong.complaint.contains("may be read or written by others than its owner and group"))
    #expect(served.status == 1 && wrong.complaint.contains(served.complaint.dropFirst("Error: ".count)))
    #expect(try Martlet.run(["config", "check", config, "--no-files"]).status == 0)
  }

  @Test func `slow commits are logged as well as slow statements`() throws {
    let server = try LoggedServer(folder: folder.path, arguments: ["--slow-query-ms", "0"])
    let run = try Martlet.run(["sql", "--create", server.url + "/shop", "begin; create table t(a); commit"])
    try #require(run.status == 0, "\(run)")
    for kind in ["begin", "finish", "transaction"] {
      #expect(
        try server.line { $0["message"] as? String == "A request was slow" && $0["kind"] as? String == kind } != nil,
        "\(kind)")
    }
  }
}
