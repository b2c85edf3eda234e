/// How a call of a public method looks in Swift text: `.name` on a value, on a type or alone, an operator between
/// operands, a type's name before a parenthesis.
///
/// Always true: a static method is found only behind a type's name or a leading dot, any other only behind a value.
import MartletTestSupport

struct MethodCall {
  private let declaration: PublicDeclaration

  init(of declaration: PublicDeclaration) { self.declaration = declaration }

  func stands(in text: String) -> Bool {
    switch declaration.keyword {
    case "init":
      return Self.words(declaration.owner, in: text).contains { word in
        ["(", " {", "<"].contains { word.after.hasPrefix($0) }
      }
    case "subscript": return text.contains("[\\.")
    default: break
    }
    if declaration.isOperator { return hasOperator(in: text) }
    if declaration.name == "callAsFunction" { return text.contains(/\$0\.\w+\(\./) }
    if declaration.name == "appendInterpolation" { return text.contains("\\(") }
    return Self.words(declaration.name, in: text).contains { word in
      if declaration.owner.isEmpty { return word.before.last != "." }
      guard word.before.last == "." else { return false }
      return (declaration.isStatic || declaration.keyword == "case") == Self.isType(word.before.dropLast())
    }
  }

  /// Whether what stands before the dot is a type's name or nothing: `Note.where`, `.now`.
  private static func isType(_ text: Substring) -> Bool {
    // A key path is of a value.
    if text.last == "\\" { return false }
    let trimmed = text.trimmingSuffix { $0 == " " || $0 == "\n" }
    // A chain goes on in the next line.
    if trimmed.count < text.count, text.contains("\n"), text.suffix(from: trimmed.endIndex).contains("\n") {
      return false
    }
    let name = trimmed.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }.reversed()
    guard trimmed.count == text.count, let first = name.first else {
      return trimmed.count < text.count || !(trimmed.last.map { ")]}\"?!".contains($0) } ?? false)
    }
    return first.isUppercase
  }

  /// Between spaces, or before its operand.
  private func hasOperator(in text: String) -> Bool {
    if text.contains(" \(declaration.name) ") { return true }
    return text.ranges(of: declaration.name).contains { range in
      let before = range.lowerBound == text.startIndex ? " " : text[text.index(before: range.lowerBound)]
      guard " ({".contains(before), range.upperBound < text.endIndex else { return false }
      let next = text[range.upperBound]
      return next == "$" || next.isLetter
    }
  }

  /// The places of a whole word, with what stands before it and behind it.
  private static func words(_ word: String, in text: String) -> [(before: Substring, after: Substring)] {
    text.ranges(of: word).compactMap { range in
      let before = text[..<range.lowerBound]
      let after = text[range.upperBound...]
      func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
      }
      return isPart(before.last) || isPart(after.first) ? nil : (before, after)
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    var result = self
    while let last = result.last, predicate(last) { result.removeLast() }
    return result
  }
}
