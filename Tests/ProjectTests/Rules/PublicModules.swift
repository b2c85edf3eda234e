/// The rule that only what programs can import is public, and the rest the package's.
///
/// Always true: a file of another module has `public` only beside `@inlinable`, or beside what that uses
/// (`@usableFromInline`). The compiler puts no body of an `@inlinable package` declaration into another module.
import Foundation

enum PublicModules {
  /// Macros run in the compiler, which finds them by a public type.
  private static let others: Set = ["MartletMacros"]

  static let rule = LintRule(
    name: "what no program can import is the package's",
    applies: { file in
      let parts = file.path.split(separator: "/")
      let isModule = parts.first == "Sources" && parts.count > 2 || file.path.hasPrefix("Tests/MartletTestSupport/")
      return isModule && file.path.hasSuffix(".swift") && !Manifest.importable.union(others).contains(String(parts[1]))
    }
  ) { file in
    let isInlined = file.lines.contains { !isComment($0) && $0.matches("@(inlinable|usableFromInline)\\b") }
    return file.lines.enumerated().compactMap { offset, line in
      guard !isInlined, !isComment(line), line.matches(declaration) else { return nil }
      return (offset + 1, "no product shows this module: say 'package', or make what is hot '@inlinable public'")
    }
  }

  private static let declaration =
    "^\\s*(@\\w+(\\([^)]*\\))? )*public (\\w+(\\(set\\))? )*(import|struct|class|enum|actor|protocol|extension|typealias|"
    + "func|init|var|let|subscript|macro)\\b"

  private static func isComment(_ line: String) -> Bool { line.drop { $0 == " " }.hasPrefix("//") }
}
