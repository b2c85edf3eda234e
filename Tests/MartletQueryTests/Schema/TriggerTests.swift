/// Triggers: the SQL of them, and what they do to rows.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct TriggerTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  @Test func `after an insert, the page's way`() throws {
    let trigger = Reminder.createTemporaryTrigger(
      after: .insert { new in
        Reminder
          .find(new.id)
          .update {
            $0.position = Reminder.select { ($0.position.max() ?? -1) + 1 }
          }
      }
    )
    #expect(
      trigger.sql.hasPrefix(
        "CREATE TEMPORARY TRIGGER\n  \"after_insert_on_reminders@MartletQueryTests/TriggerTests.swift:"))
    let rest = trigger.sql.dropFirst(25).drop { $0 != "\n" }
    #expect(
      rest == """

        AFTER INSERT ON "reminders"
        FOR EACH ROW BEGIN
          UPDATE "reminders"
          SET "position" = (
            SELECT (coalesce(max("reminders"."position"), -1)) + (1)
            FROM "reminders"
          )
          WHERE (("reminders"."id") = ("new"."id"));
        END
        """)
    try sample.run(trigger)
    try sample.run(Reminder.insert { Reminder.Draft(title: "Eggs", remindersListID: 1) })
    #expect(try sample.all(Reminder.find(5).select(\.position)) == [41])
    #expect(trigger.drop().sql.hasPrefix(#"DROP TRIGGER "temp"."after_insert_on_reminders@"#))
    try sample.run(trigger.drop())
    try sample.run(Reminder.insert { Reminder.Draft(title: "Salt", remindersListID: 1) })
    #expect(try sample.all(Reminder.find(6).select(\.position)) == [0])
  }

  @Test func `instead of an insert into a view, the page's way`() throws {
    try sample.run(
      ReminderWithList.createTemporaryView(
        as: Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }
          .select { ReminderWithList.Columns(reminderTitle: $0.title, remindersListTitle: $1.title) }))
    let trigger = ReminderWithList.createTemporaryTrigger(
      insteadOf: .insert { new in
        Reminder.insert {
          ($0.title, $0.remindersListID)
        } values: {
          (
            new.reminderTitle,
            RemindersList
              .select(\.id)
              .where { $0.title.eq(new.remindersListTitle) }
          )
        }
      }
    )
    try sample.run(trigger)
    try sample.run(
      ReminderWithList.insert {
        ReminderWithList(
          reminderTitle: "Morning sync",
          remindersListTitle: "Work"
        )
      })
    #expect(try sample.all(Reminder.where { $0.title.eq("Morning sync") }.select(\.remindersListID)) == [2])
    try sample.run(
      ReminderWithList.createTemporaryTrigger(
        "gone",
        insteadOf: .delete { old in
          Reminder.where { $0.title.eq(old.reminderTitle) }.delete()
        }))
    try sample.run(ReminderWithList.where { $0.reminderTitle.eq("Milk") }.delete())
    #expect(try sample.all(Reminder.where { $0.title.eq("Milk") }.count()) == [0])
    try sample.run(ReminderWithList.dropTemporaryTrigger("gone", ifExists: true))
  }

  @Test func `several statements, columns, a condition, and values as literals`() throws {
    let trigger = Reminder.createTrigger(
      "log", ifNotExists: true,
      after: .update(of: { ($0.title, $0.position) }) { old, new in
        RemindersList.unscoped.where { $0.id.eq(new.remindersListID) }.update {
          $0.timestamps.updatedAt = Date(timeIntervalSince1970: 0)
        }
        if Bool(true) {
          Reminder.insert {
            ($0.title, $0.remindersListID)
          } values: {
            (old.title, new.remindersListID)
          }
        }
        Reminder.where { $0.title.in(["a", "it's"]) }.delete()
      } when: { old, new in
        old.title.neq(new.title)
      })
    #expect(
      trigger.sql == """
        CREATE TRIGGER IF NOT EXISTS "log"
        AFTER UPDATE OF "title", "position" ON "reminders"
        FOR EACH ROW WHEN ("old"."title") <> ("new"."title") BEGIN
          UPDATE "remindersLists"
          SET "updatedAt" = '1970-01-01 00:00:00.000'
          WHERE (("remindersLists"."id") = ("new"."remindersListID"));
          INSERT INTO "reminders"
          ("title", "remindersListID")
          VALUES
          ("old"."title", "new"."remindersListID");
          DELETE FROM "reminders"
          WHERE (("reminders"."title") IN (('a'), ('it''s')));
        END
        """)
    #expect(trigger.parameters.isEmpty)
    try sample.run(trigger)
    try sample.run(Reminder.find(1).update { $0.position = 11 })
    #expect(try sample.all(Reminder.count()) == [4])
    try sample.run(Reminder.find(1).update { $0.title = "Oat milk" })
    #expect(try sample.all(Reminder.where { $0.title.eq("Milk") }.count()) == [1])
    #expect(
      try sample.all(RemindersList.where { $0.timestamps.updatedAt.isNot(nil) }.select(\.id)) == [1])
    #expect(trigger.drop(ifExists: true).sql == #"DROP TRIGGER IF EXISTS "log""#)
    try sample.run(trigger.drop())
    try sample.run(Reminder.dropTrigger("log", ifExists: true))
  }

  @Test func `touching writes the moment into the row`() throws {
    let updated = Offer.createTrigger("touched", after: .update(touch: { $0.times = nil }))
    #expect(updated.sql.contains(#"WHERE (("offers"."shop", "offers"."article") = ("new"."shop", "new"."article"))"#))
    let trigger = Reminder.createTemporaryTrigger("touch", after: .update(touch: \.dueDate))
    #expect(
      trigger.sql == """
        CREATE TEMPORARY TRIGGER
          "touch"
        AFTER UPDATE ON "reminders"
        FOR EACH ROW BEGIN
          UPDATE "reminders"
          SET "dueDate" = strftime('%Y-%m-%d %H:%M:%f', 'now')
          WHERE (("reminders"."id") = ("new"."id"));
        END
        """)
    try sample.run(trigger)
    let before = Date()
    try sample.run(Reminder.find(2).update { $0.isCompleted.toggle() })
    let touched = try #require(try sample.all(Reminder.find(2).select(\.dueDate))[0])
    #expect(abs(touched.timeIntervalSince(before)) < 60)
    #expect(try sample.all(Reminder.find(4).select(\.dueDate)) == [nil])
    try sample.run(
      Reminder.createTemporaryTrigger(
        "first", after: .insert(touch: \.dueDate, date: Date(timeIntervalSince1970: 5))))
    try sample.run(Reminder.createTemporaryTrigger("second", after: .insert(touch: { $0.position = 99 })))
    try sample.run(Reminder.dropTemporaryTrigger("touch"))
    try sample.run(Reminder.insert { Reminder.Draft(id: 9, remindersListID: 1) })
    let row = try sample.all(Reminder.find(9))[0]
    #expect(row.position == 99 && row.dueDate == Date(timeIntervalSince1970: 5))
  }

  @Test func `raising stops what is wrong`() throws {
    try sample.run(
      Reminder.createTrigger(
        "guard",
        before: .update { old, new in
          Raise.abort("A reminder's position only grows.").where { new.position < old.position }
          Raise.ignore().where { new.title.eq("same") }
          Raise.fail("it is full").where { new.position > 500 }
          Raise.rollback("never").where { new.position > 900 }
        }))
    #expect {
      try sample.run(Reminder.update { $0.position -= 1 })
    } throws: {
      "\($0)".contains("only grows")
    }
    try sample.run(Reminder.find(1).update { $0.title = "same" })
    #expect(try sample.all(Reminder.find(1).select(\.title)) == ["Milk"])
    #expect {
      try sample.run(Reminder.update { $0.position = 501 })
    } throws: {
      "\($0)".contains("it is full")
    }
    try sample.run(
      Reminder.createTrigger(
        "list",
        before: .insert { new in
          SQLQueryExpression<Int?>(
            Case().when(new.remindersListID > 3, then: Raise.abort("No such list.", as: Int.self)))
        }))
    #expect {
      try sample.run(Reminder.insert { Reminder.Draft(remindersListID: 4) })
    } throws: {
      "\($0)".contains("No such list.")
    }
  }
}
