/// Texts as SQL quotes them, by Unicode's scalars.
///
/// Always true: SQLite ends a quoted text at the byte of its mark, whatever stands behind that. To Swift a mark with an
/// accent behind it is a character of its own, which is not equal to the mark.
extension StringProtocol {
  /// Between two marks, with each one within it written twice: `"a ""name"""`, or `'it''s'`.
  package func quoted(_ mark: Unicode.Scalar = "\"") -> String {
    var text = String.UnicodeScalarView()
    text.append(mark)
    for scalar in unicodeScalars {
      text.append(scalar)
      if scalar == mark { text.append(mark) }
    }
    text.append(mark)
    return String(text)
  }

  /// Replaces each scalar for which `replacement` returns a text.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let other = replacement(scalar) { text += other.unicodeScalars } else { text.append(scalar) }
    }
    return String(text)
  }
}
