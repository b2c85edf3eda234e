/// Conflicts as labelled closures of `insert`, for every kind of rows; upserts; what `or:` does.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite
import Testing

@Suite struct ConflictTests {
  let sample: Sample
  init() throws {
    sample = try Sample()
    _ = try sample.connection.prepare(
      "CREATE UNIQUE INDEX \"open\" ON \"reminders\" (\"title\", \"position\") WHERE \"isCompleted\""
    ).step()
  }

  private func title(_ id: Int) throws -> String? { try sample.all(Reminder.find(id).select(\.title)).first }

  private enum Target: AliasName {}

  @Test func `a row has a name of its own, apart from the rows of a subquery`() throws {
    let insert = Reminder.as(Target.self).insert {
      ($0.id, $0.title)
    } values: {
      (1, "Cream")
    }
    .onConflict {
      $0.id
    } doUpdate: { target, excluded in
      let list = Reminder.where { $0.remindersListID.eq(target.remindersListID) }
      target.position = list.select { $0.position.max() } ?? 0
      target.title = excluded.title
    } where: { target, _ in
      target.position < 100
    }
    #expect(insert.sql.hasPrefix("INSERT INTO \"reminders\" AS \"targets\"\n"))
    #expect(try sample.all(insert.returning(\.title)) == ["Cream"])
    #expect(try sample.all(Reminder.find(1).select(\.position)) == [40])
  }

  @Test func `rows and drafts in one block are upserted`() throws {
    let row = Reminder(id: 1, title: "A", position: 1, remindersListID: 1)
    let draft = Reminder.Draft(title: "New", remindersListID: 1)
    let found = try sample.all(Reminder.all).count
    try sample.run(
      Reminder.upsert {
        row
        if found > 0 { draft }
        [Reminder.Draft(id: 2, title: "B", remindersListID: 1)]
      })
    #expect(try title(1) == "A")
    #expect(try title(2) == "B")
    #expect(try sample.all(Reminder.where { $0.title.eq("New") }).count == 1)
    #expect(try sample.all(Reminder.all).count == found + 1)
  }

  @Test func `rows and drafts are upserted under conditions`() throws {
    try sample.run(
      Reminder.insert {
        Reminder(id: 1, title: "A", position: 1, remindersListID: 1)
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.title = $1.title + "!"
      } where: {
        $0.id < 2 && $1.position.eq(1)
      })
    #expect(try title(1) == "A!")
    try sample.run(
      Reminder.insert {
        Reminder.Draft(id: 1, title: "B", remindersListID: 1)
      } onConflict: { columns in
        columns.id
      } doUpdate: { row, excluded in
        row.title = excluded.title
        row.position = excluded.position
      })
    #expect(try title(1) == "B")
    try sample.run(
      Reminder.insert {
        Reminder.Draft(id: 1, title: "C", remindersListID: 1)
      } onConflictDoUpdate: {
        $0.title = "seen"
      })
    #expect(try title(1) == "seen")
    try sample.run(
      Reminder.insert {
        Reminder(id: 1, title: "D", remindersListID: 1)
      } onConflictDoUpdate: {
        $0.title = $1.title
      } where: {
        $0.title.neq($1.title)
      })
    #expect(try title(1) == "D")
    let nothing = Reminder.insert {
      Reminder(id: 1, title: "E", remindersListID: 1)
    } onConflictDoUpdate: { _, _ in
    }
    #expect(nothing.sql.hasSuffix("ON CONFLICT DO NOTHING"))
    try sample.run(nothing)
    #expect(try title(1) == "D")
  }

  @Test func `a closure that assigns nothing does nothing, whatever its condition is`() throws {
    let row = Reminder(id: 1, title: "E", remindersListID: 1)
    let nothing: [InsertOf<Reminder>] = [
      Reminder.insert {
        row
      } onConflictDoUpdate: { _ in
      },
      Reminder.insert {
        row
      } onConflictDoUpdate: { _ in
      } where: {
        $0.id > 0
      },
      Reminder.insert { row }.onConflictDoUpdate { _, _ in },
      Reminder.insert {
        row
      } onConflict: {
        $0.id
      } doUpdate: { _ in
      } where: {
        $0.id > 0
      },
      Reminder.insert {
        row
      } onConflict: {
        $0.id
      } where: {
        $0.isCompleted
      } doUpdate: { _, _ in
      } where: { row, excluded in
        row.title.neq(excluded.title)
      },
    ]
    for insert in nothing {
      #expect(insert.sql.hasSuffix("DO NOTHING"), "\(insert)")
      try sample.run(insert)
    }
    #expect(try title(1) == "Milk")
  }

  @Test func `a partial index has its own filter`() throws {
    let upsert = Reminder.insert {
      Reminder(id: 77, title: "Bread", isCompleted: true, position: 20, remindersListID: 2)
    } onConflict: {
      ($0.title, $0.position)
    } where: {
      $0.isCompleted
    } doUpdate: {
      $0.remindersListID = $1.remindersListID
    } where: {
      $0.remindersListID.neq($1.remindersListID)
    }
    #expect(
      upsert.description.hasSuffix(
        """
        ON CONFLICT ("title", "position")
        WHERE ("isCompleted")
        DO UPDATE SET "remindersListID" = "excluded"."remindersListID"
        WHERE (("reminders"."remindersListID") <> ("excluded"."remindersListID"))
        """))
    try sample.run(upsert)
    #expect(try sample.all(Reminder.find(2).select(\.remindersListID)) == [2])
  }

  @Test func `values of chosen columns, and a query's rows`() throws {
    let rows = [(1, "X"), (9, "Y")]
    try sample.run(
      Reminder.insert {
        ($0.id, $0.title)
      } values: {
        rows.map { ($0.0, $0.1) }
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.title = $1.title
      })
    #expect(try title(1) == "X" && title(9) == "Y")
    try sample.run(
      Reminder.insert {
        $0.id
      } values: {
        1
      } onConflictDoUpdate: {
        $0.title += "."
      })
    #expect(try title(1) == "X.")
    try sample.run(
      Reminder.insert {
        ($0.id, $0.title)
      } select: {
        RemindersList.select { ($0.id, $0.title) }
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.title = $1.title
      })
    #expect(try title(1) == "Home" && title(3) == "Empty")
    try sample.run(
      Reminder.insert {
        $0.id
      } select: {
        RemindersList.select(\.id)
      } onConflictDoUpdate: {
        $0.position = 0
      })
    #expect(try sample.all(Reminder.where { $0.position.eq(0) }.count()) == [4])
  }

  @Test func `upserts, defaults and resolutions`() throws {
    let upsert = Reminder.upsert { Reminder.Draft(id: 2, title: "U", remindersListID: 1) }.returning(\.title)
    #expect(try sample.all(upsert) == ["U"])
    try sample.run(Reminder.upsert { Reminder.Draft(title: "New", remindersListID: 1) })
    #expect(try title(5) == "New")
    try sample.run(Reminder.insert())
    #expect(try title(6) == "")
    try sample.run(Reminder.insert(or: .ignore) { Reminder(id: 6, title: "x", remindersListID: 1) })
    #expect(try title(6) == "")
    try sample.run(RemindersList.find(1).update(or: .replace) { $0.title = "Work" })
    #expect(try sample.all(RemindersList.where { $0.title.eq("Work") }.select(\.id)) == [1])
    #expect(Reminder.update(or: .fail) { $0.title = "x" }.sql.hasPrefix("UPDATE OR FAIL"))
  }
}
