/// Queries whose parts other libraries let programs say in any order, and fragments of SQL.
import Foundation
import Martlet
import Testing

@Suite struct PortedChainTests {
  typealias Reminder = Port.Reminder
  typealias List = Port.List

  @Table struct Span: Equatable {
    let id: Int
    var times: Times
    var planned: Times?
    var kind: Kind
    var other: Kind

    @Selection struct Times: Equatable {
      var start: Int
      var end: Int?
    }
    @Selection enum Kind: Equatable {
      case work(Int)
      case rest(String)
    }
  }

  private static let spans = """
    CREATE TABLE "spans" ("id" INTEGER PRIMARY KEY, "start" INTEGER NOT NULL, "end" INTEGER, "start:1" INTEGER, "end:1"
    INTEGER, "work" INTEGER, "rest" TEXT, "work:1" INTEGER, "rest:1" TEXT);
    INSERT INTO "spans" VALUES (1, 1, 2, 3, NULL, 5, NULL, NULL, 'x');
    """

  @Test(arguments: DatabaseHome.allCases)
  func `columns are chosen one after the other, one or several at a time`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let first = Reminder.find([1, 4]).order(by: \.id).select(\.id)
      same(
        try first.select { ($0.title, $0.isFlagged) }.fetchAll(db).map { "\($0)" },
        ["(1, \"Milk\", true)", "(4, \"Don\\'t\", false)"])
      same(
        try first.select { ($0.title, $0.isFlagged) }.select { ($0.listID, $0.priority) }.select(\.isCompleted)
          .fetchAll(db)
          .map { "\($0.0) \($0.1) \($0.2) \($0.3) \($0.4 == .high) \($0.5)" },
        ["1 Milk true 1 true false", "4 Don't false 2 false false"])
      let joined = List.join(Reminder.all) { $0.id.eq($1.listID) }.order { $1.id }
      same(
        try joined.select { list, _ in list.name }.select { ($1.title, $1.id) }.fetchAll(db).map {
          "\($0.0) \($0.1) \($0.2)"
        },
        ["Shop Milk 1", "Shop Bread 2", "Home Eggs 3", "Home Don't 4"])
      same(
        try joined.select { ($0.name, $1.title) }.select { ($1.id, $0.id) }.limit(1).fetchAll(db)
          .map { "\($0.0) \($0.1) \($0.2) \($0.3)" }, ["Shop Milk 1 1"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `queries of a table are added to one another`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let flagged = Reminder.where(\.isFlagged)
      same(try (flagged + Reminder.where(\.isCompleted)).select(\.id).fetchAll(db), [3])
      let byTitle = Reminder.order(by: \.title)
      same(try (flagged + byTitle).select(\.id).fetchAll(db), [3, 1])
      same(try (byTitle + flagged).select(\.id).fetchAll(db), [3, 1])
      same(try (byTitle + Reminder.limit(2)).select(\.id).fetchAll(db), [2, 4])
      same((byTitle + Reminder.limit(2)).sql, byTitle.limit(2).sql)
      same(try (byTitle + Reminder.where { $0.id > 1 }.order { $0.id.desc() }).select(\.id).fetchAll(db), [2, 4, 3])
      same(try (Reminder.select(\.title) + byTitle + flagged).fetchAll(db), ["Eggs", "Milk"])
      same(try (flagged + Reminder.select(\.title)).order(by: \.id).fetchAll(db), ["Milk", "Eggs"])
      same(try (byTitle + Reminder.select(\.title)).fetchAll(db), ["Bread", "Don't", "Eggs", "Milk"])
      let pairs = Reminder.join(List.all) { $0.listID.eq($1.id) }.select { ($0.id, $1.name) }
      same(try (flagged + pairs).order(by: \.id).fetchAll(db), [(1, "Shop"), (3, "Home")])
      same(try (pairs + flagged + byTitle).fetchAll(db), [(3, "Home"), (1, "Shop")])
      same(try (byTitle + pairs).limit(1).fetchAll(db), [(2, "Shop")])
      #expect((byTitle.limit(2) + Reminder.limit(3)).built.failure != nil)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `queries that are added have the default scope if one of both has it`(_ home: DatabaseHome) throws {
    typealias Shown = Port.Shown
    try home.open(Port.script).read { db in
      let last = Shown.where { $0.id > 2 }
      let (ordered, unscoped) = (Shown.order(by: \.id), Shown.unscoped.order(by: \.id))
      same(try (last + unscoped).select(\.id).fetchAll(db), [3])
      same(try (unscoped + last).select(\.id).fetchAll(db), [3])
      same(try (unscoped + ordered).select(\.id).fetchAll(db), [1, 2, 3])
      same(try (last.unscoped + ordered).select(\.id).fetchAll(db), [3])
      same(try (last.unscoped + unscoped).select(\.id).fetchAll(db), [3, 4])
      same(try (Shown.none + ordered).select(\.id).fetchAll(db), [])
      let tags = Port.Tag.all
      let (inner, whole) = (
        Shown.join(tags) { $0.id >= $1.id }.select { ($0.id, $1.id) },
        Shown.unscoped.join(tags) { $0.id >= $1.id }.select { ($0.id, $1.id) }
      )
      same(try (last + inner).order { ($0.id, $1.id) }.fetchAll(db), [(3, 1), (3, 2)])
      same(try (last.unscoped + whole).order { ($0.id, $1.id) }.fetchAll(db), [(3, 1), (3, 2), (4, 1), (4, 2)])
      for mixed in [last + whole, whole + last, last.unscoped + inner, inner + unscoped] {
        #expect(mixed.built.failure?.description.contains("one is unscoped") == true)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `SQL has the type of what it is compared with`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      func ids(_ rows: Where<Reminder>) throws -> [Int] { try rows.order(by: \.id).select(\.id).fetchAll(db) }
      same(try ids(Reminder.where { $0.id.eq(#sql("1 + 1")) }), [2])
      same(try ids(Reminder.where { $0.priority.eq(#sql("\($0.id)")) }), [])
      same(try ids(Reminder.where { $0.id.neq(#sql("1 + \(1)")) }), [1, 3, 4])
      same(try ids(Reminder.where { $0.priority.is(#sql("NULL")) }), [2])
      same(try ids(Reminder.where { $0.priority.isNot(#sql("NULL")) }), [1, 3, 4])
      same(try ids(Reminder.where { $0.id.lt(#sql("2")) || $0.id.gte(#sql("4")) }), [1, 4])
      same(try ids(Reminder.where { $0.id.lte(#sql("2")) && $0.id.gt(#sql("1")) }), [2])
      same(try ids(Reminder.where { $0.id.between(#sql("2"), and: #sql("3")) }), [2, 3])
      same(try ids(Reminder.where { $0.id < #sql("1 + 1", as: Int.self) }), [1])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `behind a join a key path is a column of the first table`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let pairs = Reminder.join(List.all) { $0.listID.eq($1.id) }
      same(try pairs.where(\.isCompleted).order(by: \.title).select(\.title).fetchAll(db), ["Bread", "Eggs"])
      same(
        try pairs.group(by: \.listID).order(by: \.listID).select { reminder, _ in reminder.id.count() }.fetchAll(db),
        [2, 2])
      same(try pairs.group(by: \.id).having(\.isFlagged).order(by: \.id).select(\.id).fetchAll(db), [1, 3])
      let third = pairs.join(Port.Tag.all) { reminder, _, tag in tag.id.eq(reminder.id) }
      same(try third.where(\.isFlagged).select(\.title).fetchAll(db), ["Milk"])
      // Of a side that a join may leave out, the column may be NULL.
      let right = Reminder.rightJoin(List.all) { $0.listID.eq($1.id) }
      same(try right.order(by: \.title).select(\.title).fetchAll(db).first ?? "none", nil)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a query that is none by its end has no row and no effect`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      same(try Reminder.order(by: \.id).none.fetchAll(db).count, 0)
      same(try Reminder.join(List.all) { $0.listID.eq($1.id) }.none.select { ($0.id, $1.id) }.fetchAll(db).count, 0)
      try With {
        Reminder.order(by: \.id).none
      } query: {
        Reminder.delete()
      }.execute(db)
      try #sql("DELETE FROM \(List.self)", as: Never.self).in(nothing: Reminder.none).execute(db)
      try #sql("-- all of them\nDELETE FROM \(List.self)", as: Never.self).in(nothing: Reminder.none).execute(db)
      try #sql("WITH x AS (SELECT 1) DELETE FROM \(List.self)", as: Never.self).in(nothing: Reminder.none).execute(db)
      try #sql("WITH x AS (SELECT 1) REPLACE INTO \(List.self) VALUES (9, 'y')", as: Never.self)
        .in(nothing: Reminder.none).execute(db)
      same(try Reminder.fetchCount(db), 4)
      same(try List.fetchCount(db), 3)
      let read = With {
        Reminder.none
      } query: {
        #sql("SELECT replace('a', 'a', 'b')", as: String.self)
      }
      same(try read.fetchAll(db), ["b"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a separator may be an expression`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let query = Reminder.find([1, 2]).select { $0.title.groupConcat($0.listID.cast(as: String.self) + ",") }
      same(try query.fetchOne(db) ?? nil, "Milk1,Bread")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a group is set to expressions, and to another group`(_ home: DatabaseHome) throws {
    let changes: [((inout Updates<Span>) -> Void, String)] = [
      (
        { $0.times = Span.Times.Columns(start: $0.id + 6, end: #sql("\($0.times.start) + 1", as: Int?.self)) },
        "7 2 3 - 5 - - x"
      ),
      ({ $0.planned = $0.planned }, "1 2 3 - 5 - - x"), ({ $0.other = $0.kind }, "1 2 3 - 5 - 5 -"),
      ({ $0.kind = $0.other }, "1 2 3 - - x - x"),
      ({ $0.kind = Span.Kind.Columns.rest($0.other.rest ?? "") }, "1 2 3 - - x - x"),
      ({ $0.times = Span.Times(start: 8, end: nil) }, "8 - 3 - 5 - - x"), ({ $0.planned = nil }, "1 2 - - 5 - - x"),
      ({ $0.times.start += 1 }, "2 2 3 - 5 - - x"), ({ $0.kind.rest = "y" }, "1 2 3 - - y - x"),
    ]
    let state = """
      SELECT start || ' ' || ifnull("end", '-') || ' ' || ifnull("start:1", '-') || ' ' || ifnull("end:1", '-') ||
      ' ' || ifnull(work, '-') || ' ' || ifnull(rest, '-') || ' ' || ifnull("work:1", '-') || ' ' ||
      ifnull("rest:1", '-') FROM spans
      """
    for (change, expected) in changes {
      try home.open(Self.spans).write { db in
        try Span.update(set: change).execute(db)
        same(try String.fetchOne(db, sql: state), expected)
      }
    }
  }

  @Test func `fragments are put together, and prepared for another database`() {
    var fragment: QueryFragment = "SELECT "
    #expect(QueryFragment().isEmpty && !fragment.isEmpty)
    fragment.append("\(bind: 1) + \(Reminder.columns.id)")
    fragment += " FROM " + QueryFragment(quote: "reminders")
    let (sql, bindings) = fragment.prepare { "$\($0)" }
    same(sql, "SELECT $1 + \"reminders\".\"id\" FROM \"reminders\"")
    #expect(bindings == [.integer(1)])
    let marked: QueryFragment = "SELECT [a?1], \(bind: 2) -- it's ?1\n, 'it''s ?1' /* ?1 \" */, \(bind: 3)"
    same(
      marked.prepare { "$\($0)" }.sql, "SELECT [a?1], $1 -- it's ?1\n, 'it''s ?1' /* ?1 \" */, $2")
    // A quote with an accent behind it is a quote all the same, and a line may end as on Windows.
    let accents: QueryFragment = "'\u{301}?1' || \(bind: 2) -- ?1\r\n || \(bind: 3)"
    same(accents.prepare { "$\($0)" }.sql, "'\u{301}?1' || $1 -- ?1\r\n || $2")
    same([QueryFragment("a"), "b", "c"].joined(separator: ", ").description, "a, b, c")
    let list = Reminder.where { $0.id.in([3, 4]) && $0.title.eq("it's ?1") }.select(\.id).query.prepare { ":\($0)" }
    same(
      list.sql,
      """
      SELECT "reminders"."id"
      FROM "reminders"
      WHERE (("reminders"."id") IN ((:1), (:2))) AND (("reminders"."title") = (:3))
      """)
    #expect(list.bindings == [.integer(3), .integer(4), .text("it's ?1")])
    let rows = Port.Tag.insert { (1...20).map { Port.Tag(id: $0, title: "'?1'") } }.query.prepare { "$\($0)" }
    #expect(rows.sql.hasSuffix("($39, $40)") && rows.bindings.count == 40)
    same(Reminder.columns.id.queryFragment.description, "\"reminders\".\"id\"")
    same("\(Reminder.find(1).select(\.id).query)", Reminder.find(1).select(\.id).description)
  }

  /// A statement of the program's own.
  private struct Pragma: Statement {
    typealias QueryValue = Int
    let name: String
    var statementFragment: StatementFragment { StatementFragment("PRAGMA \(quote: name)") }
  }

  @Test func `a program's own statement is made of a fragment`() throws {
    let database = try DatabaseQueue()
    same(try database.read { try Pragma(name: "user_version").fetchOne($0) }, 0)
  }

  @Test func `bound values stand between others and in lists`() throws {
    let database = try DatabaseHome.embedded.open(Port.script)
    try database.read { db in
      let between = Reminder.where { $0.priority.between(#bind(.medium), and: #bind(.high)) }
      same(try between.order(by: \.id).select(\.id).fetchAll(db), [1, 4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows of values with SQL in them stand before loops`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      // Without `() in`, version 6.3 of the compiler takes the first row for the parameters of the closure.
      try Port.Tag.insert {
        ($0.id, $0.title)
      } values: { () in
        (10, #sql("upper('ten')", as: String.self))
        for number in 11...12 { (number, "n\(number)") }
        (13, #bind("last"))
      }.execute(db)
      same(
        try Port.Tag.where { $0.id > 9 }.order(by: \.id).select(\.title).fetchAll(db), ["TEN", "n11", "n12", "last"])
    }
  }

  @Test func `a query within one of the same table does not compare a column with itself`() {
    let mistaken: [any Statement] = [
      List.where { list in List.where { $0.name.eq(list.name) && $0.id > list.id }.exists() },
      List.where { list in list.id.in(List.where { $0.id < list.id }.select(\.id)) },
      List.update { list in list.name = List.where { $0.id.eq(list.id) }.select(\.name) },
      List.where { list in
        List.join(Reminder.all) { $0.id.eq($1.listID) }.where { inner, _ in inner.id.neq(list.id) }.exists()
      }
      .delete(),
      List.where { list in
        List.join(Reminder.all) { inner, reminder in inner.id.eq(list.id) && reminder.listID.eq(inner.id) }.exists()
      },
      List.where { list in List.group(by: \.name).having { $0.id.eq(list.id) }.exists() },
    ]
    for statement in mistaken {
      #expect(statement.built.failure?.description.contains("lists") == true, "\(statement)")
    }
    enum Other: AliasName {}
    let meant: [any Statement] = [
      List.where { list in List.as(Other.self).where { $0.name.eq(list.name) && $0.id > list.id }.exists() },
      List.where { list in Reminder.where { $0.listID.eq(list.id) }.exists() },
      List.where { $0.id.in(List.where { $0.id > 1 }.select(\.id)) },
      List.where { $0.id.eq($0.id) },
    ]
    for statement in meant { #expect(statement.built.failure == nil, "\(statement)") }
  }
}

extension Statement where QueryValue == Never {
  /// Behind a common table without rows.
  fileprivate func `in`<Row: Table>(nothing: Where<Row>) -> With<Never> {
    With {
      nothing
    } query: {
      self
    }
  }
}
