/// How many rows a query has, by `count()` and by `fetchCount`, beside SQL that a person would write.
import Foundation
import Martlet
import Testing

@Suite struct CountTests {
  typealias Reminder = Port.Reminder
  typealias List = Port.List
  typealias Tag = Port.Tag

  private enum Other: AliasName {}

  /// A query, counted in both ways, and what it is by hand.
  private struct Counted {
    let count: any Statement<Int>
    let fetch: (Database) throws -> Int
    let sql: String

    init(_ query: some WholeQuery, _ sql: String) {
      count = query.count()
      fetch = { try query.fetchCount($0) }
      self.sql = sql
    }

    init(_ query: some SelectStatement, _ sql: String) {
      count = query.count()
      fetch = { try query.fetchCount($0) }
      self.sql = sql
    }
  }

  private static var queries: [Counted] {
    let lists = Reminder.select(\.listID)
    let found = With {
      Reminder.where(\.isFlagged).select { Tag.Columns(id: $0.id, title: $0.title) }
    } query: {
      Tag.where { $0.id > 1 }
    }
    return [
      Counted(lists.union(List.select(\.id)), "SELECT listID FROM reminders UNION SELECT id FROM lists"),
      Counted(lists.union(all: true, List.select(\.id)), "SELECT listID FROM reminders UNION ALL SELECT id FROM lists"),
      Counted(lists.intersect(List.select(\.id)), "SELECT listID FROM reminders INTERSECT SELECT id FROM lists"),
      Counted(List.select(\.id).except(lists), "SELECT id FROM lists EXCEPT SELECT listID FROM reminders"),
      Counted(
        lists.union(all: true, List.select(\.id)).order(byColumn: 1).limit(5, offset: 1),
        "SELECT listID FROM reminders UNION ALL SELECT id FROM lists ORDER BY 1 LIMIT 5 OFFSET 1"),
      // Whole rows, and several columns of which two have one name.
      Counted(
        Reminder.where(\.isFlagged).union(Reminder.where(\.isCompleted)),
        "SELECT * FROM reminders WHERE isFlagged UNION SELECT * FROM reminders WHERE isCompleted"),
      Counted(
        Reminder.join(List.all) { $0.listID.eq($1.id) }.select { ($1.id, $1.id) }
          .union(all: true, List.select { ($0.id, $0.id) }),
        """
        SELECT lists.id, lists.id FROM reminders JOIN lists ON listID = lists.id UNION ALL SELECT id, id FROM lists
        """),
      // NULL is a row, too.
      Counted(
        Reminder.select(\.priority).union(Reminder.select(\.priority)),
        "SELECT priority FROM reminders UNION SELECT priority FROM reminders"),
      Counted(
        Reminder.none.select(\.id).union(List.none.select(\.id)),
        "SELECT id FROM reminders WHERE 0 UNION SELECT id FROM lists WHERE 0"),
      Counted(lists.union(List.select(\.id)).count(), "SELECT 1"),
      Counted(Values(1).row(2).row(2), "VALUES (1), (2), (2)"),
      Counted(Values(1, "a"), "SELECT 1, 'a'"),
      Counted(found, "SELECT * FROM reminders WHERE isFlagged AND id > 1"),
      Counted(
        found.union(all: true, Tag.all),
        "SELECT id FROM reminders WHERE isFlagged AND id > 1 UNION ALL SELECT id FROM tags"),
      Counted(Reminder.limit(3), "SELECT * FROM reminders LIMIT 3"),
      Counted(Reminder.limit(3, offset: 2), "SELECT * FROM reminders LIMIT 3 OFFSET 2"),
      Counted(lists.distinct(), "SELECT DISTINCT listID FROM reminders"),
      Counted(lists.distinct().limit(1), "SELECT DISTINCT listID FROM reminders LIMIT 1"),
      Counted(Reminder.select(\.priority).distinct(), "SELECT DISTINCT priority FROM reminders"),
      Counted(
        lists.group(by: \.listID).distinct().limit(1), "SELECT DISTINCT listID FROM reminders GROUP BY listID LIMIT 1"),
      Counted(
        Reminder.group(by: \.listID).select { $0.id.count() }.limit(2),
        "SELECT count(id) FROM reminders GROUP BY listID LIMIT 2"),
    ]
  }

  /// Of aggregates there is one row, whatever is read; a window function is a value of each row.
  private static var aggregates: [Counted] {
    [
      Counted(Reminder.select { $0.id.max() }, "SELECT max(id) FROM reminders"),
      Counted(Reminder.none.select { $0.id.max() }, "SELECT max(id) FROM reminders WHERE 0"),
      Counted(Reminder.where(\.isFlagged).select { $0.count() }, "SELECT count(*) FROM reminders WHERE isFlagged"),
      Counted(
        Reminder.select { ($0.id.min(), ($0.id.max() ?? 0) + 1) }, "SELECT min(id), max(id) + 1 FROM reminders"),
      Counted(
        Reminder.select { ($0.title, $0.title.groupConcat(separator: " ")) },
        "SELECT title, group_concat(title, ' ') FROM reminders"),
      Counted(Reminder.select { _ in #sql("max(id)", as: Int.self) }, "SELECT max(id) FROM reminders"),
      Counted(
        Reminder.join(List.all) { $0.listID.eq($1.id) }.select { $1.name.max() },
        "SELECT max(name) FROM reminders JOIN lists ON listID = lists.id"),
      Counted(
        Reminder.select { $0.id.max() }.having { $0.count() > 9 }, "SELECT max(id) FROM reminders HAVING count(*) > 9"),
      Counted(Reminder.select(\.id).map { $0.sum() }, "SELECT sum(id) FROM reminders"),
      Counted(
        Reminder.select { rowNumber().over(.order(by: $0.id)) }, "SELECT row_number() OVER (ORDER BY id) FROM reminders"
      ),
      Counted(Reminder.select { $0.id.sum().over() }, "SELECT sum(id) OVER () FROM reminders"),
      Counted(
        Reminder.select { reminder in List.where { $0.id.eq(reminder.listID) }.select { $0.id.max() } },
        "SELECT (SELECT max(id) FROM lists WHERE lists.id = listID) FROM reminders"),
      // An aggregate of the rows around a subquery.
      Counted(
        Reminder.select { $0.title.groupConcat(",", distinct: true) },
        "SELECT (SELECT group_concat(value) FROM json_each(json_group_array(DISTINCT title))) FROM reminders"),
      Counted(
        Reminder.select { reminder in List.select { _ in reminder.id.max() }.limit(1) },
        "SELECT (SELECT max(reminders.id) FROM lists LIMIT 1) FROM reminders"),
    ]
  }

  @Test(arguments: DatabaseHome.allCases)
  func `of an aggregate there is one row to count`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      for query in Self.aggregates {
        let byHand = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(query.sql))")
        same(try query.fetch(db), byHand)
        same(try query.count.fetchOne(db), byHand)
      }
      for query in [
        Reminder.select { $0.id.max() }.count { $0.isFlagged },
        Reminder.select { $0.id.max() }.limit(1).count { $0.isFlagged },
        Reminder.select { $0.id.max() }.distinct().count { $0.isFlagged },
        Reminder.select(\.listID).group(by: \.listID).distinct().count { $0.isFlagged },
      ] {
        #expect(throws: QueryBindingFailure.self) { try query.fetchOne(db) }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the rows of SQL are counted, and SQL that writes is refused`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      same(try #sql("SELECT id FROM reminders WHERE id > \(bind: 1)", as: Int.self).fetchCount(db), 3)
      same(try #sql("SELECT id, id FROM reminders", as: (Int, Int).self).fetchCount(db), 4)
      same(try #sql("SELECT \(Reminder.columns) FROM \(Reminder.self)", as: Reminder.self).fetchCount(db), 4)
      same(try #sql("WITH a AS (SELECT 1 UNION SELECT 2) SELECT * FROM a").fetchCount(db), 2)
      same(try #sql("VALUES (1), (2), (2)", as: Int.self).fetchCount(db), 3)
      same(try #sql("SELECT max(id) FROM reminders WHERE 0", as: Int?.self).fetchCount(db), 1)
      #expect(throws: QueryBindingFailure.self) {
        try #sql("DELETE FROM reminders RETURNING id", as: Int.self).fetchCount(db)
      }
      same(try Reminder.fetchCount(db), 4)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a count is how many rows the query gives`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      for query in Self.queries {
        let byHand = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(query.sql))")
        same(try query.fetch(db), byHand)
        same(try query.count.fetchOne(db), byHand)
      }
      same(Self.queries.count, 21)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the count of a compound is a value of each row around it, of the rows that belong to it`(
    _ home: DatabaseHome
  ) throws {
    try home.open(Port.script).read { db in
      let counts = List.order(by: \.id).select { list in
        Reminder.where { $0.listID.eq(list.id) }.select(\.id)
          .union(all: true, Tag.where { $0.id.eq(list.id) }.select(\.id)).count()
      }
      let byHand = """
        SELECT (SELECT count(*) FROM (SELECT id FROM reminders WHERE listID = lists.id
        UNION ALL SELECT id FROM tags WHERE id = lists.id)) FROM lists ORDER BY id
        """
      same(try counts.fetchAll(db), try Int.fetchAll(db, sql: byHand))
      same(try counts.fetchAll(db), [3, 3, 0])
      let all = Tag.select(\.id).union(List.select(\.id))
      same(try List.order(by: \.id).select { _ in all.count() }.fetchAll(db), [3, 3, 3])
      same(try List.where { $0.id.eq(all.count()) }.select(\.name).fetchAll(db), ["Empty"])
      same(try List.select { _ in Values(1).row(5).count() }.fetchAll(db), [2, 2, 2])
      same(
        try List.order(by: \.id).select { ($0.id, all.count() + 1) }.fetchAll(db).map(\.1), [4, 4, 4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `groups are counted one by one and in their order, and fetchCount counts the groups`(_ home: DatabaseHome) throws
  {
    try home.open(Port.script).read { db in
      let groups = Reminder.group(by: \.isCompleted).where { $0.id < 4 }
      for (query, order) in [
        (groups.order { $0.isCompleted.desc() }, "isCompleted DESC"), (groups.order { $0.isCompleted }, "isCompleted"),
        (groups.order { $0.id.count().desc() }, "count(id) DESC"), (groups.order { $0.id.count() }, "count(id)"),
      ] {
        same(
          try query.count().fetchAll(db),
          try Int.fetchAll(
            db, sql: "SELECT count(*) FROM reminders WHERE id < 4 GROUP BY isCompleted ORDER BY \(order)"))
        same(
          try query.count { $0.isFlagged }.fetchAll(db),
          try Int.fetchAll(
            db,
            sql: """
              SELECT count(*) FILTER (WHERE isFlagged) FROM reminders WHERE id < 4
              GROUP BY isCompleted ORDER BY \(order)
              """))
        same(try query.fetchCount(db), 2)
      }
      let other = Reminder.group(by: \.listID).order { $0.listID.desc() }.having { $0.id.count() > 1 }
      same(try other.count { $0.isFlagged && $0.isCompleted }.fetchAll(db), [1, 0])
      same(
        try Reminder.where { $0.id < 4 }.group(by: \.listID).order { $0.listID.desc() }.count().fetchAll(db), [1, 2])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a filter behind a limit is asked of the rows within the limit`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let backwards = Reminder.order { $0.id.desc() }
      for (query, sql) in [
        (backwards.limit(1), "ORDER BY id DESC LIMIT 1"), (backwards.limit(2), "ORDER BY id DESC LIMIT 2"),
        (backwards.limit(2, offset: 1), "ORDER BY id DESC LIMIT 2 OFFSET 1"),
        (backwards.offset(3), "ORDER BY id DESC LIMIT -1 OFFSET 3"),
        (backwards.where { $0.id < 3 }.limit(1), "WHERE id < 3 ORDER BY id DESC LIMIT 1"),
      ] {
        let byHand = try Int.fetchOne(
          db, sql: "SELECT count(*) FILTER (WHERE isFlagged) FROM (SELECT * FROM reminders \(sql))")
        same(try query.count { $0.isFlagged }.fetchOne(db), byHand)
      }
      same(try backwards.limit(2).count { $0.priority.eq(.low) }.fetchOne(db), 1)
      let pairs = backwards.join(List.all) { $0.listID.eq($1.id) }.limit(3)
      same(try pairs.count { reminder, list in reminder.isFlagged && list.id > 0 }.fetchOne(db), 1)
      same(try Reminder.select(\.listID).distinct().count { $0.isCompleted }.fetchOne(db), 2)
      for query in [
        Reminder.select(\.listID).distinct().limit(1).count { $0.isFlagged },
        Reminder.select(\.listID).group(by: \.listID).limit(1).count { $0.isFlagged },
      ] {
        let error = #expect(throws: QueryBindingFailure.self) { try query.fetchOne(db) }
        #expect(error?.description.contains("'where' or 'having'") == true)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what changes rows is not counted, and changes nothing`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let delete = With {
        Reminder.select { Tag.Columns(id: $0.id, title: $0.title) }
      } query: {
        List.where { $0.id.in(Tag.select(\.id)) }.delete().returning(\.id)
      }
      #expect(throws: QueryBindingFailure.self) { try delete.fetchCount(db) }
      #expect(throws: QueryBindingFailure.self) { try delete.count().fetchOne(db) }
      same(try List.fetchCount(db), 3)
      same(try delete.fetchAll(db).count, 3)
    }
  }

  @Test func `a count can be followed`() async throws {
    let database = try DatabaseQueue()
    try await database.write { try $0.execute(sql: Port.script) }
    let wrapped = FetchOne(wrappedValue: 0, Tag.select(\.id).union(List.select(\.id)).count(), database: database)
    same(wrapped.wrappedValue, 3)
    try await database.write { try Tag.insert { Tag(id: 9, title: "new") }.execute($0) }
    await eventually(wrapped.wrappedValue) { $0 == 4 }
  }
}
