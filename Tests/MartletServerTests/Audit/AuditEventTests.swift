/// A line of the audit log, and which requests stand in it.
import Foundation
import MartletValues
import Testing

@testable import MartletServer

struct AuditEventTests {
  private static let time = Date(timeIntervalSince1970: 1_790_000_000.123)
  private static let party = AuditParty(
    session: 7, who: "token web (k3x)", role: "app", from: "10.0.0.1:5", client: "martlet", database: "shop")

  private static func line(_ event: AuditEvent) -> String {
    var bytes: [UInt8] = []
    event.write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func object(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  /// One that has every field.
  private static var full: AuditEvent {
    var event = AuditEvent(.statement, party, time: time)
    (event.request, event.transaction, event.step, event.shown) = (1, 2, 3, "a token")
    (event.kind, event.writes, event.newName) = ("insert", true, "shop2")
    event.shape = ShapeID(high: 1, low: 2)
    event.parameters = AuditedValues.of(
      [.value(5)], standingFor: [.init(parameter: 1, member: 0, table: "t", column: "c")],
      asked: [AuditedColumn(table: "t", column: "c")])
    (event.steps, event.rows, event.changed, event.requests) = (4, 5, 6, 7)
    (event.statements, event.roles, event.tokens, event.count) = (.all, 8, 9, 10)
    (event.outcome, event.nanoseconds) = ("ok", 1_002_345_678)
    return event
  }

  @Test func `a line is one JSON object whose fields are named and stand in their order`() throws {
    let line = Self.line(Self.full)
    #expect(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1)
    #expect(line.matches(of: /"(\w+)":/).map { String($0.1) } == AuditEvent.fields)
    let object = try Self.object(line)
    #expect(object["time"] as? String == "2026-09-21T14:13:20.123Z" && object["event"] as? String == "statement")
    #expect(object["session"] as? String == "7" && object["who"] as? String == "token web (k3x)")
    #expect(object["shape"] as? String == "00000000000000010000000000000002" && object["writes"] as? Bool == true)
    #expect(object["milliseconds"] as? Double == 1002.345 && object["changed"] as? Int == 6)
    #expect(
      Self.line(AuditEvent(.serverStopping, time: Self.time))
        == "{\"time\":\"2026-09-21T14:13:20.123Z\",\"event\":\"server-stopping\"}\n")
  }

  @Test func `what is not known is left out, and times have microseconds`() throws {
    let none = AuditParty(session: 1, who: "", role: "", from: "p", client: "", database: "")
    let object = try Self.object(Self.line(AuditEvent(.sessionOpened, none)))
    #expect(Set(object.keys) == ["time", "event", "session", "from"])
    let times: [(UInt64, String)] = [(0, "0.000"), (999, "0.000"), (1_000, "0.001"), (10_010_000, "10.010")]
    for (nanoseconds, text) in times { #expect(AuditEvent.milliseconds(nanoseconds) == text) }
  }

  @Test func `whatever a name holds, a line stays a line and the name is told`() throws {
    let names = [
      "\"},{\"event\":\"forged", "a\nb\r\u{0}\u{1B}[2J\u{7F}\u{85}", "back\\slash\\", "\u{202E}gnp.exe",
      "\u{2028}\u{2029}",
      "日本語 é 🐦", String(decoding: [0x61, 0xFF, 0x62], as: UTF8.self), "\u{E0001}", "",
    ]
    for name in names {
      var event = AuditEvent(.statement, time: Self.time)
      event.kind = name
      let line = Self.line(event)
      #expect(line.count { $0.isNewline } == 1, "\(name.debugDescription)")
      #expect(try Self.object(line)["kind"] as? String == name)
      for scalar in line.unicodeScalars.dropLast() {
        let category = scalar.properties.generalCategory
        #expect(category != .control && category != .format && category != .lineSeparator, "\(scalar.value)")
      }
    }
  }

  @Test func `a long name is cut where it is longer than the limit, and between its characters`() throws {
    let most = AuditLimits.textScalarsMax
    for (count, shown) in [(most, most), (most + 1, most + 1), (100_000, most + 1)] {
      var event = AuditEvent(.statement, time: Self.time)
      event.kind = String(repeating: "é", count: count)
      let kind = try #require(try Self.object(Self.line(event))["kind"] as? String)
      #expect(kind.unicodeScalars.count == shown && kind.hasSuffix("…") == (count > most))
    }
  }

  @Test func `each level has what the one before it has, and more`() {
    let expected: [AuditLevel: [Bool]] = [
      // A refused read, a refused write, a write, a read.
      .refused: [true, true, false, false], .writes: [true, true, true, false],
      .all: [true, true, true, true],
    ]
    for level in AuditLevel.allCases {
      let found = [(false, true), (true, true), (true, false), (false, false)].map {
        level.wants(writes: $0.0, isRefused: $0.1)
      }
      #expect(found == expected[level], "\(level)")
    }
  }

  @Test func `the page names every event, every field and every level, and no other`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let page = try String(contentsOf: root.appending(path: "docs/OPERATING.md"), encoding: .utf8)
    let part = try #require(page.components(separatedBy: "\n## Audit\n").last?.components(separatedBy: "\n## ").first)
    let tables = part.components(separatedBy: "\n|---|---|\n").dropFirst().map { table in
      table.split(separator: "\n").prefix { $0.hasPrefix("| `") }.flatMap { row in
        row.split(separator: "|")[0].matches(of: /`([\w-]+)`/).map { String($0.1) }
      }
    }
    try #require(tables.count == 3)
    #expect(tables[0] == AuditLevel.allCases.map(\.rawValue))
    #expect(Set(tables[1]) == Set(AuditEvent.Name.allCases.map(\.rawValue)) && tables[1].count == Set(tables[1]).count)
    #expect(tables[2] == AuditEvent.fields)
  }
}
