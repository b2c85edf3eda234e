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
}
