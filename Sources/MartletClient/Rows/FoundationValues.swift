internal import MartletValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Foundation's types as values of rows: bytes, dates in ISO 8601 text, UUIDs in text.
///
/// Always true: a date's text without a zone is UTC, as SQLite's own date functions mean it; what is not exactly of the
/// form is an error.
extension Data: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Data {
    Data(try [UInt8].read(column, at: row))
  }
}

/// `8-4-4-4-12` hexadecimal digits as text, or 16 bytes as a blob.
extension UUID: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> UUID {
    if column.values.kind(at: row) == .blob {
      let bytes = try [UInt8].read(column, at: row)
      guard bytes.count == 16 else { throw .form(expected: "a UUID") }
      var uuid = UUID().uuid
      withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
      return UUID(uuid: uuid)
    }
    guard let uuid = UUID(uuidString: try String.read(column, at: row)) else { throw .form(expected: "a UUID") }
    return uuid
  }
}

/// `2026-01-31`, `2026-01-31 12:30`, `…:45`, `….678`, with `T` for the space, and `Z` or `+01:00` behind: what
/// `ISODate` reads.
extension Date: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Date {
    guard let date = ISODate.date(of: try String.read(column, at: row)) else {
      throw .form(expected: "a date in ISO 8601")
    }
    return date
  }
}
