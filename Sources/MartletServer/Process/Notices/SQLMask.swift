/// SQL text without the values that stand in it, for logs.
///
/// Always true: texts, blobs, numbers and comments are gone from what comes out; if a quote is not closed, so is
/// everything behind it.
enum SQLMask {
  /// What stands in quotes becomes `?`, also in double ones: SQLite takes those for a text if they name no column.
  static func withoutValues(_ sql: String) -> String {
    let bytes = Array(sql.utf8)
    var masked: [UInt8] = []
    masked.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        // The letter of a blob stands before its quote.
        if byte == UInt8(ascii: "'"), let last = masked.last, last | 0x20 == UInt8(ascii: "x"),
          masked.count < 2 || !isWord(masked[masked.count - 2])
        {
          masked.removeLast()
        }
        index = end(ofQuoted: bytes, from: index)
        masked.append(UInt8(ascii: "?"))
      case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        masked.append(UInt8(ascii: " "))
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        index = end(ofComment: bytes, from: index + 2)
        masked.append(UInt8(ascii: " "))
      case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
        let end = end(ofWord: bytes, from: index + 1)
        masked.append(contentsOf: bytes[index..<end])
        index = end
      case _ where isDigit(byte) || byte == UInt8(ascii: ".") && isDigit(next):
        index = end(ofNumber: bytes, from: index)
        masked.append(UInt8(ascii: "?"))
      case _ where isWord(byte):
        let end = end(ofWord: bytes, from: index)
        masked.append(contentsOf: bytes[index..<end])
        index = end
      default:
        masked.append(byte)
        index += 1
      }
    }
    return String(decoding: masked, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 95, 0x80...: true
    default: false
    }
  }

  private static func end(ofWord bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count, isWord(bytes[index]) { index += 1 }
    return index
  }

  /// Digits, points, letters of an exponent or of a hexadecimal number, and the sign behind an exponent.
  private static func end(ofNumber bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      let isSign =
        (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && bytes[index - 1] | 0x20 == UInt8(ascii: "e")
      guard isWord(byte) || byte == UInt8(ascii: ".") || (index > start && isSign) else { break }
      index += 1
    }
    return index
  }

  private static func end(ofQuoted bytes: [UInt8], from start: Int) -> Int {
    let quote = bytes[start]
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == quote {
        guard index + 1 < bytes.count, bytes[index + 1] == quote else { return index + 1 }
        index += 1
      }
      index += 1
    }
    return bytes.count
  }

  private static func end(ofComment bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
      index += 1
    }
    return bytes.count
  }
}
