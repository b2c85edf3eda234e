import Foundation

/// Finds functions and how many lines each takes, in text that the formatter has laid out.
///
/// Always true: a body ends at the first later line that starts with `}` at the indentation of its declaration. What a
/// protocol asks for has none: a line that is indented less comes first.
struct FunctionScanner {
  struct Function: Equatable {
    let line: Int
    let length: Int
  }

  private static let declaration =
    "^\\s*(@\\w+(\\([^)]*\\))? )*((public|internal|package|private|fileprivate|static|class|final|mutating|nonmutating|override|convenience|nonisolated|consuming|borrowing|required) )*(func |init[?(<]|deinit|subscript[(<])"

  static func functions(in lines: [String]) -> [Function] {
    lines.indices.compactMap { start in
      let line = lines[start]
      guard line.matches(declaration) else { return nil }
      let indentation = line.prefix { $0 == " " }
      if line.matches("\\}\\s*$") { return Function(line: start + 1, length: 1) }
      for end in lines.indices[(start + 1)...] where !lines[end].isEmpty {
        if lines[end].hasPrefix(indentation + "}") { return Function(line: start + 1, length: end - start + 1) }
        if !lines[end].hasPrefix(indentation) { return nil }
      }
      return nil
    }
  }
}
