internal import MartletValues

/// The type of an expression: a `Value`, or an optional one if it may be NULL.
///
/// Always true: `Value` types and optionals of them conform, and nothing else has to. It lets one operator stand for
/// columns of both kinds, so that the compiler has fewer to choose from.
public protocol ColumnType {
  /// The value if it is not NULL.
  associatedtype ColumnValue: Value
  /// The type of a comparison: `Bool`, or `Bool?` if it may be NULL.
  associatedtype Truth

  /// What SQLite is given for it.
  var _stored: _StoredValue { get }
}

extension Value {
  public var _stored: _StoredValue { datatypeValue._stored }
}

extension Optional: ColumnType where Wrapped: Value {
  public typealias ColumnValue = Wrapped
  public typealias Truth = Bool?
  public var _stored: _StoredValue { self?._stored ?? .null }
}

extension ColumnType {
  var isNull: Bool { _stored.value == .null }

  /// The value as a part of a statement, which binds it.
  var bound: Node { Node(.value(_stored.value)) }
}
