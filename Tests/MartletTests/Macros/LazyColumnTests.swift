/// Columns that the database fills in, in tables without a key, and in tables all of whose columns are such.
///
/// Always true: what a draft leaves out is not in the INSERT, so the column's own default applies.
import Foundation
import Martlet
import Testing

@Suite struct LazyColumnTests {
  @Table nonisolated struct LogEntry: Equatable {
    @Column(lazyInitializable: true) let createdAt: Date
    var text: String
    @Column(lazyInitializable: true) var level = 1
  }

  @Table(lazyInitializable: true) nonisolated struct Visit: Identifiable, Equatable {
    let id: Int
    let at: Date
    var count = 1
    var note: String?
    var origin: Origin
    @Column(lazyInitializable: false) var page: String

    @Selection nonisolated struct Origin: Equatable {
      var country: String
      var city = ""
    }
  }

  @Table nonisolated struct Ticket: Identifiable, Equatable {
    let id: Int
  }

  private let script = """
    CREATE TABLE "logEntries" (
      "createdAt" TEXT NOT NULL DEFAULT '2026-01-01 00:00:01.000', "text" TEXT NOT NULL, "level" INTEGER NOT NULL DEFAULT 3
    ) STRICT;
    CREATE TABLE "visits" (
      "id" INTEGER PRIMARY KEY, "at" TEXT NOT NULL DEFAULT '2026-01-01 00:00:02.000',
      "count" INTEGER NOT NULL DEFAULT 7, "note" TEXT DEFAULT 'none', "country" TEXT NOT NULL DEFAULT 'CH',
      "city" TEXT NOT NULL DEFAULT 'Bern', "page" TEXT NOT NULL
    ) STRICT;
    CREATE TABLE "tickets" ("id" INTEGER PRIMARY KEY) STRICT;
    """

  @Test(arguments: DatabaseHome.allCases)
  func `a table without a key has drafts where the database fills in a column`(home: DatabaseHome) throws {
    try home.open(script).write { db in
      try LogEntry.insert { LogEntry.Draft(text: "a") }.execute(db)
      try LogEntry.insert {
        LogEntry.Draft(createdAt: Date(5), text: "b", level: 1)
        LogEntry.Draft(createdAt: Date(6), text: "c", level: 2)
      }
      .execute(db)
      try LogEntry.insert { LogEntry(createdAt: Date(7), text: "d") }.execute(db)
      same(
        try LogEntry.order(by: \.text).fetchAll(db),
        [
          LogEntry(createdAt: Date(1), text: "a", level: 3), LogEntry(createdAt: Date(5), text: "b", level: 1),
          LogEntry(createdAt: Date(6), text: "c", level: 2), LogEntry(createdAt: Date(7), text: "d", level: 1),
        ])
      let drafts = try LogEntry.Draft.where { $0.text.eq("a") }.fetchAll(db)
      same(drafts, [LogEntry.Draft(createdAt: Date(1), text: "a", level: 3)])
      same(try LogEntry.insert { LogEntry.Draft(text: "e") }.returning(\.level).fetchOne(db), 3)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a table can leave all that cannot be NULL to the database`(home: DatabaseHome) throws {
    same(
      Visit.insert { Visit.Draft(page: "/") }.sql,
      """
      INSERT INTO "visits"
      ("note", "page")
      VALUES
      (?1, ?2)
      """)
    try home.open(script).write { db in
      try Visit.insert { Visit.Draft(page: "/") }.execute(db)
      try Visit.insert { Visit.Draft(count: 2, note: "x", origin: .init(country: "AT"), page: "/b") }.execute(db)
      same(
        try Visit.order(by: \.id).fetchAll(db),
        [
          Visit(id: 1, at: Date(2), count: 7, note: nil, origin: .init(country: "CH", city: "Bern"), page: "/"),
          Visit(id: 2, at: Date(2), count: 2, note: "x", origin: .init(country: "AT", city: ""), page: "/b"),
        ])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an upsert leaves what its rows do not say`(home: DatabaseHome) throws {
    try home.open(script).write { db in
      let first = Visit(id: 1, at: Date(9), count: 5, note: "x", origin: .init(country: "AT", city: "Wien"), page: "/")
      try Visit.insert { first }.execute(db)
      try Visit.upsert { Visit.Draft(id: 1, count: 6, page: "/b") }.execute(db)
      same(
        try Visit.find(db, key: 1),
        Visit(id: 1, at: Date(9), count: 6, note: nil, origin: .init(country: "AT", city: "Wien"), page: "/b"))
      try Ticket.upsert { Ticket.Draft(id: 4) }.execute(db)
      try Ticket.upsert { Ticket.Draft(id: 4) }.execute(db)
      same(try Ticket.all.fetchAll(db), [Ticket(id: 4)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `drafts that say nothing are rows of defaults`(home: DatabaseHome) throws {
    try home.open(script).write { db in
      try Ticket.insert { Ticket.Draft() }.execute(db)
      try Ticket.insert {
        Ticket.Draft()
        Ticket.Draft()
      }
      .execute(db)
      same(try Ticket.all.fetchAll(db), [Ticket(id: 1), Ticket(id: 2), Ticket(id: 3)])
    }
  }
}
