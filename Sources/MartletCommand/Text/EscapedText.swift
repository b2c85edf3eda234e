import MartletSQLite
import MartletValues

/// What `unistr()` makes of a text, which dumps of SQLite 3.50 and later call and earlier libraries do not have.
///
/// Always true: it agrees with SQLite's: `\XXXX`, `\+XXXXXX`, `\uXXXX` and `\UXXXXXXXX` are code points, `\\` is a
/// backslash, and anything else behind a backslash is an error.
enum EscapedText {
  struct Invalid: Error, CustomStringConvertible {
    let description = "invalid Unicode escape"
  }

  static func decode(_ text: some StringProtocol) throws(Invalid) -> String {
    var result = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      let digits: Int
      switch rest.first {
      case "\\":
        result.append(rest.removeFirst())
        continue
      case "+":
        rest.removeFirst()
        digits = 6
      case "u":
        rest.removeFirst()
        digits = 4
      case "U":
        rest.removeFirst()
        digits = 8
      default: digits = 4
      }
      let number = rest.prefix(digits)
      guard number.count == digits, number.allSatisfy({ $0.properties.isASCIIHexDigit }),
        let value = UInt32(String(number), radix: 16), let decoded = Unicode.Scalar(value)
      else { throw Invalid() }
      rest = rest.dropFirst(digits)
      result.append(decoded)
    }
    return String(result)
  }

  /// Gives the function to a connection whose SQLite has none.
  static func register(on connection: Connection) throws {
    guard SQLiteLibrary.version < 3_050_000 else { return }
    try connection.register(FunctionSignature("unistr", argumentCount: 1, isDeterministic: true)) { arguments in
      let value = arguments[0]
      guard value.type != .null else { return .null }
      return .text(try decode(String(decoding: value.textBytes, as: UTF8.self)))
    }
  }
}
