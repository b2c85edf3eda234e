/// What `@Table` expands to, used to build statements.
import Foundation
import Martlet
import MartletAST
import Testing

@Suite struct FormsTests {
  @Test func `names of tables and columns`() {
    #expect(Forms.Reminder.tableName == "reminders")
    #expect(Forms.RemindersList.tableName == "remindersLists")
    #expect(Forms.Tag.tableName == "tag_names")
    #expect(Forms.Tag.schemaName == "main")
    #expect(Forms.Person.tableName == "persons")
    #expect(FileOnly.tableName == "mouses")
    #expect(Forms.ReminderWithList.tableName == "reminderWithLists")
    #expect(Forms.Box<Int>.tableName == "boxes")
    #expect(
      Forms.RemindersList.TableColumns.allColumns.map(\.name) == [
        "id", "title", "createdAt", "updatedAt", "archived_at", "by", "watched",
      ])
    #expect(
      Forms.Tag.TableColumns.allColumns.map(\.name) == [
        "title", "is_hidden", "words", "seenAt", "letters", "createdAt",
      ])
    #expect(Forms.Tag.TableColumns.allColumns.filter(\.isPrimaryKey).map(\.name) == ["title"])
    #expect(Forms.Tag.TableColumns.allColumns.filter(\.isGenerated).map(\.name) == ["letters"])
    #expect(Forms.Enrollment.TableColumns.allColumns.filter(\.isPrimaryKey).map(\.name) == ["studentID", "courseID"])
    #expect(Forms.RemindersList.columnWidth == 7)
    #expect(Forms.Box<Int>.TableColumns.allColumns.map(\.name) == ["id", "value", "other", "parentID"])
  }

  @Test func `columns stand in queries`() {
    #expect(
      Forms.Reminder.where { $0.isUrgent && $0.status.eq(.done) && $0.weight > 1 }.select(\.title).sql == """
        SELECT "reminders"."title"
        FROM "reminders"
        WHERE (("reminders"."priority") = (?1)) AND (NOT ("reminders"."isCompleted")) AND \
        (("reminders"."status") = (?2)) AND (("reminders"."weight") > (?3))
        """)
    #expect(
      Forms.RemindersList.where { $0.timestamps.createdAt <= Date(timeIntervalSince1970: 0) }.select(\.id).sql == """
        SELECT "remindersLists"."id"
        FROM "remindersLists"
        WHERE (("remindersLists"."createdAt") <= (?1))
        """)
    #expect(
      Forms.RemindersList.where { $0.archived.archivedAt.isNot(nil) }.select(\.timestamps).sql == """
        SELECT "remindersLists"."createdAt", "remindersLists"."updatedAt"
        FROM "remindersLists"
        WHERE (("remindersLists"."archived_at") IS NOT (NULL))
        """)
    #expect(
      Forms.Enrollment.find(Forms.Enrollment.ID(studentID: 1, courseID: 2)).select(\.grade).sql == """
        SELECT "enrollments"."grade"
        FROM "enrollments"
        WHERE (("enrollments"."studentID", "enrollments"."courseID") = (?1, ?2))
        """)
    #expect(Forms.Tag.find("swift").select(\.isHidden).parameters == [.text("swift")])
    #expect(Forms.Person.where { $0.class.eq("y") }.sql.contains(#"("persons"."class") = (?1)"#))
    #expect(FileOnly.sql.contains(#"("mouses"."size") = (?1)"#))
    #expect(Forms.Box<String>.where { $0.value.eq("x") }.select(\.other).parameters == [.text("x")])
    #expect(Forms.ReminderText.where { $0.match("milk") }.sql.contains("MATCH"))
  }

  @Test func `rows and drafts are inserted`() {
    #expect(
      Forms.Reminder.insert { Forms.Reminder.Draft(title: "Milk", remindersListID: 1) }.sql == """
        INSERT INTO "reminders"
        ("title", "isCompleted", "priority", "dueDate", "position", "weight", "status", "remindersListID")
        VALUES
        (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    #expect(
      Forms.Reminder.insert { Forms.Reminder.Draft(id: 3, title: "Milk", remindersListID: 1) }.parameters == [
        .integer(3), .text("Milk"), .integer(0), .null, .null, .integer(0), .real(-1.5), .text("open"), .integer(1),
      ])
    #expect(
      Forms.Tag.insert { Forms.Tag.Draft(title: "swift", words: ["a"]) }.sql == """
        INSERT INTO "main"."tag_names"
        ("title", "is_hidden", "words", "seenAt")
        VALUES
        (?1, ?2, ?3, ?4)
        """)
    #expect(
      Forms.Event.insert { Forms.Event.Draft(name: "x") }.sql == """
        INSERT INTO "events"
        ("name")
        VALUES
        (?1)
        """)
    #expect(
      Forms.Event.insert { Forms.Event.Draft(at: Date(timeIntervalSince1970: 0), name: "x") }.parameters.count == 2)
  }

  @Test func `drafts have what their tables have`() {
    let draft = Forms.Reminder.Draft(title: "Milk", remindersListID: 1)
    let row = Forms.Reminder(id: 1, title: "Milk", remindersListID: 1)
    var other = Forms.Reminder.Draft(row)
    other.id = nil
    #expect(draft == other)
    #expect(Set([draft, other]).count == 1)
    #expect(Forms.Reminder.Draft(row).id == 1)
  }

  @Test func `rows of a query`() {
    #expect(
      Forms.Reminder.join(Forms.RemindersList.all) { $0.remindersListID.eq($1.id) }
        .select { Forms.ReminderWithList.Columns(reminderTitle: $0.title, remindersListTitle: $1.title) }.sql == """
          SELECT "reminders"."title" AS "reminderTitle", "remindersLists"."title" AS "remindersListTitle"
          FROM "reminders"
          JOIN "remindersLists" ON ("reminders"."remindersListID") = ("remindersLists"."id")
          """)
    let query = Forms.Reminder.leftJoin(Forms.RemindersList.all) { $0.remindersListID.eq($1.id) }.select {
      Forms.Joined.Columns(
        reminder: $0, list: $1, isUrgent: $0.isUrgent,
        timestamps: Forms.Timestamps.Columns(createdAt: Date(timeIntervalSince1970: 0), updatedAt: $0.dueDate))
    }
    #expect(query.sql.contains(#"?2 AS "tags", ?3 AS "createdAt", "reminders"."dueDate" AS "updatedAt""#))
    #expect(Forms.Reminder.Selection.self == Forms.Reminder.Columns.self)
  }
}
