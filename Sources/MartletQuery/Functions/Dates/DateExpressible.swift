import MartletAST

public import struct Foundation.Date

/// A representation of a date, or of a date that may be NULL.
///
/// Always true: the result of a function is stored as its argument was.
public protocol DateExpressible: QueryRepresentable {
  /// What a part of it is: `Int`, or `Int?` if the date may be NULL.
  associatedtype DateInteger: QueryRepresentable
  /// A part of it with a fraction: `Double`, or `Double?`.
  associatedtype DateReal: QueryRepresentable
  /// What it is as a text: `String`, or `String?`.
  associatedtype DateText: QueryRepresentable

  /// How the database stores it.
  static var dateStorage: DateStorage { get }
}

/// The three ways in which SQLite's functions read and write dates.
public enum DateStorage: Sendable {
  /// ISO 8601 in UTC with milliseconds.
  case text
  /// Whole seconds since 1970.
  case unixTime
  /// Days, with a fraction, since noon in Greenwich on 24 November 4714 B.C.
  case julianDay

  /// The date as SQLite's date functions take it, before any other modifier.
  func arguments(_ date: QueryFragment) -> [QueryFragment] {
    self == .unixTime ? [date, .literal(text: "unixepoch")] : [date]
  }

  /// The date after some steps. Steps after steps are one call.
  func date(_ date: QueryFragment, _ steps: [QueryFragment]) -> QueryFragment {
    if case .function(var call) = date.node, call.name == function,
      format == nil || call.arguments.first?.literalText == format
    {
      call.arguments += steps
      return QueryFragment(.function(call))
    }
    return self.date(of: arguments(date) + steps)
  }

  /// By SQLite's clock.
  var now: QueryFragment { date(of: [.literal(text: "now")]) }

  private var function: String {
    switch self {
    case .text: "strftime"
    case .unixTime: "unixepoch"
    case .julianDay: "julianday"
    }
  }

  /// The first argument of the date's function, if it is not the date.
  private var format: String? {
    // `%f` has milliseconds, so that the text is one that `Date` itself would bind.
    self == .text ? "%Y-%m-%d %H:%M:%f" : nil
  }

  /// The date of these arguments, as it is stored.
  func date(of arguments: [QueryFragment]) -> QueryFragment {
    .function(function, (format.map { [.literal(text: $0)] } ?? []) + arguments)
  }
}

extension QueryFragment {
  fileprivate var literalText: String? {
    if case .literal(let literal) = node, case .text(let text)? = literal.kind { text } else { nil }
  }
}

extension Date: DateExpressible {
  public typealias DateInteger = Int
  public typealias DateReal = Double
  public typealias DateText = String
  public static var dateStorage: DateStorage { .text }
}

extension Date.UnixTimeRepresentation: DateExpressible {
  public typealias DateInteger = Int
  public typealias DateReal = Double
  public typealias DateText = String
  public static var dateStorage: DateStorage { .unixTime }
}

extension Date.JulianDayRepresentation: DateExpressible {
  public typealias DateInteger = Int
  public typealias DateReal = Double
  public typealias DateText = String
  public static var dateStorage: DateStorage { .julianDay }
}

extension Optional: DateExpressible where Wrapped: DateExpressible {
  public typealias DateInteger = Wrapped.DateInteger?
  public typealias DateReal = Wrapped.DateReal?
  public typealias DateText = Wrapped.DateText?
  public static var dateStorage: DateStorage { Wrapped.dateStorage }
}

// MARK: - Now

extension QueryExpression where Self == SQLQueryExpression<Date> {
  /// The moment at which the statement runs, by SQLite's clock: the same throughout a statement.
  /// With steps, a moment before or after it: `.now(.days(-7))`.
  public static var now: Self { Self(DateStorage.text.now) }
}

extension QueryExpression where Self == SQLQueryExpression<Date.UnixTimeRepresentation> {
  /// The moment at which the statement runs, in whole seconds since 1970: `unixepoch('now')`.
  public static var now: Self { Self(DateStorage.unixTime.now) }
}

extension QueryExpression where Self == SQLQueryExpression<Date.JulianDayRepresentation> {
  /// The moment at which the statement runs, as a Julian day: `julianday('now')`.
  public static var now: Self { Self(DateStorage.julianDay.now) }
}

// For setting a column that may be NULL. They are not members of `QueryExpression`, so that a comparison finds only the
// ones above.
extension SQLQueryExpression where QueryValue == Date? {
  /// The moment at which the statement runs, for a column of dates as texts.
  public static var now: Self { Self(DateStorage.text.now) }
}

extension SQLQueryExpression where QueryValue == Date.UnixTimeRepresentation? {
  /// The moment at which the statement runs, for a column of whole seconds since 1970.
  public static var now: Self { Self(DateStorage.unixTime.now) }
}

extension SQLQueryExpression where QueryValue == Date.JulianDayRepresentation? {
  /// The moment at which the statement runs, for a column of Julian days.
  public static var now: Self { Self(DateStorage.julianDay.now) }
}
