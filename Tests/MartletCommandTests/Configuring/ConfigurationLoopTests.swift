/// Configuration files and conditions on rows that went wrong in any way, for as long as one likes: each is read or
/// refused with a line of its own.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

@Suite(.serialized) struct ConfigurationLoopTests {
  private static let text =
    ConfigurationExample.text + """

      [roles.app]
      databases = ["shop", "own-{tenant}"]
      allow = ["rows"]

      [roles.app.tables.orders]
      allow = ["select", "update"]
      read = ["id", "title"]
      write = ["title", "tenant"]
      rows = "tenant = claim('tenant') AND (id > 0 OR title LIKE 'a%')"
      change-rows = \"\"\"owner = claim('name')\"\"\"
      new-rows = 'EXISTS (SELECT 1 FROM members WHERE member = claim("x"))'

      """

  /// Files that go wrong in one way each.
  private static func file(_ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return (0..<Int.random(in: 0..<400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 1: return deep(&random)
    case 2: return large(&random)
    default: return mutated(Array(text.utf8), &random)
    }
  }

  private static func deep(_ random: inout SeededGenerator) -> [UInt8] {
    let count = [2, 99, 100, 101, 5_000].randomElement(using: &random) ?? 2
    func many(_ text: String) -> String { String(repeating: text, count: count) }
    let texts = [
      "a = " + many("["), "a = " + many("[") + many("]"), "a = " + many("{a = ") + "1" + many("}"),
      "[" + many("a.") + "b]", many("a.") + "b = 1", "a = " + many("[{a = ["), many("[["), many("\"") + " = 1",
      "[roles.r.tables.t]\nrows = \"" + many("(") + "1" + many(")") + "\"", "a = \"\"\"" + many("\n"),
    ]
    return Array((texts.randomElement(using: &random) ?? "").utf8)
  }

  private static func large(_ random: inout SeededGenerator) -> [UInt8] {
    let digits = String(repeating: "9", count: [18, 19, 20, 400, 5_000].randomElement(using: &random) ?? 19)
    let values = [
      digits, "-" + digits, "0x" + digits, "0b" + digits, "1e" + digits, digits + "." + digits, "1_" + digits,
      "\"" + digits + "\"", "9999-99-99T99:99:99Z", digits + "-01-01", "inf", "-nan", "\"\\U" + digits.prefix(8) + "\"",
      "\"\\uD800\"",
    ]
    let keys = ["loops", "slow-query-ms", "memory", "socket-mode", "limits.wal-mib", "limits.deadline-ms", "data"]
    return Array("\n\(keys.randomElement(using: &random) ?? "") = \(values.randomElement(using: &random) ?? "")".utf8)
  }

  private static func mutated(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = text
    let signs = Array("[]{}\"'=.,#\\\n0a-é()?:;*/_".utf8) + [0, 7, 0xFF, 0xC3, 0x80]
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes = Array(bytes.prefix(place))
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
      case 4: bytes.insert(signs.randomElement(using: &random) ?? 0, at: place)
      default: bytes[place] = signs.randomElement(using: &random) ?? 0
      }
    }
    return bytes
  }

  @Test func `a file that went wrong anywhere is read, or refused with lines that it has`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/martlet.toml"
    var (right, wrong) = (0, 0)
    let report = try FuzzLoop("configuration", rounds: 6_000).run { round, random in
      let bytes = Self.file(&random)
      let lines = bytes.count { $0 == 10 } + 1
      do {
        // Now and then out of a file, which may be no text at all.
        if round % 8 == 0 {
          try Data(bytes).write(to: URL(filePath: path))
          _ = try LoadedConfiguration.load(path)
        } else {
          _ = try ConfigurationTests.read(String(decoding: bytes, as: UTF8.self))
        }
        right += 1
      } catch let error as InvalidConfiguration {
        wrong += 1
        let areInside = error.mistakes.allSatisfy { (1...lines).contains($0.line ?? 1) && !$0.sentence.isEmpty }
        #expect(!error.mistakes.isEmpty && areInside, "round \(round): \(error)")
        // What is told goes to a terminal.
        #expect(!error.description.utf8.contains { $0 < 32 && $0 != 10 }, "round \(round): \(error)")
      }
    }
    #expect(wrong > report.rounds / 2 && right > 0, "\(right) right, \(wrong) wrong")
    #expect(report.growthBytes < 64 << 20 && report.moreDescriptors <= 0, "\(report)")
  }

  /// A server may be told to reload every minute, for years.
  @Test func `a file that is read again and again takes no more memory`() throws {
    let report = try FuzzLoop("one configuration", rounds: 4_000).run { _, _ in
      _ = try ConfigurationTests.read(ConfigurationExample.text)
    }
    #expect(report.growthBytes < 4 << 20 && report.moreDescriptors <= 0, "\(report)")
  }

  @Test func `texts that Unicode takes for equal are read as they are`() throws {
    let (whole, parts) = ("a = \"\u{E9}\"", "a = \"e\u{301}\"")
    #expect(whole == parts)
    for text in [whole, parts, whole] {
      guard case .table(let table) = try TOMLNode(parsing: text).content, case .text(let value)? = table["a"]?.content
      else {
        Issue.record("\(text)")
        return
      }
      #expect(value.utf8.elementsEqual(text.dropFirst(5).dropLast().utf8))
    }
  }

  @Test func `a condition that went wrong anywhere is refused, or stays one expression`() throws {
    let conditions = [
      "tenant = claim('tenant') AND (id > 0 OR title LIKE 'a%')", "\"a\"\"b\" = [c d] OR `e` <> x'00ff'",
      "EXISTS (SELECT 1 FROM members WHERE member = claim('name') AND (a, b) IN (SELECT 1, 2))",
      "CASE claim('x') WHEN 'y' THEN a BETWEEN -1 AND 1.5e3 ELSE NULL END IS NOT NULL",
    ].map { Array($0.utf8) }
    var (taken, refused) = (0, 0)
    let report = FuzzLoop("conditions", rounds: 20_000).run { round, random in
      let text = String(decoding: Self.mutated(conditions[round % conditions.count], &random), as: UTF8.self)
      do throws(RowRule.Invalid) {
        let rule = try RowRule(text)
        taken += 1
        #expect(Self.isClosed(rule), "round \(round): \(text)")
      } catch {
        refused += 1
        #expect(!error.sentence.isEmpty)
      }
    }
    #expect(taken > 100 && refused > 100, "\(taken) taken, \(refused) refused")
    #expect(report.growthBytes < 32 << 20, "\(report)")
  }

  /// Whether what stands in parentheses around a condition stays outside of it: the parts have no comment and no
  /// semicolon outside of quotation marks, and as many parentheses open as closed, never fewer open.
  private static func isClosed(_ rule: RowRule) -> Bool {
    var (depth, quote): (Int, UInt8) = (0, 0)
    var former: UInt8 = 0
    for part in rule.parts {
      guard case .sql(let sql) = part else {
        if quote != 0 { return false }
        // A parameter stands here, so what is beside it does not touch.
        former = UInt8(ascii: "?")
        continue
      }
      for byte in sql.utf8 {
        defer { former = byte }
        if quote != 0 {
          if byte == quote { quote = 0 }
          continue
        }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quote = byte
        case UInt8(ascii: "["): quote = UInt8(ascii: "]")
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        case UInt8(ascii: ";"), 0: return false
        case UInt8(ascii: "-") where former == byte: return false
        case UInt8(ascii: "*") where former == UInt8(ascii: "/"): return false
        default: break
        }
        if depth < 0 { return false }
      }
    }
    return depth == 0 && quote == 0
  }
}
