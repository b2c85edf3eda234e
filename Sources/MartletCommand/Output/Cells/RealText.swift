/// A REAL as text that reads back as the same number, in JSON, CSV and SQL alike.
///
/// Always true: the text has a point or an exponent, so it never reads back as an integer; infinities are written as
/// numbers too large to hold, which every reader of IEEE doubles takes for infinity, and a NaN (SQLite has none) is
/// null.
enum RealText {
  static func of(_ value: Double) -> String {
    if value.isFinite { return value.description }
    if value.isNaN { return "null" }
    return value < 0 ? "-9.0e999" : "9.0e999"
  }
}
