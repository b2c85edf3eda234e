/// Lists, ranges, subqueries, row values and groups: what is a member, and what comes before what.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct MembershipTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private func ids(_ predicate: (Reminder.TableColumns) -> SQLQueryExpression<Bool>) throws -> [Int] {
    try sample.all(Reminder.where { predicate($0) }.order(by: \.id).select(\.id))
  }

  @Test func `ranges of every kind`() throws {
    #expect(try ids { $0.position.in(10...20) } == [1, 2])
    #expect(try ids { $0.position.in(10..<20) } == [1])
    #expect(try ids { $0.position.in(30...) } == [3, 4])
    #expect(try ids { $0.position.in(...20) } == [1, 2])
    #expect(try ids { $0.position.in(..<20) } == [1])
    #expect(try ids { (10...20).contains($0.position) } == [1, 2])
    #expect(try ids { (10..<20).contains($0.position) } == [1])
    #expect(try ids { (5...15).contains($0.position.cast(as: Double.self)) } == [1])
    #expect(try ids { !$0.id.in([1, 2]) } == [3, 4])
    #expect(try ids { [1, 2].contains($0.id) } == [1, 2])
    #expect(try ids { RemindersList.select(\.id).contains($0.id) } == [1, 2, 3])
    let columns = Reminder.columns
    #expect(columns.position.in(10...20).text == "\"reminders\".\"position\" BETWEEN 10 AND 20")
    #expect(columns.id.in([1, 2]).text == "(\"reminders\".\"id\") IN ((1), (2))")
    #expect(columns.id.in([]).text == "(\"reminders\".\"id\") IN ()")
    #expect(
      columns.id.in(RemindersList.unscoped.select(\.id)).text == """
        ("reminders"."id") IN (
          SELECT "remindersLists"."id"
          FROM "remindersLists"
        )
        """)
  }

  @Test func `what is outside of a range of any kind`() throws {
    #expect(try ids { $0.position.notIn(10...20) } == [3, 4])
    #expect(try ids { $0.position.notIn(20..<40) } == [1, 4])
    #expect(try ids { $0.position.notIn(30...) } == [1, 2])
    #expect(try ids { $0.position.notIn(...20) } == [3, 4])
    #expect(try ids { $0.position.notIn(..<20) } == [2, 3, 4])
    let columns = Reminder.columns
    #expect(columns.position.notIn(10...20).text == "\"reminders\".\"position\" NOT BETWEEN 10 AND 20")
    #expect(
      columns.position.notIn(10..<20).text
        == "NOT (((\"reminders\".\"position\") >= (10)) AND ((\"reminders\".\"position\") < (20)))")
    #expect(columns.position.notIn(10...).text == "(\"reminders\".\"position\") < (10)")
    #expect(columns.position.notIn(...10).text == "(\"reminders\".\"position\") > (10)")
    #expect(columns.position.notIn(..<10).text == "(\"reminders\".\"position\") >= (10)")
    // As with a list, NULL is neither inside nor outside.
    let due = Date(timeIntervalSinceReferenceDate: 2 * 86_400)
    #expect(try ids { $0.dueDate.notIn(due...) } == [1])
    #expect(try ids { $0.dueDate.notIn(...due) } == [3])
    #expect(try ids { $0.dueDate.notIn(due..<due) } == [1, 3])
  }

  @Test func `ranges without an end contain`() throws {
    #expect(try ids { (30...).contains($0.position) } == [3, 4])
    #expect(try ids { (...20).contains($0.position) } == [1, 2])
    #expect(try ids { (..<20).contains($0.position) } == [1])
    #expect((30...).contains(31) && !(..<20).contains(20))
  }

  @Test func `the rows that a distinct query skips are distinct where only their existence is asked`() throws {
    let lists = Reminder.select(\.remindersListID).distinct().order(by: \.remindersListID)
    #expect(try sample.all(Values(lists.limit(5).offset(1).exists())) == [true])
    #expect(try sample.all(Values(lists.limit(5).offset(2).exists())) == [false])
    let none = Reminder.where { $0.id < 0 }.select(\.remindersListID)
    let union = Reminder.select(\.remindersListID).distinct().union(all: true, none)
    #expect(try sample.all(Values(union.limit(5).offset(2).exists())) == [false])
    let lonely = RemindersList.where { list in
      let same = Reminder.where { $0.remindersListID.eq(list.id) }.select(\.remindersListID).distinct()
      !same.limit(5).offset(1).exists()
    }
    #expect(try sample.all(lonely.order(by: \.id).select(\.id)) == [1, 2, 3])
  }

  @Test func `row values compare by their first difference`() throws {
    #expect(try ids { RowValue($0.remindersListID, $0.id).in([(1, 2), (2, 3), (2, 4)]) } == [2, 3])
    #expect(try ids { RowValue($0.remindersListID, $0.id).notIn([(1, 2), (2, 3)]) } == [1, 4])
    #expect(try ids { RowValue($0.remindersListID, $0.id) > (1, 2) } == [3, 4])
    #expect(try ids { RowValue($0.remindersListID, $0.id) <= (1, 2) } == [1, 2])
    #expect(try ids { RowValue($0.remindersListID, $0.id).eq((2, 3)) } == [3])
    #expect(try ids { RowValue($0.id, $0.priority).is((2, nil)) } == [2])
    #expect(try ids { RowValue($0.position, $0.id) < RowValue($0.id, $0.position) } == [])
    let pairs = Reminder.where { $0.id < 3 }.select { ($0.remindersListID, $0.id) }
    #expect(try ids { RowValue($0.remindersListID, $0.id).in(pairs) } == [1, 2])
    #expect(RowValue(Reminder.columns.id, Reminder.columns.title).neq((1, "x")).text.hasSuffix("<> (1, 'x')"))
  }

  @Test func `groups compare as rows, and lists of them are one parameter`() throws {
    let zero = Date(timeIntervalSinceReferenceDate: 0)
    let stamp = Timestamps(createdAt: zero, updatedAt: nil)
    let lists = RemindersList.where { $0.timestamps.is(stamp) }
    #expect(try sample.all(lists.select(\.id)) == [1, 2, 3])
    #expect(lists.description.contains("(\"remindersLists\".\"createdAt\", \"remindersLists\".\"updatedAt\") IS ("))
    let among = RemindersList.where { $0.timestamps.in(Array(repeating: stamp, count: 20)) }
    #expect(among.parameters.count == 1)
    #expect(try sample.all(among.select(\.id)) == [1, 2, 3])
    try sample.run(RemindersList.find(2).update { $0.timestamps.updatedAt = zero })
    let full = Timestamps(createdAt: zero, updatedAt: zero)
    #expect(try sample.all(RemindersList.where { $0.timestamps.in([stamp, full]) }.select(\.id)) == [1, 2, 3])
    #expect(try sample.all(RemindersList.where { $0.timestamps.notIn([stamp]) }.select(\.id)) == [2])
    #expect(try sample.all(RemindersList.where { $0.timestamps >= full }.select(\.id)) == [2])
    let left = Reminder.leftJoin(RemindersList.unscoped) { $0.id.eq($1.id + 2) }.order { row, _ in row.id }
    #expect(try sample.all(left.where { $1.timestamps.is(nil) }.select { row, _ in row.id }) == [1, 2])
    #expect(try sample.all(left.where { $1.timestamps.isNot(nil) }.select { row, _ in row.id }) == [3, 4])
  }

  @Test func `optional values are mapped where they are there`() throws {
    let mapped = Reminder.order(by: \.id).select { $0.dueDate.map { $0.year } }
    #expect(try sample.all(mapped) == [2001, nil, 2001, nil])
    #expect(mapped.sql.contains("CASE WHEN (\"reminders\".\"dueDate\") IS (NULL) THEN NULL ELSE"))
    let flat = Reminder.order(by: \.id).select { $0.dueDate.flatMap { $0.strftime("%Y").nullif("2001") } }
    #expect(try sample.all(flat) == [nil, nil, nil, nil])
  }

  @Test func `a value, a bound value and an expression compare alike`() throws {
    let equal: [SQLQueryExpression<Bool>] = [
      Reminder.columns.priority.eq(.high), Reminder.columns.priority.eq(BindQueryExpression(.high)),
      Reminder.columns.priority.is(.high), Reminder.columns.priority.is(BindQueryExpression(.high)),
      Reminder.columns.priority.eq(Reminder.columns.priority) && Reminder.columns.id < 2,
      Reminder.columns.isCompleted.neq(BindQueryExpression(true)) && Reminder.columns.position <= 10,
    ]
    for predicate in equal { #expect(try ids { _ in predicate } == [1], "\(predicate)") }
    #expect(try ids { $0.isCompleted.likelihood(0.9) } == [2])
    #expect(try ids { $0.isCompleted.unlikely() || $0.id.eq(1).likely() } == [1, 2])
  }
}
