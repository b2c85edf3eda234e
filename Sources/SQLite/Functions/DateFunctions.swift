public import Foundation

/// SQLite's functions of dates: of texts such as `now` and `2016-01-01`, with modifiers such as `start of month`.
public enum DateFunctions {
  /// `date('now', 'start of month')`: a date without a time.
  public static func date(_ timestring: String, _ modifiers: String...) -> Expression<Date?> {
    timefunction("date", [timestring] + modifiers)
  }

  /// `time('now', '+1 hour')`: a time without a date.
  public static func time(_ timestring: String, _ modifiers: String...) -> Expression<Date?> {
    timefunction("time", [timestring] + modifiers)
  }

  /// `datetime('now', '+1 hour')`: date and time.
  public static func datetime(_ timestring: String, _ modifiers: String...) -> Expression<Date?> {
    timefunction("datetime", [timestring] + modifiers)
  }

  /// `julianday('now')`: days since noon in Greenwich on November 24, 4714 B.C.
  public static func julianday(_ timestring: String, _ modifiers: String...) -> Expression<Date?> {
    timefunction("julianday", [timestring] + modifiers)
  }

  /// `strftime('%Y-%m-%d', 'now')`: a text of this format.
  public static func strftime(_ format: String, _ timestring: String, _ modifiers: String...) -> Expression<Date?> {
    timefunction("strftime", [format, timestring] + modifiers)
  }

  private static func timefunction(_ name: String, _ arguments: [String]) -> Expression<Date?> {
    Expression(Node(.function(FunctionNode(name: name, arguments: arguments.map(\.bound)))))
  }
}

extension Date {
  /// `date('2016-01-01T…')`: this day.
  public var date: Expression<Date?> { DateFunctions.date(datatypeValue) }
  /// `time('2016-01-01T…')`: this time of its day.
  public var time: Expression<Date?> { DateFunctions.time(datatypeValue) }
  /// `datetime('2016-01-01T…')`
  public var datetime: Expression<Date?> { DateFunctions.datetime(datatypeValue) }
  /// `julianday('2016-01-01T…')`
  public var julianday: Expression<Date?> { DateFunctions.julianday(datatypeValue) }
}

extension Expression where Datatype == Date {
  /// `date("a")`
  public var date: Expression<Date> { called("date") }
  /// `time("a")`
  public var time: Expression<Date> { called("time") }
  /// `datetime("a")`
  public var datetime: Expression<Date> { called("datetime") }
  /// `julianday("a")`
  public var julianday: Expression<Date> { called("julianday") }
}

extension Expression where Datatype == Date? {
  /// `date("a")`
  public var date: Expression<Date?> { called("date") }
  /// `time("a")`
  public var time: Expression<Date?> { called("time") }
  /// `datetime("a")`
  public var datetime: Expression<Date?> { called("datetime") }
  /// `julianday("a")`
  public var julianday: Expression<Date?> { called("julianday") }
}
