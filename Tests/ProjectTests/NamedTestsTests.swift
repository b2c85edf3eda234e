/// The tests that pages name as their proofs are there.
///
/// Always true: a page names a test by the whole sentence of its function.
import Foundation
import Testing

@Suite struct NamedTestsTests {
  /// The sentences of all test functions.
  static let sentences: Set<String> = {
    var found: Set<String> = []
    for file in ProjectFiles.all where file.path.hasPrefix("Tests/") {
      for match in file.text.matches(of: /func `([^`]+)`/) { found.insert(String(match.1)) }
    }
    return found
  }()

  @Test func `each proof in the table of compatibility is a test`() throws {
    let page = try String(contentsOf: ProjectFiles.root.appending(path: "docs/COMPATIBILITY.md"), encoding: .utf8)
    var proofs = 0
    for line in page.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.replacing("\\|", with: "/").split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 7, Int(cells[1].trimmingCharacters(in: .whitespaces)) != nil else { continue }
      let state = cells[4].trimmingCharacters(in: .whitespaces)
      let tests = cells[5].split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let missing = tests.filter { !$0.isEmpty && !Self.sentences.contains($0) }
      #expect(missing.isEmpty, "\(line.prefix(60))")
      let isProven = tests.contains { !$0.isEmpty }
      #expect(isProven || !state.hasPrefix("yes"), "no proof: \(line.prefix(60))")
      proofs += tests.count
    }
    #expect(proofs > 100)
  }

  @Test func `each proof in the page for porting is a test`() throws {
    let page = try String(contentsOf: ProjectFiles.root.appending(path: "docs/PORTING.md"), encoding: .utf8)
    var rows = 0
    for line in page.split(separator: "\n") where line.hasPrefix("| ") && !line.hasSuffix("| test |") {
      let cells = line.replacing("\\|", with: "/").split(separator: "|", omittingEmptySubsequences: false)
      #expect(cells.count == 5, "\(line.prefix(60))")
      guard cells.count == 5 else { continue }
      // A sentence may have a semicolon of its own, so they are looked for from the longest one on.
      var rest = cells[3].trimmingCharacters(in: .whitespaces)
      #expect(!rest.isEmpty, "no test: \(line.prefix(60))")
      while let next = Self.sentences.filter({ rest.hasPrefix($0) }).max(by: { $0.count < $1.count }) {
        rest = rest.dropFirst(next.count).trimmingCharacters(in: .whitespaces.union([";"]))
      }
      #expect(rest.isEmpty, "no test: \(rest.prefix(60))")
      rows += 1
    }
    #expect(rows > 60)
  }

  @Test func `each proof in the page for another library's spelling is a test`() throws {
    let page = try String(contentsOf: ProjectFiles.root.appending(path: "docs/SQLITE-SWIFT.md"), encoding: .utf8)
    let table = page.split(separator: "| example | today's spelling | test |\n").dropFirst().first ?? ""
    let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("| ") }
    for line in rows {
      let cells = line.replacing("\\|", with: "/").split(separator: "|", omittingEmptySubsequences: false)
      #expect(cells.count == 5, "\(line.prefix(60))")
      let tests = (cells.count == 5 ? cells[3] : "").split(separator: ";")
      let missing = tests.filter { !Self.sentences.contains($0.trimmingCharacters(in: .whitespaces)) }
      #expect(!tests.isEmpty && missing.isEmpty, "\(line.prefix(60)): \(missing)")
    }
    #expect(rows.count > 20)
    let beside = page.matches(of: /\(\*([^*]+)\*\)/).map { String($0.1) }
    #expect(beside.count >= 3 && beside.allSatisfy(Self.sentences.contains), "\(beside)")
  }

  @Test func `each proof in the list of faults is a test`() throws {
    let page = try String(contentsOf: ProjectFiles.root.appending(path: "docs/FAULTS.md"), encoding: .utf8)
    var rows = 0
    for line in page.split(separator: "\n") {
      guard line.prefixMatch(of: /\| [A-D W]\d+ \|/) != nil else { continue }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      #expect(cells.count == 7, "\(line.prefix(60))")
      guard cells.count == 7 else { continue }
      // A sentence may have a semicolon of its own, so they are looked for from the longest one on.
      var rest = cells[3].trimmingCharacters(in: .whitespaces)
      while !rest.isEmpty {
        guard let next = Self.sentences.filter({ rest.hasPrefix($0) }).max(by: { $0.count < $1.count }) else { break }
        rest = rest.dropFirst(next.count).trimmingCharacters(in: .whitespaces.union([";"]))
      }
      #expect(rest.isEmpty, "no test: \(rest.prefix(60))")
      rows += 1
    }
    #expect(rows > 40)
  }
}
