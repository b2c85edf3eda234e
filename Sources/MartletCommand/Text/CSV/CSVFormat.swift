/// How the fields of a text file stand apart, and which of them are NULL.
///
/// Always true: what a person said wins; what nobody said is found in the file's first line.
struct CSVFormat: Equatable, Sendable {
  /// Nil: found in the file.
  var delimiter: UInt8?
  /// A field without quotes that is written so is NULL, beside the empty one.
  var null: String?
  /// What `--exact` writes and reads: texts in quotes, numbers without, blobs as X'…'.
  var isExact = false

  static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]

  /// The byte that stands most often outside of quotes in the first line; the comma if there is none.
  static func delimiter(of beginning: [UInt8]) -> UInt8 {
    var counts = Array(repeating: 0, count: candidates.count)
    var isQuoted = false
    for byte in beginning {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return most == 0 ? candidates[0] : candidates[counts.firstIndex(of: most) ?? 0]
  }

  /// What a person may write for a delimiter: one byte, or a word for the tab.
  static func delimiter(named text: String) -> UInt8? {
    switch text.lowercased() {
    case "tab", "\\t": return 0x09
    case "comma": return UInt8(ascii: ",")
    case "semicolon": return UInt8(ascii: ";")
    default: break
    }
    guard text.utf8.count == 1, let byte = text.utf8.first, !"\"\r\n".utf8.contains(byte) else { return nil }
    return byte
  }
}
