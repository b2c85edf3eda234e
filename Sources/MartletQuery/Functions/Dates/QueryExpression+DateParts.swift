import MartletValues

/// Parts of dates, and dates as texts.
///
/// Always true: they are in UTC, as dates are stored; a part of a date that may be NULL may be NULL.
extension QueryExpression where QueryValue: DateExpressible {
  /// `strftime('%Y', date)` as an integer, from -9999 to 9999.
  public var year: SQLQueryExpression<QueryValue.DateInteger> { integer("%Y") }
  /// `strftime('%m', date)` as an integer, from 1 to 12.
  public var month: SQLQueryExpression<QueryValue.DateInteger> { integer("%m") }
  /// `strftime('%d', date)` as an integer: the day of the month, from 1.
  public var day: SQLQueryExpression<QueryValue.DateInteger> { integer("%d") }
  /// `strftime('%H', date)` as an integer, from 0 to 23.
  public var hour: SQLQueryExpression<QueryValue.DateInteger> { integer("%H") }
  /// `strftime('%M', date)` as an integer, from 0 to 59.
  public var minute: SQLQueryExpression<QueryValue.DateInteger> { integer("%M") }
  /// `strftime('%S', date)` as an integer, from 0 to 59.
  public var second: SQLQueryExpression<QueryValue.DateInteger> { integer("%S") }
  /// From 0, Sunday, to 6.
  public var weekday: SQLQueryExpression<QueryValue.DateInteger> { integer("%w") }
  /// From 1.
  public var dayOfYear: SQLQueryExpression<QueryValue.DateInteger> { integer("%j") }
  /// Whole seconds since 1970.
  public var unixTime: SQLQueryExpression<QueryValue.DateInteger> { called("unixepoch") }

  /// Seconds with milliseconds: 6.789.
  public var fractionalSecond: SQLQueryExpression<QueryValue.DateReal> {
    SQLQueryExpression(QueryFragment(.cast(text("%f"), type: "REAL")))
  }
  /// Days since noon in Greenwich on 24 November 4714 B.C.
  public var julianDay: SQLQueryExpression<QueryValue.DateReal> { called("julianday") }

  /// `strftime(format, date)`: `.strftime("%Y-%m")`.
  public func strftime(_ format: String) -> SQLQueryExpression<QueryValue.DateText> {
    SQLQueryExpression(.function("strftime", [format.queryFragment] + QueryValue.dateStorage.arguments(queryFragment)))
  }
  /// `YYYY-MM-DD`.
  public var date: SQLQueryExpression<QueryValue.DateText> { called("date") }
  /// `HH:MM:SS`.
  public var time: SQLQueryExpression<QueryValue.DateText> { called("time") }
  /// `YYYY-MM-DD HH:MM:SS`.
  public var datetime: SQLQueryExpression<QueryValue.DateText> { called("datetime") }

  private func called<Value>(_ function: String) -> SQLQueryExpression<Value> {
    SQLQueryExpression(.function(function, QueryValue.dateStorage.arguments(queryFragment)))
  }

  private func text(_ format: String) -> QueryFragment {
    .function("strftime", [.literal(text: format)] + QueryValue.dateStorage.arguments(queryFragment))
  }

  private func integer<Value>(_ format: String) -> SQLQueryExpression<Value> {
    SQLQueryExpression(QueryFragment(.cast(text(format), type: "INTEGER")))
  }
}
