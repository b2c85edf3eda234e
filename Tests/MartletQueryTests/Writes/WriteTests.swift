/// INSERT, UPDATE and DELETE: the SQL, and what they change.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct WriteTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `a draft leaves its key to the table`() throws {
    let insert = Reminder.insert { Reminder.Draft(title: "Eggs", remindersListID: 1) }.returning(\.id)
    #expect(
      insert.sql == """
        INSERT INTO "reminders"
        ("title", "isCompleted", "priority", "dueDate", "position", "remindersListID")
        VALUES
        (?1, ?2, ?3, ?4, ?5, ?6)
        RETURNING "id"
        """)
    #expect(try sample.all(insert) == [5])
  }

  @Test func `many rows are one parameter`() throws {
    let insert = Reminder.insert { (10..<1010).map { Reminder(id: $0, title: "r\($0)", remindersListID: 2) } }
    #expect(insert.parameters.count == 1)
    try sample.run(insert)
    #expect(try sample.all(Reminder.count()) == [1004])
    #expect(try sample.all(Reminder.find(1009).select(\.title)) == ["r1009"])
  }

  @Test func `columns and values, from literals, loops and queries`() throws {
    try sample.run(
      Reminder.insert {
        ($0.title, $0.remindersListID)
      } values: {
        for list in [2, 3] { ("Loop", list) }
        ("One", 1)
      })
    try sample.run(
      Reminder.insert {
        $0.title
      } values: {
        "Alone"
      })
    try sample.run(
      Reminder.insert {
        ($0.title, $0.remindersListID)
      } select: {
        RemindersList.select { ($0.title, $0.id) }
      })
    #expect(
      try sample.all(Reminder.where { $0.id > 4 }.order(by: \.id).select(\.title)) == [
        "Loop", "Loop", "One", "Alone", "Home", "Work", "Empty",
      ])
    #expect(Reminder.insert().sql == "INSERT INTO \"reminders\"\nDEFAULT VALUES")
    try sample.run(Reminder.insert(or: .replace) { Reminder(id: 1, title: "New", remindersListID: 1) })
    #expect(try sample.all(Reminder.find(1).select(\.title)) == ["New"])
  }

  @Test func `a conflict updates the row that is there`() throws {
    let upsert = Reminder.insert { Reminder(id: 1, title: "Cream", position: 5, remindersListID: 1) }
      .onConflict {
        $0.id
      } doUpdate: {
        $0.title = $1.title
        $0.position += $1.position
      } where: {
        $1.position < $0.position
      }
    #expect(
      upsert.sql.contains(
        "ON CONFLICT (\"id\")\nDO UPDATE SET \"title\" = \"excluded\".\"title\""))
    try sample.run(upsert)
    let text = Reminder.find(1).select { $0.title + ":" + $0.position.cast(as: String.self) }
    #expect(try sample.all(text) == ["Cream:15"])
    try sample.run(Reminder.insert { Reminder(id: 1, title: "x", remindersListID: 1) }.onConflictDoNothing())
    try sample.run(Reminder.upsert { Reminder(id: 2, title: "Toast", remindersListID: 2) })
    #expect(try sample.all(Reminder.where { $0.id < 3 }.select(\.title)) == ["Cream", "Toast"])
  }

  @Test func `an update sets values, expressions and groups`() throws {
    let update = Reminder.find(1).update {
      $0.title = "Oat milk"
      $0.position += 1
      $0.isCompleted.toggle()
      $0.priority = nil
      $0.dueDate = Date(timeIntervalSinceReferenceDate: 60)
    }
    .returning { ($0.title, $0.position * 2, $0.isCompleted, $0.dueDate) }
    let row = try #require(try update.decode(try sample.run(update)).first)
    #expect(row.0 == "Oat milk" && row.1 == 22 && row.2)
    #expect(row.3 == Date(timeIntervalSinceReferenceDate: 60))
    try sample.run(
      Reminder.update {
        $0.position = Reminder.select { ($0.position.max() ?? -1) + 1 }
        $0.title.append("!")
      }
      .where { $0.id.eq(2) })
    #expect(try sample.all(Reminder.find(2).select(\.position)) == [41])
    #expect(try sample.all(Reminder.find(2).select(\.title)) == ["Bread!"])
    let stamp = Timestamps(
      createdAt: Date(timeIntervalSinceReferenceDate: 0), updatedAt: Date(timeIntervalSinceReferenceDate: 1))
    try sample.run(RemindersList.find(1).update { $0.timestamps = stamp })
    try sample.run(RemindersList.find(2).update { $0.timestamps.updatedAt = Date(timeIntervalSinceReferenceDate: 2) })
    #expect(try sample.all(RemindersList.find(1).select(\.timestamps)) == [stamp])
    try sample.run(Reminder.update(Reminder(id: 3, title: "Whole", remindersListID: 1)))
    #expect(try sample.all(Reminder.find(3)) == [Reminder(id: 3, title: "Whole", remindersListID: 1)])
  }

  @Test func `an update cycles through cases`() throws {
    try sample.run(
      Reminder.find(3).update {
        $0.priority = Case($0.priority).when(.low, then: .medium).when(.medium, then: .high).else(.low)
      })
    #expect(try sample.all(Reminder.find(3).select(\.priority)) == [.medium])
  }

  @Test func `an update reads another table`() throws {
    try sample.run(
      Reminder.update { _ in }.from(RemindersList.all) { row, list in
        row.title = list.title
      } where: {
        $0.remindersListID.eq($1.id) && $1.title.eq("Work")
      })
    #expect(try sample.all(Reminder.find(3).select(\.title)) == ["Work"])
  }

  @Test func `nothing assigned changes nothing`() throws {
    try sample.run(Reminder.update { _ in })
    #expect(try sample.all(Reminder.count()) == [4])
  }

  @Test func `a delete returns what it deleted`() throws {
    let delete = Reminder.where(\.isCompleted).delete().returning(\.self)
    #expect(delete.sql.hasPrefix("DELETE FROM \"reminders\"\nWHERE (\"reminders\".\"isCompleted\")\nRETURNING \"id\""))
    #expect(try sample.all(delete).map(\.title) == ["Bread"])
    try sample.run(Reminder.delete().where { $0.id.eq(1) })
    try sample.run(Reminder.delete(try #require(try sample.all(Reminder.find(3)).first)))
    #expect(try sample.all(Reminder.select(\.id)) == [4])
  }
}
