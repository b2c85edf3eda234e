/// Control-C, and a server that ends the transaction, while a file goes in: what stays is said, and nothing is
/// half there.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct InterruptedImportTests {
  let shop: ServedShop
  var url: String { shop.url }

  init() throws {
    shop = try ServedShop(making: "create table was(number, note); insert into was values (1, '')")
  }

  /// `mebibytes` of short records, of which the first few are sent long before the last is read.
  private func file(mebibytes: Int) throws -> String {
    var text = "number,note\n"
    for number in 0..<4_000 { text += "\(number),\(String(repeating: "n", count: 249 - String(number).count))\n" }
    let piece = Data(text.utf8)
    var data = piece
    // The header comes once.
    let rows = piece.dropFirst(12)
    while data.count < mebibytes << 20 { data.append(rows) }
    return try shop.file("large.csv", data)
  }

  private func interrupt(_ arguments: [String], keys: String? = nil) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(arguments, environment: ["MARTLET_HISTORY": shop.folder.path + "/history"])
    if let keys {
      try terminal.wait(for: "martlet> ")
      terminal.type(keys + "\r")
    }
    // The bar with a count of rows: some have gone, and most have not.
    try terminal.wait(for: " rows  ")
    terminal.interrupt()
    try terminal.wait(for: "It was interrupted.")
    return terminal
  }

  @Test func `an import of batches says how many rows stay, and they are there`() throws {
    let terminal = try interrupt(["import", url, try file(mebibytes: 48), "--table", "large", "--create"])
    let said = Int(try terminal.wait(for: " of large are in the database.").filter(\.isNumber))
    #expect(terminal.end() == 128 + SIGINT)
    #expect(try said != nil && shop.count("large") == said)
    #expect(try shop.count("was") == 1)
  }

  @Test func `an import of one transaction leaves nothing`() throws {
    let path = try file(mebibytes: 31)
    let terminal = try interrupt(["import", url, path, "--table", "large", "--create"])
    try terminal.wait(for: "Nothing was imported.")
    #expect(terminal.end() == 128 + SIGINT)
    #expect(try shop.count("large") == nil)
    // Not even the rows that were to be replaced are gone.
    let again = try interrupt(["import", url, path, "--table", "was", "--replace"])
    try again.wait(for: "Nothing was imported.")
    #expect(again.end() == 128 + SIGINT)
    #expect(try shop.count("was") == 1)
  }

  @Test func `an import that is interrupted before its first row says that nothing came in`() throws {
    let terminal = try PseudoTerminal(["import", url, try file(mebibytes: 31), "--table", "large", "--create"])
    try terminal.wait(for: "reading ")
    terminal.interrupt()
    try terminal.wait(for: "It was interrupted. Nothing was imported.")
    #expect(terminal.end() == 128 + SIGINT)
    #expect(try shop.count("large") == nil)
  }

  @Test func `an import whose transaction the server ends begins again, says so, and comes in once`() throws {
    let path = try file(mebibytes: 31)
    let terminal = try PseudoTerminal(["import", url, path, "--table", "was", "--replace"])
    try terminal.wait(for: " rows  ")
    terminal.pause()
    // Somebody else writes only when the transaction that says nothing has been ended.
    #expect(try Martlet.run(["sql", url, "insert into was values (2, '')"]).status == 0)
    terminal.resume()
    try terminal.wait(for: "Nothing was committed; the import begins again (2 of 5).")
    let said = try terminal.wait(for: " rows in 1 table").split(whereSeparator: \.isNewline).last ?? ""
    #expect(terminal.end() == 0)
    let rows = try String(contentsOfFile: path, encoding: .utf8).utf8.count { $0 == UInt8(ascii: "\n") } - 1
    #expect(Int(said.prefix { $0 != " " }.filter(\.isNumber)) == rows)
    #expect(try shop.count("was") == rows)
  }

  @Test func `an import whose transaction the server ends each time says so, and leaves nothing`() throws {
    let server = try ServerProcess(directory: shop.folder.path + "/strict", arguments: ["--transaction-ms", "1"])
    let path = try file(mebibytes: 8)
    let run = try Martlet.run(["import", server.url(database: "db"), path, "--table", "large", "--create"])
    #expect(run.status == 1)
    #expect(run.complaint.contains("the import begins again (5 of 5).\n"))
    #expect(run.complaint.contains("It was begun 5 times. Import when fewer others write, or in smaller files."))
    #expect(run.complaint.contains("Nothing was imported."))
  }

  @Test func `an import in the shell ends alone, and the shell goes on`() throws {
    let terminal = try interrupt(["sql", url], keys: ".import \(try file(mebibytes: 31)) large")
    try terminal.wait(for: "Nothing was imported.")
    terminal.type("select 41 + number from was;\r")
    try terminal.wait(for: "42")
    terminal.interrupt()
    terminal.type("select 'still ' || 'here';\r")
    try terminal.wait(for: "still here")
    terminal.type(".quit\r")
    #expect(terminal.end() == 0)
    #expect(try shop.count("large") == nil)
  }
}
