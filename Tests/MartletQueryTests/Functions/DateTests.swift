/// Dates: now, steps and parts, in each representation.
import Foundation
import MartletAST
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct DateTests {
  let sample: Sample
  init() throws {
    sample = try Sample()
    try sample.addDocuments()
  }

  @Test func `steps go from one date to another`() throws {
    let due = SQLQueryExpression<Date>("'2001-01-31 04:05:06.789'")
    let steps: [(SQLQueryExpression<Date>, Value)] = [
      (due(.days(-7)), "2001-01-24 04:05:06.789"),
      (due(.startOfDay.days(-7)), "2001-01-24 00:00:00.000"),
      (due(.startOfMonth.months(1).days(-1)), "2001-01-31 00:00:00.000"),
      (due(.months(1)), "2001-03-03 04:05:06.789"),
      (due(.months(1, .ceiling)), "2001-03-03 04:05:06.789"),
      (due(.startOfYear.years(2)), "2003-01-01 00:00:00.000"),
      (due(.hours(20).minutes(1).seconds(2)), "2001-02-01 00:06:08.789"),
      (due(.seconds(0.211)), "2001-01-31 04:05:07.000"),
      (due(.milliseconds(-789)), "2001-01-31 04:05:06.000"),
      (due(.weekday(0)), "2001-02-04 04:05:06.789"),
      (due(.days(Reminder.columns.position)), "2001-02-10 04:05:06.789"),
      (due.modified("start of month", "+1 month"), "2001-02-01 00:00:00.000"),
    ]
    for (step, expected) in steps { #expect(try sample.value(step) == expected, "\(step)") }
  }

  @Test func `a month's floor is refused with the version that has it`() {
    let query = Reminder.select { $0.dueDate.map { $0(.months(1, .floor)) } }
    let error = #expect(throws: RequestError.self) { try StatementRenderer().render(query.tree) }
    #expect(error?.reason == .unsupported && error?.message.contains("3.46") == true)
  }

  @Test func `now is SQLite's clock, and may be moved`() throws {
    let recent = Reminder.where { $0.dueDate < .now(.days(-7)) }
    #expect(recent.description.contains("< (strftime('%Y-%m-%d %H:%M:%f', 'now', '-7 days'))"))
    #expect(try sample.all(recent.select(\.id)) == [1, 3])
    #expect(try sample.all(Reminder.where { $0.dueDate < .now }.count()) == [2])
    #expect(try sample.all(Document.where { $0.postedAt > .now(.days(-7)) }.count()) == [0])
    #expect(try sample.all(Document.where { $0.seenAt < .now(.days(-7)) }.count()) == [1])
    #expect(Document.update { $0.postedAt = .now }.sql.contains("SET \"postedAt\" = unixepoch('now')"))
    #expect(Document.update { $0.seenAt = .now }.sql.contains("SET \"seenAt\" = julianday('now')"))
    #expect(
      Reminder.update { $0.dueDate = .now(.startOfDay) }.sql.contains(
        "\"dueDate\" = strftime('%Y-%m-%d %H:%M:%f', 'now', 'start of day')"))
  }

  @Test func `parts are the same in every representation`() throws {
    let date = Date(timeIntervalSince1970: 981_173_106.789)
    #expect(try parts(BindQueryExpression(date, as: Date.self)) == parts())
    #expect(try parts(BindQueryExpression(date, as: Date.JulianDayRepresentation.self)) == parts())
    let whole = BindQueryExpression(date, as: Date.UnixTimeRepresentation.self)
    #expect(try parts(whole) == parts(fraction: 6))
    #expect(try sample.value(whole(.days(1))) == .integer(981_173_106 + 86_400))
    #expect(try sample.value(Date?.none.year) == .null)
  }

  private func parts(fraction: Double = 6.789) -> [Value] {
    [
      2001, 2, 3, 4, 5, 6, 6, 34, .real(fraction), "2001-02", "2001-02-03", "04:05:06", "2001-02-03 04:05:06",
      981_173_106,
    ]
  }

  private func parts<E: QueryExpression>(_ date: E) throws -> [Value] where E.QueryValue: DateExpressible {
    try [
      sample.value(date.year), sample.value(date.month), sample.value(date.day), sample.value(date.hour),
      sample.value(date.minute), sample.value(date.second), sample.value(date.weekday), sample.value(date.dayOfYear),
      sample.value(date.fractionalSecond), sample.value(date.strftime("%Y-%m")), sample.value(date.date),
      sample.value(date.time), sample.value(date.datetime), sample.value(date.unixTime),
    ]
  }
}
