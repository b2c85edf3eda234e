import MartletAST
import MartletValues

/// Functions over numbers, NULL and any value; CAST.
///
/// Always true: `??` and `coalesce` return the first value that is not NULL; the result is optional only if the last
/// one is.
extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  /// `abs(self)`: SQLite throws for the smallest integer, which has no opposite.
  public func abs() -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.calculated(.function("abs", [queryFragment])))
  }
  /// `sign(self)`: -1, 0 or 1.
  public func sign() -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.calculated(.function("sign", [queryFragment])))
  }
}

extension QueryExpression
where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: BinaryFloatingPoint {
  /// `round(self, digits)`: rounded to so many digits after the point (default: none); halves away from 0.
  public func round(_ digits: Int? = nil) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(.function("round", [queryFragment] + (digits.map { [$0.queryFragment] } ?? [])))
  }
}

extension QueryExpression where QueryValue == Int {
  /// That many random bytes.
  public func randomblob() -> SQLQueryExpression<[UInt8]> { .function("randomblob", queryFragment) }
  /// That many zero bytes.
  public func zeroblob() -> SQLQueryExpression<[UInt8]> { .function("zeroblob", queryFragment) }
}

/// A random integer.
public func random() -> SQLQueryExpression<Int> { .function("random") }

// MARK: - NULL

extension QueryExpression where QueryValue: QueryRepresentable {
  /// `coalesce(left, right)`: the left side, or the plain value if it is NULL.
  public static func ?? <Value>(left: Self, right: Value.QueryOutput) -> SQLQueryExpression<Value>
  where QueryValue == Value?, Value: QueryRepresentable {
    .coalesce(left.queryFragment, Value.fragment(of: right))
  }

  /// `coalesce(left, right)` of two expressions, of which the right one is never NULL.
  @_disfavoredOverload
  public static func ?? <Value, Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Value>
  where QueryValue == Value?, Right.QueryValue == Value {
    .coalesce(left.queryFragment, right.queryFragment)
  }

  /// `coalesce(left, right)` of two expressions that may both be NULL.
  @_disfavoredOverload
  public static func ?? <Value, Right: QueryExpression>(left: Self, right: Right) -> SQLQueryExpression<Value?>
  where QueryValue == Value?, Right.QueryValue == Value? {
    .coalesce(left.queryFragment, right.queryFragment)
  }

  /// `ifnull(self, value)`: the plain value if it is NULL.
  public func ifnull<Value>(_ value: Value.QueryOutput) -> SQLQueryExpression<Value>
  where QueryValue == Value?, Value: QueryRepresentable {
    .function("ifnull", queryFragment, Value.fragment(of: value))
  }

  /// `ifnull(self, other)`: the other expression if it is NULL.
  @_disfavoredOverload
  public func ifnull<Other: QueryExpression>(_ other: Other) -> SQLQueryExpression<Other.QueryValue>
  where
    Other.QueryValue: QueryRepresentable, Other.QueryValue.QueryUnwrapped == QueryValue.QueryUnwrapped
  {
    .function("ifnull", queryFragment, other.queryFragment)
  }

  /// NULL if it is equal to the value.
  public func nullif(_ value: QueryValue.QueryOutput) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("nullif", queryFragment, QueryValue.fragment(of: value))
  }

  /// `nullif(self, other)`: NULL if both are equal.
  @_disfavoredOverload
  public func nullif(_ other: some QueryExpression<QueryValue>) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("nullif", queryFragment, other.queryFragment)
  }
}

// Between two expressions of one type, Swift's own `??` would fit too, and would leave out the right one. The functions
// below match better. Those with a plain value repeat the first function of all: the compiler tries a function of the
// exact type before Swift's own, so a sum of three `??` is checked in a hundredth of the time.

extension SQLQueryExpression {
  /// `coalesce(left, right)`: the left side, or the plain value if it is NULL.
  public static func ?? <Wrapped: QueryRepresentable>(
    left: Self, right: Wrapped.QueryOutput
  ) -> SQLQueryExpression<Wrapped> where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, Wrapped.fragment(of: right))
  }

  /// `coalesce(left, right)` of two expressions of one type.
  public static func ?? <Wrapped>(left: Self, right: Self) -> Self where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, right.queryFragment)
  }

  /// `coalesce(left, right)`, of which the right one is never NULL.
  public static func ?? <Wrapped>(
    left: Self, right: SQLQueryExpression<Wrapped>
  ) -> SQLQueryExpression<Wrapped> where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, right.queryFragment)
  }

  /// The same where an optional value is asked for: `$0.optional = $0.a ?? $0.b ?? $0.c` of an update.
  @_disfavoredOverload
  public static func ?? <Wrapped>(left: Self, right: SQLQueryExpression<Wrapped>) -> Self where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, right.queryFragment)
  }
}

extension TableColumn {
  /// `coalesce(left, right)`: the column, or the plain value if it is NULL.
  public static func ?? <Wrapped: QueryRepresentable>(
    left: Self, right: Wrapped.QueryOutput
  ) -> SQLQueryExpression<Wrapped> where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, Wrapped.fragment(of: right))
  }

  /// `coalesce(left, right)` of two columns of one table and type.
  public static func ?? <Wrapped>(left: Self, right: Self) -> SQLQueryExpression<QueryValue>
  where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, right.queryFragment)
  }

  /// `coalesce(left, right)` of two columns of one table, of which the right one is never NULL.
  public static func ?? <Wrapped>(left: Self, right: TableColumn<Root, Wrapped>) -> SQLQueryExpression<Wrapped>
  where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, right.queryFragment)
  }
}

extension AggregateExpression {
  /// `coalesce(left, right)`: the aggregate, or the plain value if it is NULL.
  public static func ?? <Wrapped: QueryRepresentable>(
    left: Self, right: Wrapped.QueryOutput
  ) -> SQLQueryExpression<Wrapped> where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, Wrapped.fragment(of: right))
  }

  /// `coalesce(left, right)` of two aggregates of one type.
  public static func ?? <Wrapped>(left: Self, right: Self) -> SQLQueryExpression<QueryValue>
  where QueryValue == Wrapped? {
    .coalesce(left.queryFragment, right.queryFragment)
  }
}

extension SQLQueryExpression {
  /// `a ?? b ?? c`, which nests to the right, is one call.
  static func coalesce(_ left: QueryFragment, _ right: QueryFragment) -> Self {
    var arguments = [left]
    if case .function(let call) = right.node, call.name == "coalesce" {
      arguments += call.arguments
    } else {
      arguments.append(right)
    }
    return Self(.function("coalesce", arguments))
  }
}

extension ComputedExpression where QueryValue: QueryRepresentable {
  /// The same value, of a type that may be nil: where an optional column or the other side of `union` has that type.
  public func asOptional() -> SQLQueryExpression<QueryValue.QueryOptional> {
    SQLQueryExpression(columns: columnFragments)
  }
}

extension ComputedExpression {
  /// What `transform` makes of the value; NULL stays NULL. An aggregate that it makes is that of all rows, and so is a
  /// window function of the value: whether the value of one of them is NULL does not matter to it.
  public func map<Wrapped, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Wrapped>) -> Result
  ) -> SQLQueryExpression<Result.QueryValue?>
  where QueryValue == Wrapped?, Wrapped: QueryRepresentable, Result.QueryValue: QueryRepresentable {
    SQLQueryExpression(queryFragment.lifting(transform(SQLQueryExpression(queryFragment)).queryFragment))
  }

  /// The same, if the result of `transform` may be NULL too.
  public func flatMap<Wrapped, Value, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Wrapped>) -> Result
  ) -> SQLQueryExpression<Value?>
  where QueryValue == Wrapped?, Wrapped: QueryRepresentable, Result.QueryValue == Value? {
    SQLQueryExpression(queryFragment.lifting(transform(SQLQueryExpression(queryFragment)).queryFragment))
  }
}

// Swift's optionals and arrays are expressions too, and have a `map` of their own, which comes first.
extension QueryExpression {
  /// The same of an expression of which only the value's type is known, such as `some QueryExpression<Int?>`.
  @_disfavoredOverload
  public func map<Wrapped, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Wrapped>) -> Result
  ) -> SQLQueryExpression<Result.QueryValue?>
  where QueryValue == Wrapped?, Wrapped: QueryRepresentable, Result.QueryValue: QueryRepresentable {
    SQLQueryExpression<QueryValue>(queryFragment).map(transform)
  }

  /// The same, if the result of `transform` may be NULL too.
  @_disfavoredOverload
  public func flatMap<Wrapped, Value, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Wrapped>) -> Result
  ) -> SQLQueryExpression<Value?>
  where QueryValue == Wrapped?, Wrapped: QueryRepresentable, Result.QueryValue == Value? {
    SQLQueryExpression<QueryValue>(queryFragment).flatMap(transform)
  }
}

extension AggregateExpression {
  /// What `transform` makes of the value, if that may be NULL too; NULL stays NULL.
  public func flatMap<Wrapped, Value, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Wrapped>) -> Result
  ) -> SQLQueryExpression<Value?>
  where QueryValue == Wrapped?, Wrapped: QueryRepresentable, Result.QueryValue == Value? {
    SQLQueryExpression<QueryValue>(queryFragment).flatMap(transform)
  }

  /// What `transform` makes of the value; NULL stays NULL.
  public func map<Wrapped, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Wrapped>) -> Result
  ) -> SQLQueryExpression<Result.QueryValue?>
  where QueryValue == Wrapped?, Wrapped: QueryRepresentable, Result.QueryValue: QueryRepresentable {
    SQLQueryExpression<QueryValue>(queryFragment).map(transform)
  }
}

// MARK: - Any value

extension QueryRepresentable {
  /// Whether the other one stores the same Swift type as another type of SQLite. Numbers SQLite converts itself, and a
  /// text and its bytes are the same.
  fileprivate static func isOther<Other: QueryRepresentable>(representation: Other.Type) -> Bool {
    typealias Output = QueryUnwrapped.QueryOutput
    return Output.self == Other.QueryUnwrapped.QueryOutput.self && !(Output.self is any Numeric.Type)
      && Output.self != String.self
      && QueryUnwrapped.sqlType != Other.QueryUnwrapped.sqlType
  }
}

extension QueryExpression {
  /// `CAST(self AS type)`: `String.self` is TEXT, `Int.self` INTEGER, `Double.self` REAL, `[UInt8].self` BLOB.
  ///
  /// It changes SQLite's type and not the meaning, so it takes no value from one representation to another of another
  /// type, such as a date from text to seconds: that statement fails when it is run. Numbers are the exception.
  public func cast<Value: QueryRepresentable>(as type: Value.Type = Value.self) -> SQLQueryExpression<Value> {
    if let own = QueryValue.self as? any QueryRepresentable.Type, own.isOther(representation: Value.self) {
      let reason =
        "CAST does not take '\(own)' to '\(Value.self)': it keeps the number or the text, which means something else "
        + "there. Use unixTime, julianDay or another function for it."
      return SQLQueryExpression(.bind(.invalid(QueryBindingFailure(reason))))
    }
    return SQLQueryExpression(QueryFragment(.cast(queryFragment, type: Value.QueryUnwrapped.sqlType)))
  }
}

extension QueryExpression where QueryValue: QueryRepresentable {
  /// Tells SQLite's planner how often it is true, from 0 to 1. A value that is no condition is true if it is not 0.
  public func likelihood(_ probability: Double) -> SQLQueryExpression<QueryValue> {
    // SQLite takes a constant here, not a parameter.
    .function("likelihood", queryFragment, .literal(real: probability))
  }

  /// `likely(self)`: tells SQLite's planner that it is true for most rows.
  public func likely() -> SQLQueryExpression<QueryValue> { .function("likely", queryFragment) }
  /// `unlikely(self)`: tells SQLite's planner that it is true for few rows.
  public func unlikely() -> SQLQueryExpression<QueryValue> { .function("unlikely", queryFragment) }
}
