/// A page of `docs/`, whose examples a test compares with what it runs.
///
/// Always true: the tests of these pages import what README tells a program to import, and nothing else of the package.
import Foundation
import Testing

struct PageText {
  let text: String

  init(_ name: String) throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    text = try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
  }

  /// The blocks of Swift, each as it stands there.
  var blocks: [String] {
    text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  /// Expects each line of each block in a test's source. What a program prints a test compares, and who sees a type is
  /// the test's own.
  func expectAll(in file: String, location: SourceLocation = #_sourceLocation) throws {
    func lines(_ text: String) -> [String] {
      // A chain of calls begins on the line of its name in a page, and on the next where a formatter has been.
      text.replacing(#/=\n +try/#, with: "= try").split(separator: "\n")
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,")) }
    }
    let source = Set(lines(try String(contentsOfFile: file, encoding: .utf8)))
    #expect(!blocks.isEmpty, sourceLocation: location)
    for line in blocks.flatMap(lines) where !line.isEmpty && !line.hasPrefix("print(") {
      #expect(
        source.contains(line) || source.contains("private " + line) || source.contains(line + ",")
          || line.hasPrefix("@Selection") || line.hasPrefix("@Table"), "\(line)", sourceLocation: location)
    }
    let imports = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
      $0.contains("import ")
    }
    let allowed = ["Foundation", "Martlet", "MartletTestSupport", "Observation", "Testing"]
    #expect(
      imports.allSatisfy { allowed.contains(String($0.split(separator: " ").last ?? "")) }, sourceLocation: location)
  }
}
