/// A type that a column can hold: it says which of SQLite's types it is kept as, and how it comes back.
///
/// ```swift
/// struct Cents: Value {
///   var count: Int64
///   static var declaredDatatype: String { Int64.declaredDatatype }
///   static func fromDatatypeValue(_ count: Int64) -> Cents { Cents(count: count) }
///   var datatypeValue: Int64 { count }
/// }
/// ```
public protocol Value: Expressible, ColumnType where ColumnValue == Self, Truth == Bool {
  /// What a column of it gives; itself, as a rule.
  associatedtype ValueType = Self
  /// What SQLite keeps: `Int64`, `Double`, `String` or `Blob`.
  associatedtype Datatype: Binding

  /// The type that `CREATE TABLE` writes: `INTEGER`, `REAL`, `TEXT` or `BLOB`.
  static var declaredDatatype: String { get }

  /// The value that was kept so. What it throws is thrown by whoever reads the row.
  static func fromDatatypeValue(_ datatypeValue: Datatype) throws -> ValueType

  /// What is kept.
  var datatypeValue: Datatype { get }

  /// The value at a place of a row. Throws `QueryError` if it is NULL or of another type.
  static func _value(at place: _Place) throws -> Self

  /// The value at a place of a row, or nil if it is NULL. Throws `QueryError` if it is of another type.
  static func _optional(at place: _Place) throws -> Self?
}

extension Value {
  /// What SQLite is given for it.
  var sqlValue: SQLValue { _stored.value }

  /// The value as an expression: `?`, with itself as the binding.
  public var expression: Expression<Void> { Expression(Node(.value(sqlValue))) }
}

extension Int64: Value {
  public static let declaredDatatype = "INTEGER"
  public static func fromDatatypeValue(_ datatypeValue: Int64) -> Int64 { datatypeValue }
  public var datatypeValue: Int64 { self }
}

extension Int: Value {
  public static let declaredDatatype = Int64.declaredDatatype
  public static func fromDatatypeValue(_ datatypeValue: Int64) -> Int { Int(datatypeValue) }
  public var datatypeValue: Int64 { Int64(self) }
}

extension Bool: Value {
  public static let declaredDatatype = Int64.declaredDatatype
  public static func fromDatatypeValue(_ datatypeValue: Int64) -> Bool { datatypeValue != 0 }
  public var datatypeValue: Int64 { self ? 1 : 0 }
}

extension Double: Value {
  public static let declaredDatatype = "REAL"
  public static func fromDatatypeValue(_ datatypeValue: Double) -> Double { datatypeValue }
  public var datatypeValue: Double { self }
}

extension String: Value {
  public static let declaredDatatype = "TEXT"
  public static func fromDatatypeValue(_ datatypeValue: String) -> String { datatypeValue }
  public var datatypeValue: String { self }
}

extension Blob: Value {
  public static let declaredDatatype = "BLOB"
  public static func fromDatatypeValue(_ datatypeValue: Blob) -> Blob { datatypeValue }
  public var datatypeValue: Blob { self }
}

/// `Optional`, as a column's type may be; no other type conforms to it.
public protocol _OptionalType {
  associatedtype WrappedType
}

extension Optional: _OptionalType {
  public typealias WrappedType = Wrapped
}
