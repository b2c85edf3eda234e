/// UPDATE in its further forms: twice the same column, other tables, order and limit, drafts, rows, helpers.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite
import Testing

extension Updates<Reminder> {
  mutating func finish() {
    self.isCompleted = true
    self.position = 0
  }
}

@Suite struct UpdateTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `a second assignment reads the first`() throws {
    try sample.run(
      Reminder.find(1).update {
        $0.position += 1
        $0.position *= 2
        $0.title = "Soy " + $0.title
        $0.title.append("!")
      })
    #expect(try sample.all(Reminder.find(1).select(\.position)) == [22])
    #expect(try sample.all(Reminder.find(1).select(\.title)) == ["Soy Milk!"])
    try sample.run(
      Reminder.find(1).update {
        $0.position = $0.remindersListID
        $0.remindersListID = $0.position
      })
    let swapped = Reminder.find(1).select { ($0.position, $0.remindersListID) }
    #expect(try swapped.decode(try sample.run(swapped)).map { [$0.0, $0.1] } == [[1, 22]])
  }

  @Test func `operators and helpers assign what they say`() throws {
    try sample.run(
      Reminder.find(2).update {
        $0.finish()
        $0.remindersListID |= 6
        $0.remindersListID <<= 1
        $0.remindersListID -= 1
        $0.remindersListID.negate()
        $0.priority = BindQueryExpression(.high)
      })
    let row = try #require(try sample.all(Reminder.find(2)).first)
    #expect(row.isCompleted && row.position == 0 && row.remindersListID == -13 && row.priority == .high)
  }

  @Test func `rows of other tables, joined where need be`() throws {
    let update = Reminder.update(from: RemindersList.all.join(Level.all) { $0.id.eq($1.id) }) { row, other in
      row.title = other.0.title
      row.position = other.1.depth
    } where: { row, other in
      row.remindersListID.eq(other.0.id)
    }
    #expect(
      update.description == """
        UPDATE "reminders"
        SET "title" = "remindersLists"."title", "position" = "levels"."depth"
        FROM "remindersLists"
        JOIN "levels" ON ("remindersLists"."id") = ("levels"."id")
        WHERE (("reminders"."remindersListID") = ("remindersLists"."id")) \
        AND (("remindersLists"."deletedAt") IS (NULL))
        """)
    _ = try sample.connection.prepare("CREATE TABLE \"levels\" AS SELECT 2 AS \"id\", 7 AS \"depth\"").step()
    try sample.run(update)
    #expect(try sample.all(Reminder.where { $0.position.eq(7) }.select(\.title)) == ["Work"])
  }

  @Test func `order and limit say which rows`() throws {
    let update = Reminder.update { $0.title = "last" }.order { $0.position.desc() }.limit(1)
    #expect(update.description.hasSuffix("SET \"title\" = 'last'\nORDER BY \"reminders\".\"position\" DESC\nLIMIT 1"))
    try sample.run(update)
    #expect(try sample.all(Reminder.find(4).select(\.title)) == ["last"])
    try sample.run(Reminder.delete().order { $0.id }.limit(1, offset: 1))
    #expect(try sample.all(Reminder.select(\.id)) == [1, 3, 4])
  }

  @Test func `drafts are read, found and changed`() throws {
    var draft = try #require(try sample.all(Reminder.Draft.find(1)).first)
    #expect(draft.id == 1 && draft.title == "Milk")
    draft.title = "Draft"
    try sample.run(Reminder.upsert { draft })
    try sample.run(Reminder.Draft.find(2).update { $0.title = "Found" })
    #expect(try sample.all(Reminder.where { $0.id < 3 }.select(\.title)) == ["Draft", "Found"])
    #expect(try sample.all(Reminder.Draft.all.incomplete.order(by: \.id)).map(\.id) == [1, 3, 4])
    #expect(try sample.all(Reminder.Draft.find([1, 2]).count()) == [2])
    #expect(Reminder.Draft(Reminder(id: 3, remindersListID: 1)).id == 3)
  }

  @Test func `what comes back may be computed`() throws {
    let update = Reminder.find(1).update { $0.position += 1 }
      .returning { ($0.title.upper(), Case().when($0.position > 10, then: "far").else("near")) }
    #expect(update.description.contains("RETURNING upper(\"title\"), CASE WHEN (\"position\") > (10) THEN 'far'"))
    #expect(try update.decode(try sample.run(update)).map(\.1) == ["far"])
    #expect(try sample.all(Reminder.find(1).delete().returning(Reminder.self)).map(\.id) == [1])
    let insert = Reminder.insert { Reminder.Draft(title: "r", remindersListID: 1) }.returning(\.self)
    #expect(try sample.all(insert).map(\.title) == ["r"])
  }
}
