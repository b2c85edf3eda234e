internal import MartletValues

/// Functions that make one value of many rows.
///
/// Always true: of no rows they are NULL, but for `count` and `total`, which are 0.
extension ExpressionType where UnderlyingType: ColumnType {
  /// `DISTINCT "a"`, as the argument of an aggregate: `price.distinct.sum`.
  public var distinct: Expression<UnderlyingType> { Expression(Node(.distinct(node))) }

  /// `count("a")`: the rows whose column is not NULL.
  public var count: Expression<Int> { called("count") }

  /// `max("a")`
  public var max: Expression<UnderlyingType.ColumnValue?> { called("max") }

  /// `min("a")`
  public var min: Expression<UnderlyingType.ColumnValue?> { called("min") }
}

extension ExpressionType where UnderlyingType: ColumnType, UnderlyingType.ColumnValue.Datatype: Number {
  /// `avg("a")`
  public var average: Expression<Double?> { called("avg") }

  /// `sum("a")`: NULL of no rows; integers that grow too large are an error of the statement.
  public var sum: Expression<UnderlyingType.ColumnValue?> { called("sum") }

  /// `total("a")`: 0 of no rows, and always a real number.
  public var total: Expression<Double> { called("total") }
}

extension ExpressionType where UnderlyingType: ColumnType, UnderlyingType.ColumnValue.Datatype == String {
  /// `group_concat("a")`: the texts one after the other with commas between them, in no order that is promised.
  public func groupConcat() -> Expression<String?> { called("group_concat") }

  /// `group_concat("a", '; ')`: the texts one after the other, in no order that is promised.
  public func groupConcat(_ separator: String) -> Expression<String?> { called("group_concat", separator.bound) }
}

/// `count(*)`: how many rows there are.
public func count(_ star: Star) -> Expression<Int> {
  Expression(Node(.function(FunctionNode(name: "count", isStar: true))))
}
