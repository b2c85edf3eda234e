/// Statements for people: SQL with values in it, and the part that an error means.
import Foundation
import MartletQuery
import MartletValues
import Testing

@Suite struct DescriptionTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `values stand where they are used`() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let id = UUID(uuidString: "DEADBEEF-0000-0000-0000-000000000001")!
    let texts: [(String, String)] = [
      (Reminder.columns.isCompleted.eq(true).text, "(\"reminders\".\"isCompleted\") = (1)"),
      (Reminder.columns.dueDate.lt(date).text, "(\"reminders\".\"dueDate\") < ('2001-01-01 00:00:00.000')"),
      ((id.eq(id)).text, "('deadbeef-0000-0000-0000-000000000001') = ('deadbeef-0000-0000-0000-000000000001')"),
      ([UInt8]([1, 255]).eq([]).text, "(x'01ff') = (x'')"),
      (Reminder.columns.title.eq("it's").text, "(\"reminders\".\"title\") = ('it''s')"),
      (Reminder.columns.title.collate(.nocase).text, "\"reminders\".\"title\" COLLATE \"NOCASE\""),
      (Reminder.columns.count().text, "count(\"reminders\".\"id\")"),
      ((!Reminder.columns.isCompleted).text, "NOT (\"reminders\".\"isCompleted\")"),
    ]
    for (text, expected) in texts { #expect(text == expected) }
    #expect(Reminder.count().sql == "SELECT count(*)\nFROM \"reminders\"")
    #expect("\(Reminder.select(\.id).limit(1))" == "SELECT \"reminders\".\"id\"\nFROM \"reminders\"\nLIMIT 1")
    let many = Reminder.insert { (0..<10).map { Reminder(id: $0, title: "r", remindersListID: 1) } }
    #expect(many.description.hasSuffix("(9, 'r', 0, NULL, NULL, 0, 1)") && many.parameters.count == 1)
    #expect(Reminder.select(\.id).union(all: true, RemindersList.unscoped.select(\.id)).sql.contains("\n  UNION ALL\n"))
  }

  @Test func `an error names the part of the SQL that it means`() throws {
    let query = Reminder.where { $0.title.lower().eq("x") && $0.id > 1 }
    var error = RequestError(
      .invalidArgument, .sqlite, "no such column.", path: "select.where.call.arguments[0].call.arguments[0].call")
    #expect(query.part(at: error) == "lower(\"reminders\".\"title\")")
    #expect(query.explain(error).hasSuffix(":\nlower(\"reminders\".\"title\")"))
    error.path = "steps[3].select.columns[1].expression.column.name"
    #expect(query.part(at: error) == "\"reminders\".\"title\"")
    error.path = ""
    #expect(query.part(at: error) == nil && query.explain(error) == "no such column.")
    let raw = SQLQueryExpression("SELECT nope(\(1))", as: Int.self)
    error.path = "raw.parts[0]@7"
    #expect(raw.part(at: error) == "SELECT nope(")
  }
}
