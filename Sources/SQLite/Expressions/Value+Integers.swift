/// Integers of other sizes, and `Float`, as columns.
///
/// Always true: a number that the type cannot hold is an error of whoever reads the row, and never another number.
extension Value where Self: FixedWidthInteger {
  public static var declaredDatatype: String { Int64.declaredDatatype }

  public static func fromDatatypeValue(_ datatypeValue: Int64) throws -> Self {
    guard let exact = Self(exactly: datatypeValue) else {
      throw QueryError.unexpectedValue("The number \(Self.self) cannot hold what the column has.")
    }
    return exact
  }

  public var datatypeValue: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int8: Value {}
extension Int16: Value {}
extension Int32: Value {}
extension UInt8: Value {}
extension UInt16: Value {}
extension UInt32: Value {}

extension Float: Value {
  public static var declaredDatatype: String { Double.declaredDatatype }
  public static func fromDatatypeValue(_ datatypeValue: Double) throws -> Float {
    let value = Float(datatypeValue)
    guard value.isFinite || !datatypeValue.isFinite else {
      throw QueryError.unexpectedValue("The number Float cannot hold what the column has.")
    }
    return value
  }
  public var datatypeValue: Double { Double(self) }
}
