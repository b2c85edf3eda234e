import MartletAST

/// Steps that a date takes one after the other, as modifiers of SQLite's date functions.
///
/// Always true: SQLite takes them in the order in which they were written.
public struct DateModifiers: Sendable {
  var fragments: [QueryFragment] = []

  /// No step at all; add to it.
  public init() {}

  /// What happens if a month has no such day.
  public enum MonthOverflow: Sendable {
    /// 31 January and a month are 3 March, which is what SQLite has always done.
    case ceiling
    /// 31 January and a month are 28 February. SQLite 3.46.
    case floor
  }

  func adding(_ fragment: QueryFragment) -> DateModifiers {
    var result = self
    result.fragments.append(fragment)
    return result
  }

  /// A plain number and its unit are one bound text; a computed one is joined with its unit by SQLite.
  private func adding(_ count: some QueryExpression, _ unit: String) -> DateModifiers {
    switch count.queryFragment.binding {
    case .int(let integer): adding(.bind(.text("\(integer) \(unit)")))
    case .double(let real): adding(.bind(.text("\(real) \(unit)")))
    default: adding(.operation(.concatenate, count.queryFragment, .literal(text: " " + unit)))
    }
  }
}

// MARK: - Steps

extension DateModifiers {
  /// `'+n years'`, backwards if it is negative. 29 February becomes 1 March in other years.
  public func years(_ count: some QueryExpression<Int>) -> DateModifiers { adding(count, "years") }
  /// `'+n months'`, backwards if it is negative; `overflow` says what happens if a month is too short.
  public func months(_ count: some QueryExpression<Int>, _ overflow: MonthOverflow = .ceiling) -> DateModifiers {
    let result = adding(count, "months")
    return overflow == .floor ? result.adding(.literal(text: "floor")) : result
  }
  /// `'+n days'`, backwards if it is negative.
  public func days(_ count: some QueryExpression<Int>) -> DateModifiers { adding(count, "days") }
  /// `'+n hours'`, backwards if it is negative.
  public func hours(_ count: some QueryExpression<Int>) -> DateModifiers { adding(count, "hours") }
  /// `'+n minutes'`, backwards if it is negative.
  public func minutes(_ count: some QueryExpression<Int>) -> DateModifiers { adding(count, "minutes") }
  /// `'+n seconds'`, backwards if it is negative.
  public func seconds(_ count: some QueryExpression<Int>) -> DateModifiers { adding(count, "seconds") }
  /// `'+n seconds'` with a fraction, of which SQLite keeps milliseconds.
  @_disfavoredOverload
  public func seconds(_ count: some QueryExpression<Double>) -> DateModifiers { adding(count, "seconds") }
  /// Thousandths of a second, backwards if it is negative: `'+0.25 seconds'`.
  public func milliseconds(_ count: some QueryExpression<Int>) -> DateModifiers {
    if case .int(let integer)? = count.queryFragment.binding { return adding(Double(integer) / 1000, "seconds") }
    return adding(
      SQLQueryExpression<Double>(.operation(.divide, count.queryFragment, .literal(real: 1000))), "seconds")
  }
  /// `'start of day'`: 00:00 of the same day, in UTC.
  public var startOfDay: DateModifiers { adding(.literal(text: "start of day")) }
  /// `'start of month'`: 00:00 of the month's first day.
  public var startOfMonth: DateModifiers { adding(.literal(text: "start of month")) }
  /// `'start of year'`: 00:00 of 1 January.
  public var startOfYear: DateModifiers { adding(.literal(text: "start of year")) }
  /// The next such day of the week, or the same day: from 0, Sunday, to 6.
  public func weekday(_ day: Int) -> DateModifiers { adding(.literal(text: "weekday \(day)")) }
}

extension DateModifiers {
  /// Steps that begin with `'+n years'`.
  public static func years(_ count: some QueryExpression<Int>) -> DateModifiers { DateModifiers().years(count) }
  /// Steps that begin with `'+n months'`.
  public static func months(
    _ count: some QueryExpression<Int>, _ overflow: MonthOverflow = .ceiling
  ) -> DateModifiers {
    DateModifiers().months(count, overflow)
  }
  /// Steps that begin with `'+n days'`.
  public static func days(_ count: some QueryExpression<Int>) -> DateModifiers { DateModifiers().days(count) }
  /// Steps that begin with `'+n hours'`.
  public static func hours(_ count: some QueryExpression<Int>) -> DateModifiers { DateModifiers().hours(count) }
  /// Steps that begin with `'+n minutes'`.
  public static func minutes(_ count: some QueryExpression<Int>) -> DateModifiers { DateModifiers().minutes(count) }
  /// Steps that begin with `'+n seconds'`.
  public static func seconds(_ count: some QueryExpression<Int>) -> DateModifiers { DateModifiers().seconds(count) }
  /// Steps that begin with `'+n seconds'` with a fraction.
  @_disfavoredOverload
  public static func seconds(_ count: some QueryExpression<Double>) -> DateModifiers { DateModifiers().seconds(count) }
  /// Steps that begin with thousandths of a second.
  public static func milliseconds(_ count: some QueryExpression<Int>) -> DateModifiers {
    DateModifiers().milliseconds(count)
  }
  /// Steps that begin with 00:00 of the day.
  public static var startOfDay: DateModifiers { DateModifiers().startOfDay }
  /// Steps that begin with 00:00 of the month's first day.
  public static var startOfMonth: DateModifiers { DateModifiers().startOfMonth }
  /// Steps that begin with 00:00 of 1 January.
  public static var startOfYear: DateModifiers { DateModifiers().startOfYear }
  /// Steps that begin with the next such day of the week: from 0, Sunday, to 6.
  public static func weekday(_ day: Int) -> DateModifiers { DateModifiers().weekday(day) }
}

extension QueryExpression where QueryValue: DateExpressible {
  /// The date after some steps: `$0.createdAt(.startOfDay.days(-7))`.
  public func callAsFunction(_ modifiers: DateModifiers) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.dateStorage.date(queryFragment, modifiers.fragments))
  }

  /// The date after SQLite's modifiers as it spells them: `.modified("start of month", "+1 month")`.
  public func modified(_ modifiers: String...) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression(QueryValue.dateStorage.date(queryFragment, modifiers.map(\.queryFragment)))
  }
}
