/// Files that went wrong in any way: the reader says so, with a line.
import MartletTestSupport
import Testing

@testable import MartletCommand

struct ConfigurationFuzzTests {
  private static func mutated(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
      case 2: bytes = Array(bytes.prefix(place))
      case 3:
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
        let line = lines[Int.random(in: 0..<lines.count, using: &random)]
        lines.insert(line, at: Int.random(in: 0...lines.count, using: &random))
        bytes = Array(lines.joined(separator: [10]))
      case 4:
        let signs = Array("[]{}\"'=.,#\\\n0a-é".utf8)
        bytes.insert(signs[Int.random(in: 0..<signs.count, using: &random)], at: place)
      default:
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
        lines.shuffle(using: &random)
        bytes = Array(lines.joined(separator: [10]))
      }
    }
    return bytes
  }

  @Test func `20,000 damaged files are read or refused with a line`() {
    var random = SeededGenerator(seed: 13)
    let text = Array(ConfigurationExample.text.utf8)
    var (right, wrong) = (0, 0)
    for _ in 0..<20_000 {
      let damaged = String(decoding: Self.mutated(text, &random), as: UTF8.self)
      do {
        _ = try ConfigurationTests.read(damaged)
        right += 1
      } catch let error as InvalidConfiguration {
        wrong += 1
        let lines = damaged.utf8.count { $0 == 10 } + 1
        let areInside = error.mistakes.allSatisfy { (1...lines).contains($0.line ?? 1) && !$0.sentence.isEmpty }
        #expect(!error.mistakes.isEmpty && areInside, "\(error)\n\(damaged)")
        #expect(error.description.hasPrefix("/etc/martlet/martlet.toml"))
      } catch {
        Issue.record("\(error)\n\(damaged)")
      }
    }
    #expect(right > 500 && wrong > 5_000)
  }

  @Test func `names of any number of parts, and lists and tables of any depth, are refused with their line`() {
    for count in [101, 3_000, 50_000] {
      let name = Array(repeating: "a", count: count).joined(separator: ".")
      let open = String(repeating: "[", count: count)
      for text in ["\(name) = 1", "[\(name)]", "[[\(name)]]", "a = {\(name) = 1}", "a = \(open)", "a = \(open)1"] {
        do {
          _ = try ConfigurationTests.read("loops = 1\n" + text)
          Issue.record("taken: \(text.prefix(20))")
        } catch let error as InvalidConfiguration {
          #expect(error.mistakes.first?.line == 2, "\(text.prefix(20)): \(error.description.prefix(200))")
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }

  @Test func `20,000 texts of TOML's own signs are read or refused`() {
    var random = SeededGenerator(seed: 14)
    let words = [
      "[", "]", "{", "}", "\"", "'", "\"\"\"", "'''", "=", ".", ",", "#", "\n", " ", "a", "-1", "e", "é", "_", "0x",
      ":",
      "T", "\\", "\\u00", "+", "inf", "1979-05-27", "\r\n", "\t",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...30, using: &random)
      let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      let mistakes = ConfigurationMistakesTests.mistakes(text)
      #expect(mistakes.allSatisfy { $0.hasPrefix("m.toml:") }, "\(text): \(mistakes)")
    }
  }
}
