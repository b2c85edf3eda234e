/// Names and texts as they stand in Swift source, and back.
extension String {
  /// Without backticks.
  var unquoted: String { hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self }

  /// As an argument's label: nearly every word may be one without backticks, and what is no word needs them.
  var label: String { isWord && !["inout", "let", "var"].contains(unquoted) ? unquoted : self }

  /// Whether it is made of letters, digits and `_` and does not begin with a digit: such a name needs backticks only if
  /// the language has a word like it.
  var isWord: Bool {
    let name = unquoted
    return name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// As a Swift literal.
  var quoted: String {
    var text = "\""
    for character in self.unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\0": text += "\\0"
      default: text.unicodeScalars.append(character)
      }
    }
    return text + "\""
  }

  /// A type's name where an expression stands: `Int`, `(Date?)`, `([String].JSONRepresentation)`.
  var asExpression: String { contains { "?[(!& ".contains($0) } ? "(\(self))" : self }

  var asMetatype: String { "\(asExpression).self" }

  func indented(_ levels: Int = 1) -> String {
    let space = String(repeating: "  ", count: levels)
    return split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : space + $0 }
      .joined(separator: "\n")
  }
}
