/// The tables, rows and triggers of a program of lists, reminders and tags.
import Foundation
import Martlet

enum Todo {
  enum Priority: Int, QueryBindable { case low = 1, medium, high }

  @Table struct RemindersList: Hashable, Identifiable {
    let id: Int
    var position = 0
    var title = ""
  }

  @Table struct Reminder: Hashable, Identifiable {
    let id: Int
    var dueDate: Date?
    var isCompleted = false
    var isFlagged = false
    var notes = ""
    var position = 0
    var priority: Priority?
    var remindersListID: RemindersList.ID
    var title = ""
  }

  @Table struct Tag: Hashable, Identifiable {
    @Column(primaryKey: true) var title: String
    var id: String { title }
  }

  @Table("remindersTags") struct ReminderTag: Hashable, Identifiable {
    let id: Int
    var reminderID: Reminder.ID
    var tagID: Tag.ID
  }

  @Table struct ReminderText: FTS5 {
    let rowid: Int
    let title: String
    let notes: String
    let tags: String
  }

  @Selection struct Row: Identifiable {
    var id: Reminder.ID { reminder.id }
    let isPastDue: Bool
    let notes: String
    let reminder: Reminder
    let remindersList: RemindersList
    @Column(as: [String].JSONRepresentation.self) let tags: [String]
  }

  @Selection struct Found: Equatable {
    let id: Int
    let title: String
    let tags: String
    let list: RemindersList
  }

  @Selection struct Stats: Equatable {
    var allCount = 0
    var flaggedCount = 0
    var scheduledCount = 0
    var todayCount = 0
  }

  @Selection struct ListState: Equatable {
    let remindersCount: Int
    let remindersList: RemindersList
  }

  static let script = """
    CREATE TABLE "remindersLists" ("id" INTEGER PRIMARY KEY, "position" INTEGER NOT NULL DEFAULT 0, "title" TEXT NOT
    NULL DEFAULT '') STRICT;
    CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "dueDate" TEXT, "isCompleted" INTEGER NOT NULL DEFAULT 0,
    "isFlagged" INTEGER NOT NULL DEFAULT 0, "notes" TEXT NOT NULL DEFAULT '', "position" INTEGER NOT NULL DEFAULT 0,
    "priority" INTEGER, "remindersListID" INTEGER NOT NULL REFERENCES "remindersLists"("id") ON DELETE CASCADE,
    "title" TEXT NOT NULL DEFAULT '') STRICT;
    CREATE TABLE "tags" ("title" TEXT PRIMARY KEY COLLATE NOCASE NOT NULL) STRICT;
    CREATE TABLE "remindersTags" ("id" INTEGER PRIMARY KEY, "reminderID" INTEGER NOT NULL REFERENCES
    "reminders"("id") ON DELETE CASCADE, "tagID" TEXT NOT NULL REFERENCES "tags"("title") ON DELETE CASCADE ON UPDATE
    CASCADE) STRICT;
    CREATE VIRTUAL TABLE "reminderTexts" USING fts5("title", "notes", "tags", tokenize = 'trigram');
    """

  static let triggers: @Sendable (Database) throws -> Void = { db in
    try RemindersList.createTemporaryTrigger(
      "list_position",
      after: .insert { new in
        RemindersList.find(new.id).update {
          $0.position = RemindersList.select { ($0.position.max() ?? -1) + 1 }
        }
      }
    ).execute(db)
    try Reminder.createTemporaryTrigger(
      "reminder_position",
      after: .insert { new in
        Reminder.find(new.id).update { $0.position = Reminder.select { ($0.position.max() ?? -1) + 1 } }
      }
    ).execute(db)
    try RemindersList.createTemporaryTrigger(
      "last_list",
      after: .delete { _ in
        RemindersList.insert { RemindersList.Draft(title: "Personal") }
      } when: { _ in
        !RemindersList.exists()
      }
    ).execute(db)
    try Reminder.createTemporaryTrigger(
      "text_insert",
      after: .insert { new in
        ReminderText.insert {
          ReminderText.Columns(rowid: new.id, title: new.title, notes: new.notes.replace("\n", " "), tags: "")
        }
      }
    ).execute(db)
    try Reminder.createTemporaryTrigger(
      "text_update",
      after: .update {
        ($0.title, $0.notes)
      } forEachRow: { _, new in
        ReminderText.where { $0.rowid.eq(new.id) }.update {
          $0.title = new.title
          $0.notes = new.notes.replace("\n", " ")
        }
      }
    ).execute(db)
    try Reminder.createTemporaryTrigger(
      "text_delete", after: .delete { old in ReminderText.where { $0.rowid.eq(old.id) }.delete() }
    ).execute(db)
    for (name, operation) in [("tag_insert", true), ("tag_delete", false)] {
      if operation {
        try ReminderTag.createTemporaryTrigger(name, after: .insert { new in index(new.reminderID) }).execute(db)
      } else {
        try ReminderTag.createTemporaryTrigger(name, after: .delete { old in index(old.reminderID) }).execute(db)
      }
    }
  }

  private static func index(_ reminder: some QueryExpression<Int>) -> UpdateOf<ReminderText> {
    ReminderText.where { $0.rowid.eq(reminder) }.update {
      $0.tags =
        ReminderTag.where { $0.reminderID.eq(reminder) }
        .join(Tag.all) { $0.tagID.eq($1.primaryKey) }
        .select { ("#" + $1.title).groupConcat(" ") ?? "" }
    }
  }
}

extension Todo.Reminder {
  static let incomplete = Self.where { !$0.isCompleted }
  static let withTags = group(by: \.id)
    .leftJoin(Todo.ReminderTag.all) { $0.id.eq($1.reminderID) }
    .leftJoin(Todo.Tag.all) { $1.tagID.eq($2.primaryKey) }
}

extension Todo.Tag {
  static let withReminders = group(by: \.primaryKey)
    .leftJoin(Todo.ReminderTag.all) { $0.primaryKey.eq($1.tagID) }
    .leftJoin(Todo.Reminder.all) { $1.reminderID.eq($2.id) }
}

extension Todo.Reminder.TableColumns {
  var isPastDue: some QueryExpression<Bool> {
    !isCompleted && #sql("coalesce(date(\(dueDate)) < date('2026-01-02'), 0)")
  }
  var isToday: some QueryExpression<Bool> {
    !isCompleted && #sql("coalesce(date(\(dueDate)) = date('2026-01-02'), 0)")
  }
  var isScheduled: some QueryExpression<Bool> { !isCompleted && dueDate.isNot(nil) }
  var inlineNotes: some QueryExpression<String> { notes.replace("\n", " ") }
}

extension Todo.Tag?.TableColumns {
  var jsonTitles: some QueryExpression<[String].JSONRepresentation> {
    (self.title ?? "").jsonGroupArray(distinct: true, filter: self.title.isNot(nil))
  }
}
