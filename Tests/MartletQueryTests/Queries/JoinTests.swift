/// Joins in parentheses, and joins over columns that both sides call by one name.
import MartletAST
import MartletQuery
import MartletSQLite
import MartletValues
import Testing

@Suite struct JoinTests {
  enum Other: AliasName {}

  let sample: Sample

  /// Lists 1 to 4; reminders 1, 2 and 4 in list 1, 3 in list 2; notes on reminders 1 and 3.
  init() throws {
    sample = try Sample()
    try sample.run(Note.createTable())
    try sample.run(
      Note.insert {
        Note(id: 1, title: "Milk", notes: "oat")
        Note(id: 3, title: "Draft", notes: "late")
        Note(id: 9, title: "Lost", notes: "none")
      })
  }

  // MARK: Parentheses

  private let noted = Reminder.join(Note.all) { $0.id.eq($1.id) }

  @Test func `a pair is left out as a whole`() throws {
    let lists = RemindersList.unscoped.leftJoinPairs(noted) { list, reminder, _ in
      list.id.eq(reminder.remindersListID)
    }
    .order { list, _, _ in list.id }
    #expect(
      lists.select { ($0.id, $1.title, $2.notes) }.description == """
        SELECT "remindersLists"."id", "reminders"."title", "notes"."notes"
        FROM "remindersLists"
        LEFT JOIN (
          "reminders"
          JOIN "notes" ON ("reminders"."id") = ("notes"."id")
        ) ON ("remindersLists"."id") = ("reminders"."remindersListID")
        ORDER BY "remindersLists"."id"
        """)
    let rows: [(RemindersList, Reminder?, Note?)] = try lists.decode(try sample.run(lists))
    #expect(rows.map(\.0.id) == [1, 2, 3, 4])
    #expect(rows.map(\.1?.title) == ["Milk", "Report", nil, nil])
    #expect(rows.map(\.2?.notes) == ["oat", "late", nil, nil])
    // From left to right it would be another query: one with every reminder.
    let flat = RemindersList.unscoped.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
      .leftJoin(Note.all) { _, reminder, note in reminder.id.eq(note.id) }
    #expect(try sample.run(flat.select { list, _, _ in list.id }).rowCount == 6)
  }

  @Test func `what is optional within the parentheses stays so`() throws {
    let query = RemindersList.joinPairs(Reminder.leftJoin(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
      list.id.eq(reminder.remindersListID)
    }
    .order { _, reminder, _ in reminder.id }
    let rows: [(RemindersList, Reminder, Note?)] = try query.decode(try sample.run(query))
    #expect(rows.map(\.1.id) == [1, 2, 3, 4] && rows.map(\.2?.id) == [1, nil, 3, nil])
  }

  @Test func `every pair, and every row and every pair`() throws {
    let every = RemindersList.unscoped.rightJoinPairs(noted) { list, reminder, _ in
      list.id.eq(reminder.remindersListID) && list.id > 1
    }
    .order { _, reminder, _ in reminder.id }.select { ($0.id, $2.notes) }
    let pairs: [(Int?, String)] = try every.decode(try sample.run(every))
    #expect(pairs.map(\.0) == [nil, 2] && pairs.map(\.1) == ["oat", "late"])
    let full = RemindersList.unscoped.fullJoinPairs(noted) { list, reminder, _ in
      list.id.eq(reminder.remindersListID) && list.id > 1
    }
    .select { ($0.id, $1.title, $2.notes) }
    let rows: [(Int?, String?, String?)] = try full.decode(try sample.run(full))
    let texts = rows.map { list, title, _ in "\(list ?? 0) \(title ?? "-")" }
    #expect(texts.sorted() == ["0 Milk", "1 -", "2 Report", "3 -", "4 -"])
  }

  // MARK: USING

  @Test func `columns of one name are shared`() throws {
    let query = Reminder.leftJoin(Note.all) { using($0.id, $1.id) && using($0.title, $1.title) }
      .order { reminder, _ in reminder.id }.select { ($0.id, $1.notes) }
    #expect(
      query.description == """
        SELECT "reminders"."id", "notes"."notes"
        FROM "reminders"
        LEFT JOIN "notes" USING ("id", "title")
        ORDER BY "reminders"."id"
        """)
    let rows: [(Int, String?)] = try query.decode(try sample.run(query))
    #expect(rows.map(\.0) == [1, 2, 3, 4] && rows.map(\.1) == ["oat", nil, nil, nil])
  }

  @Test func `each side keeps its own column, also where both may be missing`() throws {
    let query = Reminder.fullJoin(Note.all) { using($0.id, $1.id) }.select { ($0.id, $1.id) }
    let rows: [(Int?, Int?)] = try query.decode(try sample.run(query))
    #expect(rows.filter { $0.0 == nil }.map(\.1) == [9])
    #expect(rows.filter { $0.1 == nil }.compactMap(\.0).sorted() == [2, 4])
  }

  @Test func `what USING cannot say is a condition with the same rows`() throws {
    let others = Reminder.join(RemindersList.all) { using($0.remindersListID, $1.id) }
    #expect(others.sql.contains("ON (\"reminders\".\"remindersListID\") = (\"remindersLists\".\"id\")"))
    // USING would compare with the first table that has the column, which is not the one that is meant.
    let third = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.join(Note.all) { _, list, note in
      using(list.id, note.id)
    }
    #expect(third.sql.contains("ON (\"remindersLists\".\"id\") = (\"notes\".\"id\")"))
    #expect(try sample.run(third.select { reminder, _, _ in reminder.id }).rowCount == 3)
    let more = Reminder.join(Note.all) { using($0.id, $1.id) && $0.id > 1 }
    #expect(try sample.all(more.select { $1.notes }) == ["late"] && !more.sql.contains("USING"))
    #expect(try sample.all(Reminder.where { using($0.id, $0.remindersListID) }.select(\.id)) == [1])
    let itself = Reminder.join(Note.all) { using($0.id, $0.id) && $1.id.eq(9) }
    #expect(try sample.run(itself).rowCount == 4)
    let aliased = Reminder.join(Reminder.as(Other.self).all) { using($0.id, $1.id) }
    #expect(aliased.sql.contains("AS \"others\" USING (\"id\")"))
    #expect(try sample.run(aliased).rowCount == 4)
  }

  // MARK: Columns that nobody counted

  @Test func `a star is every column of the database`() throws {
    let some = Reminder.where { reminder in Note.where { $0.id.eq(reminder.id) }.select { $0.star }.exists() }
    #expect(some.sql.contains("SELECT \"notes\".*\n"))
    #expect(try sample.all(some.select(\.id)) == [1, 3])
    _ = try sample.connection.prepare("ALTER TABLE \"notes\" ADD COLUMN \"unknown\" INTEGER DEFAULT 7").step()
    let both = Reminder.join(Note.all) { using($0.id, $1.id) }.select { ($0.id, $1.star) }
    #expect(try sample.run(both).columns.count == 5)
    try sample.run(SQLQueryExpression("CREATE TABLE copies AS \(Note.select { $0.star })", as: Int.self))
    #expect(try sample.all(SQLQueryExpression("SELECT unknown FROM copies WHERE id = 9", as: Int.self)) == [7])
    #expect(Note.as(Other.self).select { $0.star }.sql == "SELECT \"others\".*\nFROM \"notes\" AS \"others\"")
    #expect(Note.delete().returning { $0.star }.sql.hasSuffix("RETURNING *"))
    #expect(Note.group { $0.star }.built.failure != nil)
  }
}
