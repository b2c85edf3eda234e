/// Control-C while a database or a table goes out: nothing is left that looks like a file of it.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct InterruptedExportTests {
  let shop: ServedShop
  var folder: TemporaryFolder { shop.folder }
  var url: String { shop.url }

  init() throws {
    let series = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)"
    shop = try ServedShop(
      making: "create table large(a, b); \(series) insert into large select i, hex(randomblob(40)) from n")
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
    #expect(terminal.end() == 128 + SIGINT)
    #expect(try files() == [])
    let again = try Martlet.run(all)
    #expect(again.status == 0, "\(again.complaint)")
    #expect(try files() == [arguments[0]])
  }

  @Test(arguments: [
    (SIGTERM, ["out.sqlite"]), (SIGHUP, ["out.sqlite"]), (SIGTERM, ["out.csv", "--table", "large"]),
    (SIGHUP, ["out.csv", "--table", "large"]),
  ])
  func `an export that a signal ends leaves nothing`(signal: Int32, arguments: [String]) throws {
    let terminal = try PseudoTerminal(["export", url, folder.path + "/" + arguments[0]] + arguments.dropFirst())
    try waitUntil { try !files().isEmpty }
    terminal.signal(signal)
    #expect(terminal.end() == 128 + signal)
    #expect(try files() == [])
  }

  @Test func `a copy that the shell makes leaves nothing when a signal ends the shell`() throws {
    let terminal = try shop.shell(columns: 80)
    terminal.type(".backup \(folder.path)/out.sqlite\r")
    try waitUntil { try !files().isEmpty }
    terminal.signal(SIGTERM)
    #expect(terminal.end() == 128 + SIGTERM)
    #expect(try files() == [])
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
