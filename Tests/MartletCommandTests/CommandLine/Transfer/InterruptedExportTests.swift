/// Control-C while a database or a table goes out: nothing is left that looks like a file of it.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct InterruptedExportTests {
  let folder: TemporaryFolder
  let server: ServerProcess
  let url: String

  init() throws {
    folder = try TemporaryFolder()
    server = try ServerProcess(directory: folder.path + "/data")
    url = server.url(database: "shop")
    let series = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)"
    let made = try Martlet.run([
      "sql", "--create", url,
      "create table large(a, b); \(series) insert into large select i, hex(randomblob(40)) from n",
    ])
    try #require(made.status == 0, "\(made.complaint)")
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("out") }.sorted()
  }

  @Test(arguments: [["out.sqlite"], ["out.csv", "--table", "large"], ["out.jsonl", "--table", "large"]])
  func `an export that is interrupted leaves nothing and says so, and can be begun again`(arguments: [String]) throws {
    let path = folder.path + "/" + arguments[0]
    let all = ["export", url, path] + arguments.dropFirst()
    let terminal = try PseudoTerminal(all, columns: 400)
    // It is under way as soon as there is something beside the name that it will have.
    try waitUntil { try !files().isEmpty }
    #expect(try !files().contains(arguments[0]))
    terminal.interrupt()
    try terminal.wait(for: "It was interrupted. The file \(path) was not made.")
    #expect(terminal.end() == 1)
    #expect(try files() == [])
    let again = try Martlet.run(all)
    #expect(again.status == 0, "\(again.complaint)")
    #expect(try files() == [arguments[0]])
  }

  @Test func `what cannot be written is told with its name, and overwrites nothing`() throws {
    for (name, words) in [("nowhere/x.sqlite", "cannot be opened"), ("nowhere/x.csv", "cannot be made")] {
      let path = folder.path + "/" + name
      let options = name.hasSuffix("csv") ? ["--table", "large"] : []
      let run = try Martlet.run(["export", url, path] + options)
      #expect(run.status == 1 && run.complaint.contains("The file \(path) \(words)"), "\(run.complaint)")
    }
  }
}
