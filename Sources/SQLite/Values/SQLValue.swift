internal import MartletValues

/// The five types of SQLite as one value, which the module's own protocol `Value` would hide.
typealias SQLValue = MartletValues.Value

extension SQLValue {
  /// The value as SQL writes it: `1`, `1.5`, `'it''s'`, `x'ff00'`, `NULL`.
  var literalText: String {
    switch self {
    case .null, .rows: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): Self.text(of: real)
    case .text(let text): text.quoted("'")
    case .blob(let bytes): Blob(bytes: bytes).description
    }
  }

  /// SQLite has no word for infinity; a number beyond its range is one.
  private static func text(of real: Double) -> String {
    if real.isNaN { return "NULL" }
    return real.isInfinite ? (real < 0 ? "-9e999" : "9e999") : String(real)
  }
}

extension SQLValue {
  /// What stands for a date that no text can name: a statement that is given it cannot run. No other value is rows.
  static let unkept = SQLValue.rows(RowBatch(columnCount: 0))

  static let unkeptReason =
    "A date has no text that is read as the same date again. Keep it as a number, or set another dateFormatter."

  var isUnkept: Bool { if case .rows = self { true } else { false } }

  /// The name of the value's type, for people.
  var kindText: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "bytes"
    case .rows: "rows"
    }
  }
}
