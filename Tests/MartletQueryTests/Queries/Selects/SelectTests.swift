/// SELECT in its forms: the SQL, and the rows that it gives.
import Foundation
import MartletAST
import MartletQuery
import MartletValues
import Testing

@Suite struct SelectTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `a table selects its columns by name`() throws {
    #expect(
      Reminder.where(\.isCompleted).sql == """
        SELECT "reminders"."id", "reminders"."title", "reminders"."isCompleted", "reminders"."priority", \
        "reminders"."dueDate", "reminders"."position", "reminders"."remindersListID"
        FROM "reminders"
        WHERE ("reminders"."isCompleted")
        """)
    let rows = try sample.all(Reminder.where(\.isCompleted))
    #expect(
      rows == [
        Reminder(
          id: 2, title: "Bread", isCompleted: true, priority: nil, dueDate: nil, position: 20, remindersListID: 1)
      ])
  }

  @Test func `predicates are joined, values become parameters`() throws {
    let query = Reminder.where { !$0.isCompleted && $0.priority.eq(.high) }.select(\.title)
    #expect(
      query.sql == """
        SELECT "reminders"."title"
        FROM "reminders"
        WHERE (NOT ("reminders"."isCompleted")) AND (("reminders"."priority") = (?1))
        """)
    #expect(query.parameters == [.integer(3)])
    #expect(try sample.all(query) == ["Milk"])
  }

  @Test func `columns are chosen as tuples, and decoded as such`() throws {
    let query = Reminder.order { $0.id.desc() }.limit(2).select { ($0.id, $0.title, $0.priority) }
    let rows = try query.decode(try sample.run(query))
    #expect(rows.map(\.0) == [4, 3])
    #expect(rows.map(\.1) == ["100% Juice", "Report"])
    #expect(rows.map(\.2) == [.medium, .low])
  }

  @Test func `clauses stand where SQL has them`() throws {
    let query =
      Reminder
      .group(by: \.remindersListID)
      .having { $0.count() > 1 }
      .order { ($0.remindersListID, $0.id.count().desc(nulls: .last)) }
      .limit(10, offset: 0)
      .distinct()
      .select { ($0.remindersListID, $0.id.count()) }
    #expect(
      query.sql == """
        SELECT DISTINCT "reminders"."remindersListID", count("reminders"."id")
        FROM "reminders"
        GROUP BY "reminders"."remindersListID"
        HAVING ((count("reminders"."id")) > (?1))
        ORDER BY "reminders"."remindersListID", count("reminders"."id") DESC NULLS LAST
        LIMIT ?2 OFFSET ?3
        """)
    #expect(try query.decode(try sample.run(query)).map(\.1) == [3])
  }

  @Test func `scopes chain, and a default scope is added once`() throws {
    #expect(try sample.all(Reminder.incomplete.important.select(\.id)) == [1])
    #expect(try sample.all(Reminder.incomplete.matching("0%").select(\.id)) == [4])
    #expect(try sample.all(Reminder.where { $0.isUrgent }.select(\.id)) == [1])
    #expect(try sample.all(RemindersList.count()) == [3])
    #expect(try sample.all(RemindersList.all.select(\.id)) == [1, 2, 3])
    #expect(try sample.all(RemindersList.unscoped.count()) == [4])
    #expect(RemindersList.all.sql.split(separator: "IS").count == 2)
    #expect(try sample.all(Reminder.none).isEmpty)
  }

  @Test func `a join gives both sides, and the missing one as nil`() throws {
    let inner = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.order { row, _ in row.id }
    let rows = try inner.select { ($0, $1.title) }.decode(
      try sample.run(inner.select { ($0, $1.title) }))
    #expect(rows.map(\.0.id) == [1, 2, 3, 4])
    #expect(rows.map(\.1) == ["Home", "Home", "Work", "Home"])
    let left = RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
      .where { $1.id.is(nil) || $1.isCompleted }
      .select { ($0.title, $1) }
    let pairs = try left.decode(try sample.run(left))
    #expect(pairs.map(\.0) == ["Home", "Empty"])
    #expect(pairs.map { $0.1?.id } == [2, nil])
    let counts = RemindersList.group(by: \.id).leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
      .select { ($0.id, $1.count()) }
    #expect(try counts.decode(try sample.run(counts)).map(\.1) == [3, 1, 0])
  }

  @Test func `a table joins itself under another name`() throws {
    enum Other: AliasName {}
    let query = Reminder.join(Reminder.as(Other.self).all) { $0.position.lt($1.position) }
      .where { row, _ in row.id.eq(1) }
      .order { $1.id }
      .select { ($0.title, $1.title) }
    #expect(query.sql.contains("JOIN \"reminders\" AS \"others\" ON"))
    #expect(try query.decode(try sample.run(query)).map(\.1) == ["Bread", "Report", "100% Juice"])
  }

  @Test func `groups of columns are reached by their members and compared as rows`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let query = RemindersList.where { $0.timestamps.createdAt <= date }.select(\.timestamps)
    #expect(try sample.all(query).first == Timestamps(createdAt: date, updatedAt: nil))
    let row = RemindersList.where { $0.timestamps <= Timestamps(createdAt: date, updatedAt: nil) }
    #expect(row.sql.contains("(\"remindersLists\".\"createdAt\", \"remindersLists\".\"updatedAt\") <= (?1, ?2)"))
    _ = try sample.run(row)
  }

  @Test func `subqueries, sets and ranges`() throws {
    #expect(try sample.all(Reminder.where { $0.id.in([1, 3, 9]) }.select(\.id)) == [1, 3])
    #expect(try sample.all(Reminder.where { $0.id.in([]) }.select(\.id)) == [])
    #expect(try sample.all(Reminder.where { !$0.id.in([1, 3]) }.select(\.id)) == [2, 4])
    #expect(try sample.all(Reminder.where { $0.id.notIn([1, 3]) }.select(\.id)) == [2, 4])
    #expect(try sample.all(Reminder.where { $0.priority.in([.low, .high]) }.select(\.id)) == [1, 3])
    #expect(try sample.all(Reminder.where { $0.position.between(10, and: 20) }.select(\.id)) == [1, 2])
    #expect(try sample.all(Reminder.where { (10...20).contains($0.position) }.select(\.id)) == [1, 2])
    let lists = RemindersList.where { $0.title.eq("Work") }.select(\.id)
    #expect(try sample.all(Reminder.where { $0.remindersListID.in(lists) }.select(\.id)) == [3])
    let last = Reminder.select { $0.position.max() }
    #expect(try sample.all(Reminder.where { $0.position.is(last) }.select(\.id)) == [4])
    #expect(try sample.all(Reminder.find(2).select(\.title)) == ["Bread"])
    #expect(try sample.all(Reminder.find([2, 3]).count()) == [2])
  }

  @Test(arguments: [Int.min, .max, 0, -1, 3])
  func `a compound is not ordered by a column that it does not have`(index: Int) {
    let titles = Reminder.select(\.title).union(RemindersList.select(\.title))
    #expect(throws: (any Error).self) { try sample.all(titles.order(byColumn: index)) }
    let reminders = Reminder.select { ($0.id, $0.title) }
    let lists = RemindersList.select { ($0.id, $0.title) }
    let pairs = reminders.union(lists)
    #expect(throws: (any Error).self) { try sample.run(pairs.order(byColumn: index)) }
  }

  @Test func `compounds, common tables and values`() throws {
    let titles = Reminder.select(\.title).union(RemindersList.select(\.title)).order(byColumn: 1).limit(3)
    #expect(try sample.all(titles) == ["100% Juice", "Bread", "Empty"])
    #expect(try sample.all(Reminder.select(\.id).except(RemindersList.select(\.id))) == [4])
    #expect(try sample.all(Reminder.select(\.id).intersect(RemindersList.select(\.id)).limit(2)) == [1, 2])
    let count = With {
      Reminder.where { $0.id.eq(1) }.select { Level.Columns(id: $0.id, depth: 0) }
        .union(
          all: true,
          Reminder.join(Level.all) { $0.id.eq($1.id + 1) }.select { Level.Columns(id: $0.id, depth: $1.depth + 1) })
    } query: {
      Level.order { $0.depth.desc() }.limit(1)
    }
    #expect(count.sql.hasPrefix("WITH \"levels\""))
    #expect(try sample.all(count) == [Level(id: 4, depth: 3)])
    let values = Values(1, "a").row(2, "b")
    #expect(try values.decode(try sample.run(values)).map(\.1) == ["a", "b"])
  }

  @Test func `counting what is distinct or limited counts the rows`() throws {
    #expect(try sample.all(Reminder.select(\.remindersListID).distinct().count()) == [2])
    #expect(try sample.all(Reminder.limit(3).count()) == [3])
    #expect(try sample.all(Reminder.count { $0.isCompleted }) == [1])
  }
}
