/// `martlet shapes`, and a server whose role may run what was registered.
import Foundation
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShapesCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
    return folder.path + "/" + name
  }

  @Test func `whoever exports hears if the server knows more than it told`() throws {
    let server = try LoggedServer(folder: folder.path)
    let selects = (0...1_000).map { "select 1 as c\($0);" }.joined(separator: "\n")
    let run = try Martlet.run(["sql", "--create", server.url + "/shop"], input: selects)
    try #require(run.status == 0, "\(run.complaint)")
    let all = try Martlet.run(["shapes", "export", server.url])
    #expect(
      all.status == 0 && all.complaint.hasPrefix("The server may know more: it told of the 1000 "), "\(all.complaint)")
  }

  @Test func `what a server ran is exported, registered, and all that a role may run`() throws {
    let config = try write("", to: "m.toml")
    let server = try LoggedServer(folder: folder.path, arguments: ["--config", config])
    let url = server.url + "/shop"
    for sql in ["create table t(a)", "insert into t values (7)", "select a from t", "select nothing from t"] {
      let outcome = try Martlet.run(["sql", "--create", url, sql])
      #expect((outcome.status == 0) == !sql.contains("nothing"), "\(outcome)")
    }
    let other = try Martlet.run(["sql", "--create", server.url + "/other", "select 1"])
    try #require(other.status == 0)
    let list = folder.path + "/seen"
    #expect(try Martlet.run(["shapes", "export", url, "--output", list]).status == 0)
    let seen = try String(contentsOfFile: list, encoding: .utf8)
    #expect(seen.contains(" select a from t\n") && !seen.contains("nothing") && !seen.contains("select 1\n"), "\(seen)")
    let all = try Martlet.run(["shapes", "export", server.url])
    #expect(all.output.contains("select 1\n") && all.output.contains("select a from t\n"))
    #expect(all.complaint.isEmpty, "\(all)")
    let reads = seen.split(separator: "\n").filter { $0.contains("select a") }.joined(separator: "\n")
    let first = try Martlet.run(["shapes", "register", folder.path + "/app.shapes"], input: reads)
    #expect(first.status == 0 && first.complaint.hasPrefix("1 of 1 shapes are new in "), "\(first)")
    let again = try Martlet.run(["shapes", "register", folder.path + "/app.shapes", "--from", list, "--from", list])
    #expect(again.status == 0 && again.complaint.contains(" shapes are new in "), "\(again)")
    try Data(reads.utf8).write(to: URL(filePath: folder.path + "/app.shapes"))
    _ = try write(
      """
      local.role = "app"
      [roles.app]
      databases = ["shop"]
      allow = ["rows", "raw"]
      shapes = ["app.shapes"]
      """, to: "m.toml")
    #expect(try Martlet.run(["config", "check", config]).output.contains("role app:"))
    server.hangUp()
    #expect(try server.line { $0["message"] as? String == "Reloaded" } != nil)
    #expect(try Martlet.run(["sql", url, "select a from t"]).output.contains("7"))
    let refused = try Martlet.run(["sql", url, "select a from t where 1"])
    #expect(refused.status == 1 && refused.complaint.contains("may run registered statements only"), "\(refused)")
  }

  @Test func `a mistake about shapes is a sentence`() throws {
    let file = folder.path + "/app.shapes"
    let wrong = try write("\n# a\n12 select\n", to: "wrong")
    let binary = folder.path + "/binary"
    try Data([0xFF, 0xFE]).write(to: URL(filePath: binary))
    for (arguments, words) in [
      (["--from", wrong], "wrong:3: A line starts with a shape"),
      (["--from", folder.path + "/none"], "none: The file cannot be read"),
      (["--from", binary], "binary: It is no text in UTF-8."),
    ] {
      let outcome = try Martlet.run(["shapes", "register", file] + arguments)
      #expect(outcome.status == 1 && outcome.complaint.contains(words), "\(outcome)")
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    let role = "[roles.app]\ndatabases = [\"*\"]\nallow = [\"select\"]\n"
    let config = try write(role + "shapes = [\"app.shapes\"]\n", to: "m.toml")
    let check = try Martlet.run(["config", "check", config])
    #expect(check.status == 1, "\(check)")
    #expect(check.complaint.contains("There is no file \(file). `martlet shapes register` makes it."))
    _ = try write(role + "shapes = []\n", to: "m.toml")
    #expect(try Martlet.run(["config", "check", config]).complaint.contains("m.toml:4: shapes names no file"))
    _ = try write(role + "shapes = \"app.shapes\"\n", to: "m.toml")
    #expect(try Martlet.run(["config", "check", config]).complaint.contains("m.toml:4: shapes is a list of texts"))
  }
}
