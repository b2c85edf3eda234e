/// Right and full joins, and joins of three tables, of queries that chose their columns.
import Foundation
import Martlet
import Testing

@Suite struct ChosenSideTests {
  typealias Reminder = Port.Reminder
  typealias List = Port.List
  typealias Tag = Port.Tag

  private func texts<each V>(_ rows: [(repeat each V)]) -> [String] { rows.map { HandTrial.text(ofRow: $0) } }

  @Test(arguments: DatabaseHome.allCases)
  func `of a right join the columns that were chosen first are optional`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let reminders = Reminder.where { $0.id > 2 }.unscoped
      let lists = List.order { $0.id.desc() }
      let chosen = lists.select { ($0.id, $0.name) }
      let pairs: [(Int?, String?, Int, String)] = try Reminder.select { ($0.id, $0.title) }
        .rightJoin(chosen) { $0.listID.eq($1.id) && $0.id > 2 }.fetchAll(db)
      same(texts(pairs).sorted(), ["3 Eggs 2 Home", "4 Don't 2 Home", "nil nil 1 Shop", "nil nil 3 Empty"])
      let one: [(Int?, String)] = try reminders.select(\.id).rightJoin(lists.select(\.name)) {
        $0.listID.eq($1.id) && $0.id > 3
      }.fetchAll(db)
      same(texts(one), ["4 Home"])
      let several: [(Int?, String, Bool)] = try Reminder.select(\.id)
        .rightJoin(lists.select { ($0.name, $0.id.eq(3)) }) { $0.listID.eq($1.id) && $0.id > 3 }.fetchAll(db)
      same(texts(several), ["nil Empty true", "4 Home false", "nil Shop false"])
      let last: [(Int?, Port.Priority?, String)] = try Reminder.select { ($0.id, $0.priority) }
        .rightJoin(lists.select(\.name)) { $0.listID.eq($1.id) && $0.id > 3 }.fetchAll(db)
      same(last.map { "\($0.0 ?? 0) \($0.1?.rawValue ?? 0) \($0.2)" }, ["0 0 Empty", "4 2 Home", "0 0 Shop"])
      let of: [(Int, String)] = try Reminder.all.rightJoin(chosen) {
        $0.listID.eq($1.id) && $0.id > 3
      }.fetchAll(db)
      same(texts(of), ["3 Empty", "2 Home", "1 Shop"])
      // A query that chose no column is joined to one that did.
      let names: [(String?, Bool?)] = try Reminder.select { ($0.title, $0.isFlagged) }
        .rightJoin(lists) { $0.listID.eq($1.id) && $0.id > 3 }.fetchAll(db)
      same(texts(names), ["nil nil", "Don't false", "nil nil"])
      let titles: [String?] = try Reminder.select(\.title).rightJoin(lists) { $0.listID.eq($1.id) && $0.id > 3 }
        .fetchAll(db)
      same(titles, [nil, "Don't", nil])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `of a full join all chosen columns are optional`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let pairs: [(Int?, String?, Int?, String?)] = try Reminder.select { ($0.id, $0.title) }
        .fullJoin(List.select { ($0.id, $0.name) }) { $0.id.eq($1.id + 2) }.fetchAll(db)
      same(
        texts(pairs).sorted(),
        ["1 Milk nil nil", "2 Bread nil nil", "3 Eggs 1 Shop", "4 Don't 2 Home", "nil nil 3 Empty"])
      let one: [(String?, String?)] = try Reminder.select(\.title).fullJoin(List.select(\.name)) {
        $0.id.eq($1.id + 2)
      }.fetchAll(db)
      same(texts(one).sorted(), ["Bread nil", "Don't Home", "Eggs Shop", "Milk nil", "nil Empty"])
      let rows: [(String?, List?)] = try Reminder.select(\.title).fullJoin(List.select { $0 }) {
        $0.id.eq($1.id + 2)
      }.order { $1.id.desc() }.limit(2).fetchAll(db)
      same(rows.map { "\($0.0 ?? "-") \($0.1?.name ?? "-")" }, ["- Empty", "Don't Home"])
      let titles: [String?] = try Reminder.select(\.title).fullJoin(List.all) { $0.id.eq($1.id + 2) }
        .order { $1.id.desc() }.limit(2).fetchAll(db)
      same(titles, [nil, "Don't"])
      let names: [String?] = try Reminder.all.fullJoin(List.select(\.name)) { $0.id.eq($1.id + 2) }
        .order { reminder, _ in reminder.id.desc() }.limit(3).fetchAll(db)
      same(names, ["Home", "Shop", nil])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the columns that three queries chose stand side by side`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let two = Reminder.order(by: \.id).select { ($0.id, $0.title) }
        .join(List.select(\.name)) { $0.listID.eq($1.id) }
      let inner: [(Int, String, String, String)] = try two.join(Tag.select(\.title)) { $0.id.eq($2.id) }.fetchAll(db)
      same(texts(inner), ["1 Milk Shop car", "2 Bread Shop home"])
      let left: [(Int, String, String, Int?, String?)] = try two.leftJoin(Tag.select { ($0.id, $0.title) }) {
        $0.id.eq($2.id)
      }.fetchAll(db)
      same(
        texts(left),
        ["1 Milk Shop 1 car", "2 Bread Shop 2 home", "3 Eggs Home nil nil", "4 Don't Home nil nil"])
      let right: [(Int?, String?, String?, Int)] = try two.rightJoin(Tag.select(\.id)) { $0.id.eq($2.id + 2) }
        .fetchAll(db)
      same(texts(right), ["3 Eggs Home 1", "4 Don't Home 2"])
      let none: [(Int?, String?, String?, Int)] = try two.rightJoin(Tag.select(\.id)) { $0.id.eq($2.id + 3) }
        .order { $2.id }.fetchAll(db)
      same(texts(none).sorted(), ["4 Don't Home 1", "nil nil nil 2"])
      let full: [(Int?, String?, String?, Int?, String?)] = try two.fullJoin(Tag.select { ($0.id, $0.title) }) {
        $0.id.eq($2.id + 3)
      }.fetchAll(db)
      same(
        texts(full).sorted(),
        [
          "1 Milk Shop nil nil", "2 Bread Shop nil nil", "3 Eggs Home nil nil", "4 Don't Home 1 car",
          "nil nil nil 2 home",
        ])
      // Queries that chose none add none.
      let pair = Reminder.order(by: \.id).join(List.all) { $0.listID.eq($1.id) }
      same(try pair.join(Tag.select(\.title)) { $0.id.eq($2.id) }.fetchAll(db), ["car", "home"])
      let ids: [(Int?, String?)] = try pair.leftJoin(Tag.select { ($0.id, $0.title) }) { $0.id.eq($2.id) }.fetchAll(db)
      same(texts(ids), ["1 car", "2 home", "nil nil", "nil nil"])
      let single: [(String, Int)] = try Reminder.order(by: \.id).join(List.select(\.name)) { $0.listID.eq($1.id) }
        .join(Tag.select(\.id)) { $0.id.eq($2.id) }.fetchAll(db)
      same(texts(single), ["Shop 1", "Shop 2"])
      let whole: [(Reminder, List, String)] = try pair.select { ($0, $1) }
        .join(Tag.all) { $0.id.eq($2.id) }.select { ($0, $1, $2.title) }.fetchAll(db)
      same(whole.map { "\($0.0.id) \($0.1.name) \($0.2)" }, ["1 Shop car", "2 Shop home"])
      // Of a fourth side that a join may leave out everything is optional.
      let kept: [(Int?, String?, String?)] = try two.rightJoin(Tag.all) { $0.id.eq($2.id + 3) }.fetchAll(db)
      same(texts(kept).sorted(), ["4 Don't Home", "nil nil nil"])
    }
  }
}
