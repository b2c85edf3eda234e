/// What an expression may be of: a `Value`, or an optional one where it may be NULL.
///
/// Always true: `Value` types and optionals of them conform, and nothing else has to. It lets one operator stand for
/// columns of both kinds, so that the compiler has fewer to choose from.
public protocol ColumnType {
  /// The value where it is not NULL.
  associatedtype ColumnValue: Value
  /// What a comparison is of: `Bool`, or `Bool?` where it may be NULL.
  associatedtype Truth

  /// What SQLite is given for it.
  var bindingValue: (any Binding)? { get }
}

extension Value {
  public var bindingValue: (any Binding)? { datatypeValue }
}

extension Optional: ColumnType where Wrapped: Value {
  public typealias ColumnValue = Wrapped
  public typealias Truth = Bool?
  public var bindingValue: (any Binding)? { self?.datatypeValue }
}

extension ColumnType {
  /// As a part of a statement, which binds it.
  var bound: Node { Node(.value(SQLValue(bindingValue))) }
}
