/// A server of a test's own with one database, and what tests do with it by the built `martlet`.
///
/// Always true: the server and the folder go when the value goes; a statement, a file or a shell of it that fails ends
/// the test, with what was complained of.
import Foundation
import MartletTestSupport
import Testing

struct ServedShop {
  let folder: TemporaryFolder
  let server: ServerProcess
  let url: String

  /// `sql` makes the database; without it there is none yet.
  init(_ database: String = "shop", making sql: String? = nil) throws {
    folder = try TemporaryFolder()
    server = try ServerProcess(directory: folder.path + "/data")
    url = server.url(database: database)
    guard let sql else { return }
    let made = try Martlet.run(["sql", "--create", url, sql])
    try #require(made.status == 0, "\(made.complaint)")
  }

  /// The lines of a result as CSV, without the header.
  func rows(_ sql: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    let run = try Martlet.run(["sql", url, sql, "--format", "csv"])
    try #require(run.status == 0, "\(run.complaint)", sourceLocation: sourceLocation)
    return Array(run.lines.dropFirst())
  }

  /// How many rows a table has; nil if there is no such table.
  func count(_ table: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int? {
    let found = try rows("select 1 from sqlite_schema where name = '\(table)'", sourceLocation: sourceLocation)
    guard !found.isEmpty else { return nil }
    let line = try rows("select count(*) from \(table)", sourceLocation: sourceLocation).first
    let count: Int = try #require(line.flatMap { Int($0) }, sourceLocation: sourceLocation)
    return count
  }

  /// Makes a file in the folder; the path.
  @discardableResult
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let path = folder.path + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @discardableResult
  func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

  /// A shell that has shown its first prompt; its history is the folder's file `history`.
  func shell(columns: UInt16) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      ["sql", "--no-pager", url], columns: columns, environment: ["MARTLET_HISTORY": folder.path + "/history"])
    try terminal.wait(for: "martlet> ")
    return terminal
  }
}
