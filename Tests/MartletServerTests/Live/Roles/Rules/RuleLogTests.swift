/// What the log of slow requests tells of those under rules for tables, and what no log tells.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RuleLogTests {
  /// The line of a statement that is run until there is one: at most twenty lines a second are written.
  private static func line(
    of name: String, _ log: CapturedLog, _ run: () throws -> RequestError?
  ) throws -> CapturedLog.Line {
    var line: CapturedLog.Line?
    try waitUntil {
      let error = try run()
      #expect(error == nil)
      line = log.lines.first { sql($0).contains(name) && $0.metadata["plan"] != nil }
      return line != nil
    }
    return try #require(line)
  }

  private static func sql(_ line: CapturedLog.Line) -> String { line.metadata["sql"].map { "\($0)" } ?? "" }

  private static func asked(_ title: String, _ name: String) -> ASTStatement {
    .select {
      $0.columns = [
        .expression(.column("id"), as: name), .expression(.literal(7_263_544_817.5)),
        .expression(.literal([7, 7, 7, 7, 7, 7])),
      ]
      $0.from = .table("notes")
      $0.where = .call(
        .and, .call(.equal, .column("title"), .literal(title)),
        .call(.less, .column("id"), .literal(Int64(918_273_645_546))))
    }
  }

  @Test func `a slow request has its SQL and its plan under rules too, and values of neither tree`() throws {
    let log = CapturedLog()
    let stage = try RuleStage(nil) {
      $0.slowQueryMs = 0
      $0.logger = log.logger
    }
    let (a, _) = try stage.client("a")
    for (client, name, isRuled) in [(a, "ruled", true), (stage.admin, "open", false)] {
      let line = try Self.line(of: name, log) { try stage.ask(client, Self.asked("MARKED TEXT", name)).error }
      let sql = Self.sql(line)
      #expect(sql.contains("tenant = ") == isRuled && sql.contains("\"title\") = (?)"), "\(name): \(sql)")
      #expect(line.metadata["plan"].map { "\($0)" }?.contains("notes") == true, "\(name): \(line.metadata)")
    }
    // Longer than what an address, a port or an identifier of the log can hold by accident.
    for value in ["MARKED", "7263544817", "070707070707", "918273645546"] {
      #expect(!log.text.contains(value), "\(value)")
    }
  }

  @Test func `what a client calls something makes no line of a log and no command to a terminal`() throws {
    let log = CapturedLog()
    let stage = try RuleStage(nil) {
      $0.slowQueryMs = 0
      $0.logger = log.logger
    }
    let (a, _) = try stage.client("a")
    for (client, name) in [(a, "FORGED RULED"), (stage.admin, "FORGED OPEN")] {
      let forged = "x\n2026-11-24T00:00:00+0000 notice martlet: \(name)\u{1B}[31m\u{202E}\u{2028}\u{9B}31m\r"
      _ = try Self.line(of: name, log) { try stage.ask(client, Self.asked("t", forged)).error }
    }
    // The text of a whole line shows such signs in its own way: so each value is looked at.
    for line in log.lines {
      for text in [line.message] + line.metadata.values.map({ "\($0)" }) {
        let forbidden = text.unicodeScalars.filter {
          $0.properties.generalCategory == .control || $0 == "\u{202E}" || $0 == "\u{2028}"
        }
        #expect(forbidden.isEmpty, "\(line)")
      }
    }
  }
}
