/// Joins of queries that chose their columns, with filters, orders and limits on either side.
import Foundation
import Martlet
import Testing

@Suite struct ChosenJoinTests {
  typealias Reminder = Port.Reminder
  typealias List = Port.List

  private func text(_ row: Any) -> String { HandTrial.text(ofRow: row) }

  @Test(arguments: DatabaseHome.allCases)
  func `the columns that two queries chose stand side by side`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let all = Reminder.order { $0.id.desc() }
      let lists = List.where { $0.id > 0 }
      let pairs = all.select { ($0.id, $0.title) }.join(lists.select { ($0.id, $0.name) }) { $0.listID.eq($1.id) }
      let rows: [(Int, String, Int, String)] = try pairs.fetchAll(db)
      same(rows.map { text($0) }, ["4 Don't 2 Home", "3 Eggs 2 Home", "2 Bread 1 Shop", "1 Milk 1 Shop"])
      same(
        pairs.sql,
        #"""
        SELECT "reminders"."id", "reminders"."title", "lists"."id", "lists"."name"
        FROM "reminders"
        JOIN "lists" ON ("reminders"."listID") = ("lists"."id")
        WHERE (("lists"."id") > (?1))
        ORDER BY "reminders"."id" DESC
        """#)
      let three: [(Int, String, Int, Bool)] = try Reminder.select(\.id)
        .join(List.select { ($0.name, $0.id, $0.id.eq(2)) }) { $0.listID.eq($1.id) }
        .order { reminder, _ in reminder.id }.fetchAll(db)
      same(three.map { text($0) }, ["1 Shop 1 false", "2 Shop 1 false", "3 Home 2 true", "4 Home 2 true"])
      let last: [(Int, Port.Priority?, String)] = try all.select { ($0.id, $0.priority) }
        .join(List.select(\.name)) { $0.listID.eq($1.id) }.fetchAll(db)
      same(last.map { text(($0.0, $0.2)) }, ["4 Home", "3 Home", "2 Shop", "1 Shop"])
      same(last.map { $0.1?.rawValue ?? 0 }, [2, 1, 0, 3])
      let two: [(Int, String)] = try all.select(\.id).join(List.select(\.name)) { $0.listID.eq($1.id) }.fetchAll(db)
      same(two.map { text($0) }, ["4 Home", "3 Home", "2 Shop", "1 Shop"])
      // A query that chose none adds none.
      let of: [(Int, String)] = try all.join(List.select { ($0.id, $0.name) }) { $0.listID.eq($1.id) }.fetchAll(db)
      same(of.map { text($0) }, ["2 Home", "2 Home", "1 Shop", "1 Shop"])
      same(try all.join(List.select(\.name)) { $0.listID.eq($1.id) }.fetchAll(db), ["Home", "Home", "Shop", "Shop"])
      // A whole row is a column as any other.
      let whole: [(String, List, Int)] = try all.select(\.title).join(List.select { ($0, $0.id) }) {
        $0.listID.eq($1.id)
      }.fetchAll(db)
      same(
        whole.map { "\($0.0) \($0.1.name) \($0.2)" }, ["Don't Home 2", "Eggs Home 2", "Bread Shop 1", "Milk Shop 1"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a join of a table itself with chosen columns has those columns`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      same(
        try Reminder.join(List.select(\.name)) { $0.listID.eq($1.id) }.fetchAll(db), ["Shop", "Shop", "Home", "Home"])
      let pairs: [(Int, String)] = try Reminder.join(List.select { ($0.id, $0.name) }) { $0.listID.eq($1.id) }
        .where { reminder, _ in reminder.isFlagged }.fetchAll(db)
      same(pairs.map { text($0) }, ["1 Shop", "2 Home"])
      let left: [String?] = try List.leftJoin(Reminder.where(\.isFlagged).select(\.title)) { $0.id.eq($1.listID) }
        .order { list, _ in list.id }.fetchAll(db)
      same(left, ["Milk", "Eggs"])
      let titles: [(Int?, String?)] = try List.leftJoin(Reminder.select { ($0.id, $0.title) }) { $0.id.eq($1.listID) }
        .order { list, reminder in (list.id, reminder.id) }.fetchAll(db)
      same(titles.map { text($0) }, ["1 Milk", "2 Bread", "3 Eggs", "4 Don't", "nil nil"])
      same(
        try Reminder.rightJoin(List.select(\.name)) { $0.listID.eq($1.id) }.group { $1.id }.order { $1.id }.fetchAll(
          db),
        ["Shop", "Home", "Empty"])
      let right: [(Int, String)] = try Reminder.rightJoin(List.select { ($0.id, $0.name) }) {
        $0.listID.eq($1.id) && $0.id.eq(9)
      }.order { $1.id }.fetchAll(db)
      same(right.map { text($0) }, ["1 Shop", "2 Home", "3 Empty"])
      let full: [String?] = try Reminder.fullJoin(List.select(\.name)) { $0.id.eq($1.id + 2) }
        .order { reminder, list in (reminder.id, list.id) }.fetchAll(db)
      same(full, ["Empty", nil, nil, "Shop", "Home"])
      let both: [(Int?, String?)] = try Reminder.fullJoin(List.select { ($0.id, $0.name) }) { $0.id.eq($1.id + 3) }
        .order { reminder, list in (reminder.id, list.id) }.limit(3).fetchAll(db)
      same(both.map { text($0) }, ["2 Home", "3 Empty", "nil nil"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `whole rows that are ordered or limited add no columns to those that were chosen`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let (one, two) = (Reminder.select(\.id), Reminder.select { ($0.id, $0.title) })
      let lists = List.order { $0.name.desc() }
      same(try one.join(lists) { $0.listID.eq($1.id) }.order(by: \.id).fetchAll(db), [1, 2, 3, 4])
      same(try one.leftJoin(lists.limit(2)) { $0.listID.eq($1.id) }.order(by: \.id).fetchAll(db), [1, 2])
      let right = one.rightJoin(lists) { $0.listID.eq($1.id) }.order(by: \.id)
      same(try right.fetchAll(db), [1, 2, 3, 4, nil])
      let full = one.fullJoin(lists) { $0.id.eq($1.id) }.order(by: \.id)
      same(try full.fetchAll(db), [1, 2, 3, 4])
      let pairs = two.join(lists) { $0.listID.eq($1.id) }.order(by: \.id)
      same(try pairs.limit(2).fetchAll(db).map { text($0) }, ["1 Milk", "2 Bread"])
      let kept = two.leftJoin(lists) { $0.id.eq($1.id) }.order(by: \.id)
      same(try kept.fetchAll(db).map { text($0) }, ["1 Milk", "2 Bread", "3 Eggs", "4 Don't"])
      let optional: [(Int?, String?)] = try two.rightJoin(lists) { $0.listID.eq($1.id) }.limit(3).fetchAll(db)
      same(optional.map { text($0) }, ["1 Milk", "2 Bread", "3 Eggs"])
      let all: [(Int?, String?)] = try two.fullJoin(lists) { $0.id.eq($1.id) }.order(by: \.id).fetchAll(db)
      same(all.map { text($0) }, ["1 Milk", "2 Bread", "3 Eggs", "4 Don't"])
      // Of three tables.
      let tags = Port.Tag.order { $0.title.desc() }
      let named = one.join(List.select(\.name)) { $0.listID.eq($1.id) }
      same(try named.join(tags) { $0.id.eq($2.id) }.fetchAll(db).map { text($0) }, ["2 Shop", "1 Shop"])
      let last = one.join(List.all) { $0.listID.eq($1.id) }.leftJoin(tags) { $0.id.eq($2.id) }.order(by: \.id)
      same(try last.fetchAll(db), [2, 1, 3, 4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a join of all of a table with chosen columns has those columns`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let names = Reminder.all.join(List.select(\.name)) { $0.listID.eq($1.id) }.order(by: \.id)
      same(try names.fetchAll(db), ["Shop", "Shop", "Home", "Home"])
      let left = List.all.leftJoin(Reminder.select { ($0.id, $0.title) }) { $0.id.eq($1.listID) }.order { $1.id }
      same(try left.fetchAll(db).map { text($0) }, ["nil nil", "1 Milk", "2 Bread", "3 Eggs", "4 Don't"])
      // An order, a limit and groups of a query of whole rows stay its own.
      let lists = Reminder.where { $0.id > 1 }.leftJoin(List.order { $0.name.desc() }) { $0.listID.eq($1.id) }
      let ordered: [(Int, String?)] = try lists.order(by: \.id).select { ($0.id, $1.name) }.fetchAll(db)
      same(ordered.map { text($0) }, ["2 Shop", "3 Home", "4 Home"])
      let limited = Reminder.where { $0.id > 1 }.leftJoin(List.order(by: \.name).limit(2)) { $0.listID.eq($1.id) }
      let two: [(Int, String?)] = try limited.select { ($0.id, $1.name) }.fetchAll(db)
      same(two.map { text($0) }, ["3 Home", "4 Home"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the chosen columns of a side that a join may leave out are optional`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let lists = List.where { $0.id > 1 }.order(by: \.id)
      let reminders = Reminder.order { $0.title.desc() }
      let pairs: [(Int, String, Int?, String?)] = try lists.select { ($0.id, $0.name) }
        .leftJoin(reminders.select { ($0.id, $0.title) }) { $0.id.eq($1.listID) }.fetchAll(db)
      same(pairs.map { text($0) }, ["2 Home 3 Eggs", "2 Home 4 Don't", "3 Empty nil nil"])
      let one: [(Int, String?)] = try lists.select(\.id)
        .leftJoin(reminders.select(\.title)) { $0.id.eq($1.listID) }.fetchAll(db)
      same(one.map { text($0) }, ["2 Eggs", "2 Don't", "3 nil"])
      let several: [(Int, String?, Port.Priority?)] = try lists.select(\.id)
        .leftJoin(reminders.select { ($0.title, $0.priority) }) { $0.id.eq($1.listID) }.fetchAll(db)
      same(several.map { text(($0.0, $0.1, $0.2?.rawValue)) }, ["2 Eggs 1", "2 Don't 2", "3 nil nil"])
      let last: [(Int, String, String?)] = try lists.select { ($0.id, $0.name) }
        .leftJoin(reminders.select(\.title)) { $0.id.eq($1.listID) }.fetchAll(db)
      same(last.map { text($0) }, ["2 Home Eggs", "2 Home Don't", "3 Empty nil"])
      let of: [(Int?, String?)] = try lists.leftJoin(reminders.select { ($0.id, $0.title) }) { $0.id.eq($1.listID) }
        .fetchAll(db)
      same(of.map { text($0) }, ["3 Eggs", "4 Don't", "nil nil"])
      same(
        try lists.leftJoin(reminders.select(\.title)) { $0.id.eq($1.listID) }.fetchAll(db).map { $0 ?? "-" },
        ["Eggs", "Don't", "-"])
      let groups: [(String, Int?, Int?)] = try lists.select(\.name)
        .leftJoin(reminders.select { ($0.id.count(), $0.id.max()) }) { $0.id.eq($1.listID) }
        .group { list, _ in list.id }.fetchAll(db)
      same(groups.map { text($0) }, ["Home 2 4", "Empty 0 nil"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `two queries of one column each are values where they are added`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let sum = Reminder.where { $0.id.eq(4) }.select(\.id) + List.where { $0.id.eq(3) }.select(\.id)
      same(try sum.fetchAll(db), [7])
      // Where one of them chose, the columns are its own.
      let titles = Reminder.where { $0.id > 2 } + Reminder.order { $0.id.desc() }.select(\.title)
      same(try titles.fetchAll(db), ["Don't", "Eggs"])
      let both = (Reminder.where { $0.id > 2 } + Reminder.order { $0.id.desc() }).select { ($0.id, $0.title) }
      same(try both.fetchAll(db).map { text($0) }, ["4 Don't", "3 Eggs"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a join has the limit of one of its queries, and of two it is refused`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let reminders = Reminder.order(by: \.id)
      func ids(_ statement: some Statement<(Int, Int)>) throws -> [String] {
        try statement.fetchAll(db).map { text(($0.0, $0.1)) }
      }
      let all = ["1 1", "2 1", "3 2", "4 2"]
      let first = reminders.limit(3, offset: 1).join(List.all) { $0.listID.eq($1.id) }.select { ($0.id, $1.id) }
      same(try ids(first), Array(all[1...]))
      let second = reminders.join(List.limit(2, offset: 1)) { $0.listID.eq($1.id) }.select { ($0.id, $1.id) }
      same(try ids(second), ["2 1", "3 2"])
      let both = reminders.limit(3).join(List.limit(1)) { $0.listID.eq($1.id) }.select { ($0.id, $1.id) }
      let error = #expect(throws: QueryBindingFailure.self) { try ids(both) }
      #expect(error?.description.contains("Say 'limit' behind the join") == true)
      #expect(throws: QueryBindingFailure.self) {
        try ids(reminders.limit(3).join(List.offset(1)) { $0.listID.eq($1.id) }.select { ($0.id, $1.id) })
      }
      same(try ids(both.limit(2)), Array(all[..<2]))
      // Orders follow each other, as they were said.
      let ordered = Reminder.order { $0.listID.desc() }.join(List.order(by: \.id)) { $0.listID.eq($1.id) }
        .order { reminder, _ in reminder.id.desc() }
      same(try ids(ordered.select { ($0.id, $1.id) }), ["4 2", "3 2", "2 1", "1 1"])
    }
  }
}
