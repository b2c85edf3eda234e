/// What the log of slow requests tells of those under rules for tables, and what no log tells.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RuleLogTests {
  private static func line(_ log: CapturedLog, _ isWanted: (CapturedLog.Line) -> Bool) -> CapturedLog.Line? {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if let line = log.lines.first(where: isWanted) { return line }
      usleep(2_000)
    }
    return nil
  }

  private static func sql(_ line: CapturedLog.Line?) -> String { line?.metadata["sql"].map { "\($0)" } ?? "" }

  private static func asked(_ title: String, _ name: String) -> ASTStatement {
    .select {
      $0.columns = [
        .expression(.column("id"), as: name), .expression(.literal(4711.5)), .expression(.literal([7, 7])),
      ]
      $0.from = .table("notes")
      $0.where = .call(
        .and, .call(.equal, .column("title"), .literal(title)), .call(.less, .column("id"), .literal(Int64(918_273))))
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
      #expect(try stage.ask(client, Self.asked("MARKED TEXT", name)).error == nil)
      let line = Self.line(log) { Self.sql($0).contains(name) }
      let sql = Self.sql(line)
      #expect(sql.contains("tenant = ") == isRuled && sql.contains("\"title\") = (?)"), "\(name): \(sql)")
      #expect(line?.metadata["plan"].map { "\($0)" }?.contains("notes") == true, "\(name): \(line?.metadata ?? [:])")
      // At most twenty lines a second are written.
      usleep(1_100_000)
    }
    for value in ["MARKED", "4711", "0707", "918273"] { #expect(!log.text.contains(value), "\(value)") }
  }

  @Test func `what a client calls something makes no line of a log and no command to a terminal`() throws {
    let log = CapturedLog()
    let stage = try RuleStage(nil) {
      $0.slowQueryMs = 0
      $0.logger = log.logger
    }
    let (a, _) = try stage.client("a")
    let forged = "x\n2026-11-24T00:00:00+0000 notice martlet: FORGED\u{1B}[31m\u{202E}\u{2028}\u{9B}31m\r"
    for client in [a, stage.admin] {
      #expect(try stage.ask(client, Self.asked("t", forged)).error == nil)
    }
    _ = Self.line(log) { Self.sql($0).contains("FORGED") }
    let written = log.text.replacing("\n\(log.lines.first?.message ?? "")", with: "")
    for line in log.lines {
      for value in line.metadata.values {
        #expect(!"\(value)".unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
      }
    }
    for sign in ["\u{1B}", "\u{202E}", "\u{2028}", "\u{9B}", "\r"] { #expect(!written.contains(sign)) }
  }
}
