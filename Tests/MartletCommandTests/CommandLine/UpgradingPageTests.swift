/// The commands of docs/UPGRADING.md, run as they stand there, on a server of the test's own.
import Foundation
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct UpgradingPageTests {
  @Test func `a database is copied before, and comes back under its name`() throws {
    let shop = try ServedShop(making: "create table t(a); insert into t values (1); pragma user_version = 7")
    let path = URL(filePath: #filePath).appending(path: "../../../../docs/UPGRADING.md").standardized
    let page = try String(contentsOf: path, encoding: .utf8)
    let commands = page.split(separator: "\n").filter { $0.hasPrefix("    martlet ") }
    #expect(commands.count == 6)
    for command in commands {
      let words = command.split(separator: " ").dropFirst().map { word in
        String(word).replacing("martlet://localhost", with: shop.server.url)
          .replacing("before.sqlite", with: shop.folder.path + "/before.sqlite")
      }
      let run = try Martlet.run(words)
      #expect(run.status == 0, "\(command): \(run)")
      // What happens after the copy is what the copy undoes.
      if words.first == "export" {
        try #require(try Martlet.run(["sql", shop.url, "delete from t; pragma user_version = 8"]).status == 0)
      }
    }
    let back = try Martlet.run([
      "sql", shop.url, "select count(*), (select user_version from pragma_user_version) from t", "--format", "list",
    ])
    #expect(back.lines.last == "1|7", "\(back)")
    #expect(try Martlet.run(["databases", shop.server.url]).output.contains("broken"))
  }
}
