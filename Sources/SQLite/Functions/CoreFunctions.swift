/// SQLite's core functions, as members of what they are called on.
///
/// Always true: a function of an argument that may be NULL may be NULL itself.
extension ExpressionType where UnderlyingType: ColumnType {
  func called<T>(_ name: String, _ more: Node...) -> Expression<T> {
    Expression(Node(.function(FunctionNode(name: name, arguments: [node] + more))))
  }
}

// MARK: - Numbers

extension ExpressionType where UnderlyingType: ColumnType, UnderlyingType.ColumnValue.Datatype: Number {
  /// `abs("a")`
  public var absoluteValue: Expression<UnderlyingType> { called("abs") }
}

extension ExpressionType where UnderlyingType: ColumnType, UnderlyingType.ColumnValue == Double {
  /// `round("a")`, or `round("a", 2)`: to so many digits behind the point.
  public func round(_ precision: Int? = nil) -> Expression<UnderlyingType> {
    guard let precision else { return called("round") }
    return called("round", precision.bound)
  }
}

extension ExpressionType where UnderlyingType: Value, UnderlyingType.Datatype == Int64 {
  /// `random()`: any of the integers of 64 bits.
  public static func random() -> Expression<UnderlyingType> { Expression(.function("random")) }
}

extension ExpressionType where UnderlyingType: Value, UnderlyingType.Datatype == Blob {
  /// `randomblob(16)`: so many random bytes.
  public static func random(_ length: Int) -> Expression<UnderlyingType> {
    Expression(.function("randomblob", length.bound))
  }

  /// `zeroblob(16)`: so many zeros.
  public static func allZeros(_ length: Int) -> Expression<UnderlyingType> {
    Expression(.function("zeroblob", length.bound))
  }
}

extension ExpressionType where UnderlyingType: Value, UnderlyingType.Datatype == Blob {
  /// `length("a")`: in bytes.
  public var length: Expression<Int> { called("length") }
}

extension ExpressionType
where UnderlyingType: _OptionalType & ColumnType, UnderlyingType.ColumnValue.Datatype == Blob {
  /// `length("a")`: in bytes.
  public var length: Expression<Int?> { called("length") }
}

// MARK: - NULL

/// `ifnull("a", 1)`: the value if the column is NULL.
public func ?? <V: Value>(optional: Expression<V?>, defaultValue: V) -> Expression<V> {
  Expression(.function("ifnull", optional.node, defaultValue.bound))
}

/// `ifnull("a", "b")`
public func ?? <V: Value>(optional: Expression<V?>, defaultValue: Expression<V>) -> Expression<V> {
  Expression(.function("ifnull", optional.node, defaultValue.node))
}

/// `ifnull("a", "b")`: NULL if both are.
public func ?? <V: Value>(optional: Expression<V?>, defaultValue: Expression<V?>) -> Expression<V?> {
  Expression(.function("ifnull", optional.node, defaultValue.node))
}

// MARK: - Types

/// `CAST ("a" AS TEXT)`: as the type that the result is used as.
public func cast<T: Value, U: Value>(_ expression: Expression<T>) -> Expression<U> {
  Expression(Node(.cast(expression.node, type: U.declaredDatatype)))
}

/// `CAST ("a" AS TEXT)`, NULL if the operand is.
public func cast<T: Value, U: Value>(_ expression: Expression<T?>) -> Expression<U?> {
  Expression(Node(.cast(expression.node, type: U.declaredDatatype)))
}

// MARK: - IN

extension Collection where Element: Value {
  /// `("a" IN (1, 2))`: whether the expression is one of these.
  public func contains(_ expression: Expression<Element>) -> Expression<Bool> {
    Expression(Node(.contains(expression.node, map(\.bound))))
  }

  /// `("a" IN (1, 2))`, NULL if the column is.
  public func contains(_ expression: Expression<Element?>) -> Expression<Bool?> {
    Expression(Node(.contains(expression.node, map(\.bound))))
  }
}
