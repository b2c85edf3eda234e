public import MartletValues

/// A type that one value of a row can be read as. Conform your own types by reading one of these and converting it.
///
/// Always true: nothing is repaired or rounded in silence. An integer is a `Double` if that is exact; a real number
/// is never an integer; text is never a number.
public protocol RowValue {
  /// Reads the value of `row`. Only called with a row of the column.
  static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Self
}

extension Int64: RowValue {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Int64 {
    if column.values.kind == .integer && column.values.nulls.isEmpty { return column.values.integers[row] }
    return try column.integer(at: row)
  }
}

extension RowValue where Self: FixedWidthInteger {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Self {
    guard let value = Self(exactly: try Int64.read(column, at: row)) else {
      throw .outOfRange(expected: "\(Self.self)")
    }
    return value
  }
}

extension Int: RowValue {}
extension Int32: RowValue {}
extension Int16: RowValue {}
extension Int8: RowValue {}
extension UInt: RowValue {}
extension UInt64: RowValue {}
extension UInt32: RowValue {}
extension UInt16: RowValue {}
extension UInt8: RowValue {}

extension Double: RowValue {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Double {
    if column.values.kind == .real && column.values.nulls.isEmpty { return column.values.reals[row] }
    return try column.real(at: row)
  }
}

extension Float: RowValue {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Float {
    let real = try Double.read(column, at: row)
    let value = Float(real)
    guard value.isFinite || !real.isFinite else { throw .outOfRange(expected: "Float") }
    return value
  }
}

/// 0 is false and 1 is true, as SQLite's own comparisons give them.
extension Bool: RowValue {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Bool {
    switch try Int64.read(column, at: row) {
    case 0: return false
    case 1: return true
    default: throw .outOfRange(expected: "Bool")
    }
  }
}

extension String: RowValue {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> String {
    guard (column.values.kind == .text && column.values.nulls.isEmpty) || column.values.kind(at: row) == .text else {
      throw column.mismatch(at: row, expected: "text")
    }
    let range = column.values.range(at: row)
    let text = column.values.data.withUnsafeBufferPointer {
      String(validUTF8: UnsafeBufferPointer(rebasing: $0[range]))
    }
    guard let text else { throw .invalidText }
    return text
  }
}

extension [UInt8]: RowValue {
  /// A blob's bytes, or a text's as they are.
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> [UInt8] {
    let kind = column.values.kind(at: row)
    guard kind == .blob || kind == .text else { throw column.mismatch(at: row, expected: "a blob") }
    return Array(column.values.data[column.values.range(at: row)])
  }
}

extension Value: RowValue {
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Value {
    do {
      return try column.values.value(at: row)
    } catch {
      throw .invalidText
    }
  }
}

extension Optional: RowValue where Wrapped: RowValue {
  @inlinable
  public static func read(_ column: RowColumn, at row: Int) throws(RowValueMismatch) -> Wrapped? {
    column.values.isNull(at: row) ? nil : try Wrapped.read(column, at: row)
  }
}

extension RowColumn {
  @usableFromInline
  func integer(at row: Int) throws(RowValueMismatch) -> Int64 {
    guard values.kind(at: row) == .integer else { throw mismatch(at: row, expected: "an integer") }
    return values.integers[row]
  }

  @usableFromInline
  func real(at row: Int) throws(RowValueMismatch) -> Double {
    switch values.kind(at: row) {
    case .real: return values.reals[row]
    case .integer:
      guard let value = Double(exactly: values.integers[row]) else { throw .outOfRange(expected: "Double") }
      return value
    default: throw mismatch(at: row, expected: "a real number")
    }
  }

  @usableFromInline
  func mismatch(at row: Int, expected: String) -> RowValueMismatch {
    let found = values.kind(at: row)
    return found == .null ? .null(expected: expected) : .kind(found: found, expected: expected)
  }
}
