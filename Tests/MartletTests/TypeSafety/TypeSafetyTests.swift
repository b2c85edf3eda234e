/// What must not compile does not, and says why; its twin does.
///
/// Always true: all pieces stand in one file, which the compiler checks once, because an error in one function hides none
/// in another. An error is its piece's whose lines it points at.
import Foundation
import Testing

@Suite struct TypeSafetyTests {
  @Test(.enabled("There is no compiler, or no plug-in of the macros, beside these tests.") { Checker.found != nil })
  func `what must not compile does not, and its twin does`() throws {
    let checker = try #require(Checker.found)
    let (source, places) = Self.source()
    let output = try checker.check(source)
    let errors = Diagnostic.parse(output)
    #expect(!errors.isEmpty, "\(output.prefix(2_000))")
    let atHome = errors.filter { $0.line <= places[0].lines.lowerBound - 1 }
    #expect(atHome.isEmpty, "The tables themselves do not compile: \(atHome)")
    for place in places {
      let mine = errors.filter { place.lines.contains($0.line) }
      if let says = place.says {
        #expect(!mine.isEmpty, "\(place.name): compiles, and must not")
        #expect(
          mine.isEmpty || mine.contains { $0.text.contains(says) },
          "\(place.name): nothing says \(says), but\n\(mine.map(\.text).joined(separator: "\n"))")
        #expect(!mine.contains { $0.text.contains("reasonable time") }, "\(place.name): too complex to check")
      } else {
        #expect(mine.isEmpty, "\(place.name): must compile\n\(mine.map(\.text).joined(separator: "\n"))")
      }
    }
  }

  private struct Place {
    var name: String
    var lines: ClosedRange<Int>
    /// Nil: it must compile.
    var says: String?
  }

  private static func source() -> (String, [Place]) {
    var lines = Snippet.tables.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var places: [Place] = []
    func add(_ name: String, _ code: String, says: String?) {
      lines.append("func piece\(places.count)() throws {")
      let start = lines.count + 1
      lines += code.split(separator: "\n").map(String.init)
      places.append(Place(name: name, lines: start...lines.count, says: says))
      lines.append("}")
    }
    for snippet in Snippet.all {
      add(snippet.name, snippet.wrong, says: snippet.says)
      add(snippet.name, snippet.right, says: nil)
    }
    return (lines.joined(separator: "\n"), places)
  }
}

/// One error of the compiler, with its notes.
struct Diagnostic: CustomStringConvertible {
  var line: Int
  var text: String
  var description: String { "\(line): \(text)" }

  static func parse(_ output: String) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
      guard parts.count == 5, let number = Int(parts[1]) else { continue }
      switch parts[3] {
      case " error" where parts[0].hasSuffix("pieces.swift"):
        diagnostics.append(Diagnostic(line: number, text: String(parts[4])))
      case " note":
        guard !diagnostics.isEmpty else { continue }
        diagnostics[diagnostics.count - 1].text += "\n" + parts[4]
      default: break
      }
    }
    return diagnostics
  }
}
