/// Limits in the configuration file of a server that runs as a program.
import Foundation
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LimitsReloadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String) throws -> String {
    let path = folder.path + "/m.toml"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `SIGHUP takes deadlines for what comes next, names what needs a restart, and refuses a contradiction`()
    throws
  {
    let config = try write("[limits]\ndeadline-ms = 60000\n")
    let server = try LoggedServer(folder: folder.path, arguments: ["--config", config])
    let url = server.url + "/shop"
    let endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
    #expect(try Martlet.run(["sql", "--create", url, "create table a(b)"]).status == 0)

    _ = try write("[limits]\ndeadline-ms = 1000\ndeadline-max-ms = 1000\nwrite-time-max-ms = 1000\nwal-mib = 7\n")
    server.hangUp()
    let stays = try server.line { ($0["message"] as? String)?.contains("taken at a restart") == true }
    #expect(stays?["keys"] as? String == "wal-mib")
    let late = try Martlet.run(["sql", url, endless])
    #expect(late.status != 0 && late.complaint.contains("deadline"), "\(late)")

    _ = try write("[limits]\ndeadline-ms = 100\ndeadline-max-ms = 50\n")
    server.hangUp()
    let refused = try server.line { ($0["message"] as? String)?.contains("was not reloaded") == true }
    #expect((refused?["reason"] as? String)?.contains("deadline-max-ms") == true, "\(String(describing: refused))")
    #expect(try Martlet.run(["sql", url, "select * from a"]).status == 0)
  }

  @Test func `SIGHUP takes memory and the time of slow requests, and gives both back`() throws {
    let config = try write("memory = \"64M\"\n")
    let server = try LoggedServer(folder: folder.path, arguments: ["--config", config])
    let url = server.url + "/shop"
    #expect(try Martlet.run(["sql", "--create", url, "create table a(b)"]).status == 0)
    func reload(_ text: String, _ times: Int) throws {
      _ = try write(text)
      server.hangUp()
      try waitUntil { try server.lines().count { $0["message"] as? String == "Reloaded" } >= times }
    }
    func slow() throws -> Int { try server.lines().count { $0["message"] as? String == "A request was slow" } }

    #expect(try Martlet.run(["sql", url, "select 1"]).status == 0)
    #expect(try slow() == 0)
    try reload("memory = \"2G\"\nslow-query-ms = 0\n", 1)
    #expect(try Martlet.run(["sql", url, "select 2"]).status == 0)
    #expect(try server.line { $0["message"] as? String == "A request was slow" } != nil)
    #expect(try Martlet.run(["status", url, "--json"]).output.contains("\"memory_budget_bytes\":2147483648"))
    try reload("memory = \"64M\"\n", 2)
    let before = try slow()
    #expect(try Martlet.run(["sql", url, "insert into a values (3)"]).status == 0)
    #expect(try slow() == before)
    #expect(try Martlet.run(["status", url, "--json"]).output.contains("\"memory_budget_bytes\":67108864"))
    #expect(try !server.lines().contains { ($0["message"] as? String)?.contains("taken at a restart") == true })
  }
}
