/// Command line and file say the same, and the documentation names all of it.
import Foundation
import Testing

@testable import MartletCommand

struct OptionKeysTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private struct Help: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
      var arguments: [Argument]?
    }
    struct Argument: Decodable { var names: [Name]? }
    struct Name: Decodable { var name: String }
    var command: Command
  }

  /// Of `martlet serve`, each with its other names.
  private static func options() throws -> [Set<String>] {
    let text = try Martlet.run(["--experimental-dump-help"]).output
    let help = try JSONDecoder().decode(Help.self, from: Data(text.utf8))
    let serve = try #require(help.command.subcommands?.first { $0.commandName == "serve" })
    return (serve.arguments ?? []).map { Set(($0.names ?? []).map(\.name)) }
  }

  @Test func `each option is a key, and each key that is not of the file alone is an option`() throws {
    let options = try Self.options().filter { $0.isDisjoint(with: ["help", "h", "version", "config"]) }
    #expect(options.count > 20)
    let keys = Set(ConfigurationKeys.top + ConfigurationKeys.limits)
    for names in options { #expect(names.intersection(keys).count == 1, "\(names)") }
    #expect(keys.subtracting(options.reduce([]) { $0.union($1) }) == ["tokens"])
  }

  @Test func `the example of the tests has every key`() throws {
    let lines = TOMLLines(ConfigurationExample.text)
    for key in ConfigurationKeys.top { #expect(lines.line(of: [key]) != nil, "\(key)") }
    for key in ConfigurationKeys.tls { #expect(lines.line(of: ["tls", key]) != nil, "\(key)") }
    for key in ConfigurationKeys.limits { #expect(lines.line(of: ["limits", key]) != nil, "\(key)") }
    for key in ConfigurationKeys.audit { #expect(lines.line(of: ["audit", key]) != nil, "\(key)") }
    for table in ConfigurationKeys.tables { #expect(lines.line(of: [table]) != nil, "\(table)") }
  }

  @Test func `the pages have a row for each key and no other`() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/CONFIGURATION.md"), encoding: .utf8)
    let roles = try String(contentsOf: Self.root.appending(path: "docs/ROLES.md"), encoding: .utf8)
    let keys = page + roles.components(separatedBy: "\n## Permissions")[0]
    let rows = keys.matches(of: /(?m)^\| `([A-Za-z.\-]+)` \|/).map { String($0.1) }
    #expect(rows.sorted() == ConfigurationKeys.all.sorted())
    for option in LimitOption.allCases {
      let row = page.split(separator: "\n").first { $0.hasPrefix("| `limits.\(option.rawValue)` |") } ?? ""
      #expect(row.hasSuffix("| 1 to \(option.largest) | \(option.standard) |"), "\(row)")
    }
  }

  @Test func `the page's example and the hardened one are right`() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/CONFIGURATION.md"), encoding: .utf8)
    let example = try #require(page.firstMatch(of: /(?s)```toml\n(.*?)```/)).1
    #expect(throws: Never.self) { try ConfigurationTests.read(String(example)) }
    let outcome = try Martlet.run([
      "config", "check", "--no-files", Self.root.appending(path: "deploy/martlet.toml").path,
    ])
    #expect(outcome.status == 0 && outcome.output.contains("martlet.toml is right.") && outcome.complaint.isEmpty)
  }

  @Test func `a mode has three octal digits, and may have a zero before them`() throws {
    for (text, mode) in [("660", 0o660), ("600", 0o600), ("000", 0), ("777", 0o777), ("0660", 0o660), ("0066", 0o066)]
      as [(String, UInt32)]
    {
      #expect(try OptionRule.socketMode(text, "--socket-mode") == mode)
    }
    for text in ["", "0", "6", "66", "066 ", "+66", "0o660", "1660", "00660", "800", "0800", "６６０", "66٠"] {
      #expect(throws: InvalidOption.self, "\(text)") { try OptionRule.socketMode(text, "--socket-mode") }
    }
  }

  @Test(arguments: [
    (["--deny", "raw,scema"], "--deny takes words out of raw"),
    (["--socket-mode", "66"], "--socket-mode is three octal"),
    (["--loops", "257"], "--loops is 0 to 256."), (["--slow-query-ms", "-1"], "--slow-query-ms"),
    (["--wal-mib", "4194305"], "--wal-mib is at most 4194304."), (["--page-cache-mib", "65537"], "at most 65536."),
    (["--write-time-max", "0"], "--write-time-max is a number from 1."), (["--memory", "1M"], "--memory is a number"),
    (["--deadline-ms", "700000"], "--deadline-ms must not exceed --deadline-max-ms."),
    (["--deny", "delete"], "--deny has to name raw as well."), (["--page-checksums", "1"], "is on or off."),
    (["--log-format", "xml"], "--log-format is text or json."), (["--metrics-listen", "x"], "--metrics-listen is an"),
  ])
  func `a wrong option is told with the same sentence as a wrong key`(arguments: [String], words: String) throws {
    let outcome = try Martlet.run(["serve"] + arguments)
    #expect(outcome.status == 64 && outcome.complaint.contains(words), "\(outcome.complaint)")
  }
}
