/// What somebody else said, made fit for a log and a terminal.
///
/// Always true: what comes out is one line, without commands to a terminal and without signs that nobody sees.
enum PrintableText {
  static func of(_ text: String, lengthMax: Int) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(lengthMax) { shown.unicodeScalars.append(isPlain(scalar) ? scalar : "?") }
    return shown
  }

  /// The same with a space for what stands between words, line breaks too.
  static func line(_ text: String, lengthMax: Int) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(lengthMax) {
      shown.unicodeScalars.append(scalar.properties.isWhitespace ? " " : isPlain(scalar) ? scalar : "?")
    }
    return shown
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }
}
