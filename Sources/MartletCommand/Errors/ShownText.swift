/// Text that others have written, as a person sees it.
///
/// Always true: nothing in it steers a terminal, or is taken for the end of a line that it is not.
enum ShownText {
  static func escaped(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { !isControl($0) }
    if isPlain { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      case _ where isControl(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The same of a text of several lines, which stay, and so do tabs.
  static func escapedLines(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let end = rest.unicodeScalars.firstIndex(where: { $0 == "\n" || $0 == "\t" }) {
      result += escaped(String(rest[..<end]))
      result.unicodeScalars.append(rest.unicodeScalars[end])
      rest = rest[rest.unicodeScalars.index(after: end)...]
    }
    return result + escaped(String(rest))
  }

  /// What a format wrote for a file or a program, and what a person sees of it who has it written to a terminal: the
  /// ends of its lines stay.
  static func onTerminal(_ bytes: [UInt8]) -> [UInt8] {
    // The first bytes of all that is not shown as it is, in UTF-8, but for the ends of lines and tabs.
    let isPlain = bytes.allSatisfy { byte in
      byte >= 0x20 ? byte != 0x7F && byte != 0xC2 && byte != 0xE2 : byte == 0x0A || byte == 0x09
    }
    if isPlain { return bytes }
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.enumerated().map { index, line in
      let hasReturn = line.last == "\r" && index < lines.count - 1
      return escapedLines(String(hasReturn ? line.dropLast() : line)) + (hasReturn ? "\r" : "")
    }
    return Array(shown.joined(separator: "\n").utf8)
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    // Beside the two control blocks: the ends of lines and paragraphs, and the marks that change a line's direction.
    return value < 0x20 || (value >= 0x7F && value < 0xA0) || (0x2028...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }
}
