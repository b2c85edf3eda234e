/// Parts of dates, and dates by SQLite's modifiers.
///
/// Always true: it works on ISO 8601 text, which is how `Date` is stored; other representations say so in their name.
import MartletAST

public import struct Foundation.Date

extension QueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == Date {
  /// `strftime(format, date)`.
  public func strftime(_ format: String) -> SQLQueryExpression<String?> {
    .function("strftime", format.queryFragment, queryFragment)
  }

  /// The date after SQLite's modifiers, in order: `.modified("start of month", "+1 month")`.
  public func modified(_ modifiers: String...) -> SQLQueryExpression<QueryValue> {
    // `%f` has milliseconds, so that the text is one that `Date` itself would bind.
    SQLQueryExpression(
      .function(
        "strftime",
        [.literal(text: "%Y-%m-%d %H:%M:%f"), queryFragment] + modifiers.map(\.queryFragment)))
  }

  public var year: SQLQueryExpression<Int?> { part("%Y") }
  public var month: SQLQueryExpression<Int?> { part("%m") }
  public var day: SQLQueryExpression<Int?> { part("%d") }
  public var hour: SQLQueryExpression<Int?> { part("%H") }
  public var minute: SQLQueryExpression<Int?> { part("%M") }
  public var second: SQLQueryExpression<Int?> { part("%S") }
  /// From 0, Sunday, to 6.
  public var weekday: SQLQueryExpression<Int?> { part("%w") }
  /// From 1.
  public var dayOfYear: SQLQueryExpression<Int?> { part("%j") }

  private func part(_ format: String) -> SQLQueryExpression<Int?> {
    let text = QueryFragment.function("strftime", [.literal(text: format), queryFragment])
    return SQLQueryExpression(QueryFragment(.cast(text, type: "INTEGER")))
  }
}

/// Now, as SQLite's clock has it: the same moment throughout a statement.
public func currentDate() -> SQLQueryExpression<Date> {
  .function("strftime", .literal(text: "%Y-%m-%d %H:%M:%f"), .literal(text: "now"))
}
