/// A program of lists, reminders and tags as other libraries' programs have it: scopes that join, triggers that keep
/// positions and an index of texts, a search, counts of everything, and rows that are put in another order.
import Foundation
import Martlet
import Testing

@Suite struct PortedRemindersTests {
  private typealias RemindersList = Todo.RemindersList
  private typealias Reminder = Todo.Reminder
  private typealias ReminderTag = Todo.ReminderTag
  private typealias ReminderText = Todo.ReminderText
  private typealias Tag = Todo.Tag

  private func open(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.open(Todo.script, temporary: Todo.triggers)
    try database.write { db in
      try db.seed {
        RemindersList.Draft(id: 1, title: "Personal")
        RemindersList.Draft(id: 2, title: "Work")
        RemindersList.Draft(id: 3, title: "Empty")
        Reminder(id: 1, dueDate: Date(0), notes: "Milk\nEggs", remindersListID: 1, title: "Groceries")
        Reminder(id: 2, dueDate: Date(90_000), isFlagged: true, priority: .high, remindersListID: 1, title: "Haircut")
        Reminder(id: 3, isCompleted: true, notes: "Ask", remindersListID: 2, title: "Call accountant")
        Reminder(id: 4, dueDate: Date(900_000), priority: .low, remindersListID: 2, title: "Send weekly emails")
        Tag(title: "car")
        Tag(title: "kids")
        Tag(title: "someday")
        ReminderTag.Draft(reminderID: 1, tagID: "kids")
        ReminderTag.Draft(reminderID: 1, tagID: "car")
        ReminderTag.Draft(reminderID: 4, tagID: "car")
      }
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `triggers keep positions, the last list and the texts that are searched`(_ home: DatabaseHome) throws {
    try open(home).write { db in
      same(try RemindersList.order(by: \.id).select(\.position).fetchAll(db), [1, 2, 3])
      same(try Reminder.order(by: \.id).select(\.position).fetchAll(db), [1, 2, 3, 4])
      let texts = ReminderText.order { $0.rowid }.select { ($0.rowid, $0.notes + "|" + $0.tags) }
      same(try texts.fetchAll(db).map(\.1), ["Milk Eggs|#kids #car", "|", "Ask|", "|#car"])
      try Reminder.find(2).update { $0.notes = "a\nb" }.execute(db)
      try ReminderTag.where { $0.reminderID.eq(1) && $0.tagID.eq("kids") }.delete().execute(db)
      same(try texts.fetchAll(db).map(\.1), ["Milk Eggs|#car", "a b|", "Ask|", "|#car"])
      try Reminder.find(3).delete().execute(db)
      same(try texts.fetchAll(db).map(\.0), [1, 2, 4])
      try RemindersList.find([1, 3]).delete().execute(db)
      same(try RemindersList.select(\.title).fetchAll(db), ["Work"])
      try RemindersList.delete().execute(db)
      same(try RemindersList.select(\.title).fetchAll(db), ["Personal"])
      same(try Reminder.fetchCount(db), 0)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows of lists and of everything are put together`(_ home: DatabaseHome) throws {
    try open(home).read { db in
      let rows = try Reminder.where { !$0.isCompleted }
        .withTags
        .order { reminder, _, _ in reminder.isCompleted }
        .order { reminder, _, _ in (reminder.priority.desc(), reminder.isFlagged.desc()) }
        .join(RemindersList.all) { $0.remindersListID.eq($3.id) }
        .select {
          Todo.Row.Columns(
            isPastDue: $0.isPastDue, notes: $0.inlineNotes.substr(0, 200), reminder: $0, remindersList: $3,
            tags: #sql("\($2.jsonTitles)"))
        }
        .fetchAll(db)
      same(rows.map(\.id), [2, 4, 1])
      same(rows.map(\.isPastDue), [false, false, true])
      same(rows.map { $0.tags.sorted() }, [[], ["car"], ["car", "kids"]])
      same(rows.map(\.notes), ["", "", "Milk Eggs"])
      same(rows.map(\.remindersList.title), ["Personal", "Work", "Personal"])
      let stats = try Reminder.select {
        Todo.Stats.Columns(
          allCount: $0.count(filter: !$0.isCompleted), flaggedCount: $0.count(filter: $0.isFlagged && !$0.isCompleted),
          scheduledCount: $0.count(filter: $0.isScheduled), todayCount: $0.count(filter: $0.isToday))
      }.fetchOne(db)
      same(stats, Todo.Stats(allCount: 3, flaggedCount: 1, scheduledCount: 3, todayCount: 1))
      let lists = try RemindersList.group(by: \.id).order(by: \.position)
        .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) && !$1.isCompleted }
        .select { Todo.ListState.Columns(remindersCount: $1.id.count(), remindersList: $0) }
        .fetchAll(db)
      same(lists.map(\.remindersCount), [2, 1, 0])
      same(lists.map(\.remindersList.id), [1, 2, 3])
      let tags = try Tag.withReminders.having { $2.count() > 0 }.order { tag, _, reminder in
        (reminder.count().desc(), tag.title)
      }.select { tag, _, _ in tag }.fetchAll(db)
      same(tags.map(\.title), ["car", "kids"])
      let others = try Tag.withReminders.having { $2.count().eq(0) }.select { tag, _, _ in tag.title
      }
      .fetchAll(db)
      same(others, ["someday"])
    }
  }

  private func search(_ text: String, tags: [String] = [], completed: Bool = false) -> Select<
    (ReminderText, Reminder), Tables2<ReminderText, Reminder>
  > {
    ReminderText.where {
      for tag in tags { $0.tags.match("#" + tag) }
      if !text.isEmpty { $0.match(text) }
    }
    .join(Reminder.all) { $0.rowid.eq($1.id) }
    .where { completed || !$1.isCompleted }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a search finds reminders by their texts and tags, and deletes what it finds`(_ home: DatabaseHome) throws {
    try open(home).write { db in
      let found = try search("car").order { text, _ in text.rowid }
        .join(RemindersList.all) { $1.remindersListID.eq($2.id) }
        .select {
          Todo.Found.Columns(
            id: $1.id, title: $0.title.highlight("**", "**") ?? "", tags: $0.tags.highlight("[", "]") ?? "", list: $2)
        }
        .fetchAll(db)
      same(found.map(\.id), [1, 4])
      same(found.map(\.tags), ["#kids #[car]", "#[car]"])
      same(found.map(\.list.title), ["Personal", "Work"])
      same(try search("", tags: ["car", "kids"]).select { $1.id }.fetchAll(db), [1])
      same(try search("Hair").select { text, _ in text.title.snippet("<", ">", "…", 10) }.fetchAll(db), ["<Hair>cut"])
      same(try search("acc").fetchCount(db), 0)
      let completed = search("acc", completed: true)
      same(try completed.count().fetchOne(db), 1)
      try Reminder.where { $0.isCompleted && $0.id.in(completed.select { $1.id }) }.delete().execute(db)
      same(try Reminder.order(by: \.id).select(\.id).fetchAll(db), [1, 2, 4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows are moved, saved and tagged anew`(_ home: DatabaseHome) throws {
    try open(home).write { db in
      let ids = [3, 1, 2].enumerated().map { ($0.element, $0.offset) }
      try RemindersList.where { $0.id.in(ids.map(\.0)) }.update {
        let (first, rest) = (ids.first!, ids.dropFirst())
        $0.position =
          rest.reduce(Case($0.id).when(first.0, then: first.1)) { cases, id in cases.when(id.0, then: id.1) }
          .else($0.position)
      }.execute(db)
      same(try RemindersList.order(by: \.position).select(\.id).fetchAll(db), [3, 1, 2])
      let draft = Reminder.Draft(isFlagged: true, remindersListID: 3, title: "New")
      let id = try Reminder.upsert { draft }.returning(\.id).fetchOne(db) ?? 0
      same(id, 5)
      var edited = Reminder.Draft(try Reminder.find(db, key: id))
      edited.title = "Newer"
      edited.priority = .medium
      same(try Reminder.upsert { edited }.returning(\.id).fetchOne(db), 5)
      let row = try Reminder.find(db, key: 5)
      same(row.title, "Newer")
      same(row.isFlagged, true)
      try ReminderTag.where { $0.reminderID.eq(id) }.delete().execute(db)
      try ReminderTag.insert {
        ["kids", "someday"].map { ReminderTag.Draft(reminderID: id, tagID: $0) }
      }.execute(db)
      same(try ReminderText.find(rowid: 5, db), "#kids #someday")
      try Tag.find("kids").update { $0.title = "children" }.execute(db)
      let tags = ReminderTag.where { $0.reminderID.eq(id) }.order(by: \.tagID).select(\.tagID)
      same(try tags.fetchAll(db), ["children", "someday"])
      try Tag.find("children").delete().execute(db)
      same(try tags.fetchAll(db), ["someday"])
    }
  }
}

extension Todo.ReminderText {
  fileprivate static func find(rowid: Int, _ db: Database) throws -> String? {
    try Self.where { $0.rowid.eq(rowid) }.select(\.tags).fetchOne(db)
  }
}
