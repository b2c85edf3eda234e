/// Spellings of other libraries that once did not compile, or gave something else.
import Foundation
import Martlet
import Testing

@Suite struct PortedQueryTests {
  typealias Reminder = Port.Reminder
  typealias Shown = Port.Shown
  typealias Tag = Port.Tag
  typealias List = Port.List

  private func ids(_ query: some Statement<Int>, _ db: Database) throws -> [Int] { try query.fetchAll(db).sorted() }

  @Test(arguments: DatabaseHome.allCases)
  func `a limit and an offset may be nil, or depend on a condition`(_ home: DatabaseHome) throws {
    let (none, two): (Int?, Int?) = (nil, 2)
    let isWanted = false
    try home.open(Port.script).read { db in
      let all = Reminder.order(by: \.id).select(\.id)
      same(try all.limit(none).fetchAll(db), [1, 2, 3, 4])
      same(try all.limit(nil).offset(nil).fetchAll(db), [1, 2, 3, 4])
      same(try all.limit(two).fetchAll(db), [1, 2])
      same(try all.limit(two).limit(none).fetchAll(db), [1, 2])
      same(try all.limit(1, offset: two).fetchAll(db), [3])
      same(try all.offset(two).fetchAll(db), [3, 4])
      same(try Reminder.limit(none).fetchAll(db).count, 4)
      same(try Reminder.offset(two).select(\.id).fetchAll(db).count, 2)
      same(try all.limit { _ in if isWanted { 1 } }.fetchAll(db), [1, 2, 3, 4])
      same(try all.limit { _ in if !isWanted { 1 } else { 3 } }.fetchAll(db), [1])
      same(try all.limit { _ in Reminder.select { $0.id.count() } - 1 }.fetchAll(db), [1, 2, 3])
      same(try all.offset { _ in if !isWanted { 3 } }.fetchAll(db), [4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `conditions alone are of the table that is known`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      same(try ids(Reminder.where(\.isCompleted).and(.where(\.isFlagged)).select(\.id), db), [3])
      same(try ids(Reminder.where(\.isCompleted).or(.where(\.isFlagged)).select(\.id), db), [1, 2, 3])
      same(try ids(Reminder.where(\.isCompleted).or(.where { $0.title.eq("Don't") }).select(\.id), db), [2, 3, 4])
      same(try ids(Reminder.all.and(.where(\.isFlagged)).select(\.id), db), [1, 3])
      // The default scope is that of what they are combined with.
      same(try ids(Shown.where(\.isCompleted).or(.where { $0.id.eq(4) }).select(\.id), db), [2, 3])
      same(try ids(Shown.unscoped.where(\.isCompleted).or(.where { $0.id.eq(4) }).select(\.id), db), [2, 3, 4])
      same(try ids(Shown.unscoped.and(.where { $0.id.eq(4) }).select(\.id), db), [4])
      // Also if 'none' leaves them alone.
      let left = Shown.none.or(.where { $0.id > 2 })
      same(try ids(left.and(Shown.unscoped.where { $0.id > 0 }).select(\.id), db), [3])
      same(try ids(Shown.none.unscoped.or(.where { $0.id > 2 }).select(\.id), db), [3, 4])
      let alone: Where<Shown> = .where { $0.id > 2 }
      same(try ids(alone.select(\.id), db), [3])
      same(try ids(Reminder.where { _ in nil }.select(\.id), db), [])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `queries, updates and deletes are of the rows of several keys, of a query's and of those in SQL`(
    _ home: DatabaseHome
  ) throws {
    let last = Reminder.select { $0.id.max() }
    try home.open(Port.script).write { db in
      same(try ids(Reminder.order(by: \.title).find(last).select(\.id), db), [4])
      same(try ids(Reminder.find([#sql("1"), #sql("1 + 1")]).select(\.id), db), [1, 2])
      same(try ids(Reminder.where(\.isCompleted).find([#sql("1"), #sql("2")]).select(\.id), db), [2])
      same(try ids(Reminder.order(by: \.id).find([#sql("3"), #sql("4")]).select(\.id), db), [3, 4])
      try Reminder.update { $0.title = "a" }.find([1, 2]).execute(db)
      try Reminder.update { $0.title = "b" }.find(#sql("1 + 1")).execute(db)
      try Reminder.update { $0.title += "c" }.find([#sql("2"), #sql("3")]).execute(db)
      try Reminder.update { $0.title += "d" }.find(last).execute(db)
      try Reminder.update { $0.title = "e" }.find([Int]()).execute(db)
      same(try Reminder.order(by: \.id).select(\.title).fetchAll(db), ["a", "bc", "Eggsc", "Don'td"])
      try Reminder.delete().find(last).execute(db)
      same(try ids(Reminder.select(\.id), db), [1, 2, 3])
      try Reminder.delete().find(#sql("3")).execute(db)
      try Reminder.delete().find([#sql("2"), #sql("8")]).execute(db)
      same(try ids(Reminder.select(\.id), db), [1])
      try Reminder.delete().find([1, 2]).execute(db)
      same(try ids(Reminder.select(\.id), db), [])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the row of a key is fetched from an ordered query`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      same(try Reminder.order(by: \.title).find(db, key: 3).title, "Eggs")
      same(try Shown.order(by: \.title).limit(2).find(db, key: 1).title, "Milk")
      #expect(throws: NotFound.self) { try Reminder.order(by: \.title).find(db, key: 7) }
      #expect(throws: NotFound.self) { try Shown.order(by: \.title).find(db, key: 4) }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a list may have NULL in it, which is equal to nothing, and expressions`(_ home: DatabaseHome) throws {
    let (some, none): ([Int?], [Int?]) = ([1, 3, nil], [])
    try home.open(Port.script).read { db in
      same(try ids(Reminder.where { $0.id.in(some) }.select(\.id), db), [1, 3])
      same(try ids(Reminder.where { $0.id.in(none) }.select(\.id), db), [])
      same(try ids(Reminder.where { $0.id.notIn(some) }.select(\.id), db), [])
      same(try ids(Reminder.where { $0.id.notIn(none) }.select(\.id), db), [1, 2, 3, 4])
      same(try ids(Reminder.where { $0.priority.in([.low, nil]) }.select(\.id), db), [3])
      same(try ids(Reminder.where { $0.priority.in([Port.Priority.high, nil]) }.select(\.id), db), [1])
      same(try ids(Reminder.where { $0.priority.notIn([.high, .low]) }.select(\.id), db), [4])
      same(try ids(Reminder.where { $0.id.in([$0.listID * 1, $0.length - 1]) }.select(\.id), db), [1, 3, 4])
      same(try ids(Reminder.where { $0.id.notIn([$0.listID * 1, $0.length - 1]) }.select(\.id), db), [2])
      same(try ids(Reminder.where { $0.id.in([$0.listID, $0.id]) }.select(\.id), db), [1, 2, 3, 4])
      same(try ids(Reminder.where { $0.id.in([$0.listID + 1, $0.listID + 0]) }.select(\.id), db), [1, 2, 3])
      let list = Reminder.where { $0.priority.in([.low, nil]) }.select(\.id)
      #expect("\(list)".hasSuffix("IN ((1), (NULL)))"), "\(list)")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a variable holds the key path that is chosen`(_ home: DatabaseHome) throws {
    let title: KeyPath<Reminder.TableColumns, TableColumn<Reminder, String>> = \.title
    let flag: KeyPath<Reminder.TableColumns, TableColumn<Reminder, Bool>> = \.isFlagged
    try home.open(Port.script).write { db in
      same(try Reminder.select(title).fetchAll(db).sorted(), ["Bread", "Don't", "Eggs", "Milk"])
      same(try Reminder.where(flag).order(by: title).select(title).fetchAll(db), ["Eggs", "Milk"])
      same(try Reminder.having(\.isFlagged).group(by: \.id).select(\.id).fetchAll(db).sorted(), [1, 3])
      same(try Reminder.having(flag).group(by: \.id).select(title).fetchAll(db).sorted(), ["Eggs", "Milk"])
      same(try Reminder.find(1).update { $0.title = "Salt" }.returning(title).fetchAll(db), ["Salt"])
      same(try Reminder.find(1).delete().returning(title).fetchAll(db), ["Salt"])
      same(try Reminder.insert { Reminder.Draft(title: "Oil") }.returning(title).fetchAll(db), ["Oil"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a key may be SQL, a subquery or a part of a text`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      same(try ids(Reminder.find(#sql("1 + 1")).select(\.id), db), [2])
      same(try ids(Reminder.where(\.isCompleted).find(#sql("2")).select(\.id), db), [2])
      same(try ids(Reminder.order(by: \.id).find(#sql("3")).select(\.id), db), [3])
      same(try ids(Reminder.find(Reminder.select { $0.id.max() }.limit(1)).select(\.id), db), [4])
      let word = "Milky".prefix(4)
      same(try ids(Reminder.where { $0.title.contains(word) }.select(\.id), db), [1])
      same(try ids(Reminder.where { $0.title.hasPrefix(word) || $0.title.hasSuffix(word) }.select(\.id), db), [1])
      same(
        Reminder.update { $0.title = $0.id.cast() }.sql,
        "UPDATE \"reminders\"\nSET \"title\" = CAST(\"reminders\".\"id\" AS TEXT)")
      same(try Reminder.select { $0.id.likelihood(0.5) }.fetchAll(db).sorted(), [1, 2, 3, 4])
      let count = Reminder.select {
        AggregateFunctionExpression<Int>("count", distinct: true, $0.title, filter: $0.isCompleted)
      }
      same(try count.fetchAll(db), [2])
    }
  }

  private func recent() -> some SelectStatementOf<Reminder> { Reminder.where(\.isCompleted) }
  private var sorted: some SelectStatementOf<Reminder> { Reminder.order { $0.id.desc() } }
  private var tagged: some SelectStatement<String> {
    Reminder.join(Tag.all) { $0.id.eq($1.id) }.order { reminder, _ in reminder.id.desc() }.select { $1.title }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a query of a table may be of an opaque type and be chained`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      same(try recent().where(\.isFlagged).order(by: \.id).select(\.id).fetchAll(db), [3])
      same(try sorted.where { $0.id < 3 }.limit(1).fetchAll(db).map(\.id), [2])
      same(try Reminder.all.asSelect().fetchAll(db).count, 4)
      same(try tagged.fetchOne(db), try tagged.fetchAll(db).first)
      same(try tagged.asSelect().limit(1).fetchAll(db).count, 1)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `drafts have the scopes and the rows of expressions of their table`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      same(try Reminder.Draft.all.incomplete.where { $0.id > 1 }.fetchAll(db).map(\.title), ["Don't"])
      same(try Reminder.Draft.find(1).fetchAll(db).map(\.title), ["Milk"])
      let copies = Reminder.where(\.isFlagged).order(by: \.id).select {
        Reminder.Draft.Columns(title: $0.title.upper(), isFlagged: $0.isFlagged, priority: $0.priority)
      }
      let drafts = try copies.fetchAll(db)
      same(drafts.map(\.title), ["MILK", "EGGS"])
      same(drafts.map(\.id), [nil, nil])
      try Reminder.insert {
        Reminder(id: 10, title: "Row")
        Reminder.Draft(title: "Draft")
        Reminder.Draft.Columns(title: #sql("'Dr' || 'aft'"), priority: #bind(.low))
        drafts
        for number in 20..<22 { Reminder(id: number, title: "\(number)") }
      }.execute(db)
      same(
        try Reminder.where { $0.id > 4 }.order(by: \.id).select(\.title).fetchAll(db),
        ["Row", "Draft", "Draft", "MILK", "EGGS", "20", "21"])
      try Tag.insert { Tag.Columns(id: 5, title: Reminder.find(1).select(\.title)) }.execute(db)
      same(try Tag.find(5).select(\.title).fetchAll(db), ["Milk"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the key of a draft's columns is the table's, and that of a draft may be nil`(_ home: DatabaseHome) throws {
    let key: TableColumn<Reminder.Draft, Int> = Reminder.Draft.columns.id
    try home.open(Port.script).write { db in
      let keys: [Int] = try Reminder.Draft.all.order(by: \.id).select(\.id).fetchAll(db)
      same(keys, [1, 2, 3, 4])
      let drafts: [Int?] = try Reminder.Draft.all.order(by: \.id).fetchAll(db).map(\.id)
      same(drafts, [1, 2, 3, 4])
      let of = try Reminder.Draft.all.where { _ in key > 2 }.where { $0.id.eq(Int?(3)) }.fetchAll(db)
      same(of.map(\.id), [3])
      same(try Reminder.Draft.all.where { $0.id.is(nil) }.fetchCount(db), 0)
      let made = Tag.where { $0.id.eq(1) }.select { Tag.Draft.Columns(id: #bind(nil), title: $0.title) }
      same(try made.fetchAll(db).map(\.id), [nil])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a conflict without an update leaves the row`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let statements: [any Statement<Never>] = [
        Tag.insert {
          Tag(id: 1, title: "other")
        } onConflict: {
          $0.id
        },
        Tag.insert {
          Tag.Draft(title: "car")
        } onConflict: {
          $0.title
        },
        Tag.insert {
          ($0.id, $0.title)
        } values: {
          (2, "car2")
        } onConflict: {
          $0.id
        },
        Tag.insert {
          $0.title
        } values: {
          "home"
        } onConflict: {
          $0.title
        },
      ]
      for statement in statements { try statement.execute(db) }
      same(try Tag.order(by: \.id).fetchAll(db), [Tag(id: 1, title: "car"), Tag(id: 2, title: "home")])
      let partial = Tag.insert {
        Tag(id: 1, title: "x")
      } onConflict: {
        $0.title
      } where: {
        $0.id > 3
      }
      #expect(partial.sql.hasSuffix("ON CONFLICT (\"title\")\nWHERE ((\"id\") > (3))\nDO NOTHING"), "\(partial.sql)")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a query's row that conflicts is left out without an update`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let statements: [any Statement<Never>] = [
        Tag.insert {
          ($0.id, $0.title)
        } select: {
          Tag.select { ($0.id, $0.title + "3") }
        } onConflict: {
          $0.id
        },
        Tag.insert {
          $0.title
        } select: {
          Tag.select(\.title)
        } onConflict: {
          $0.title
        },
      ]
      for statement in statements { try statement.execute(db) }
      same(try Tag.order(by: \.id).fetchAll(db), [Tag(id: 1, title: "car"), Tag(id: 2, title: "home")])
      try Tag.insert {
        ($0.id, $0.title)
      } select: {
        Tag.select { ($0.id + 1, $0.title + "3") }
      } onConflict: {
        $0.id
      }
      .execute(db)
      let tags = [Tag(id: 1, title: "car"), Tag(id: 2, title: "home"), Tag(id: 3, title: "home3")]
      same(try Tag.order(by: \.id).fetchAll(db), tags)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a mark of a pattern is a character where a text is looked for`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let titles = ["50%", "50x", "a_b", "axb", "c\\d", "[e]*"]
      for (number, title) in titles.enumerated() { try Tag.insert { Tag(id: 20 + number, title: title) }.execute(db) }
      let tags = Tag.where { $0.id > 9 }
      same(try ids(tags.where { $0.title.contains("0%") }.select(\.id), db), [20])
      same(try ids(tags.where { $0.title.contains("_") }.select(\.id), db), [22])
      same(try ids(tags.where { $0.title.hasPrefix("a_") }.select(\.id), db), [22])
      same(try ids(tags.where { $0.title.hasSuffix("%") }.select(\.id), db), [20])
      same(try ids(tags.where { $0.title.contains("\\") }.select(\.id), db), [24])
      same(try ids(tags.where { $0.title.contains("*") }.select(\.id), db), [25])
      same(try ids(tags.where { $0.title.contains("") }.select(\.id), db), [20, 21, 22, 23, 24, 25])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row is a query of itself`(_ home: DatabaseHome) throws {
    let car = Tag(id: 9, title: "car")
    try home.open(Port.script).read { db in
      same(try car.statement.fetchAll(db), [car])
      same(try car.union(Tag.find(1)).order { Tag.columns.id }.fetchAll(db), [Tag(id: 1, title: "car"), car])
      same(try car.union(all: true, car.statement).fetchAll(db), [car, car])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows of an alias stand in a selection as those of the table`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let pairs = List.leftJoin(List.as(Next.self).all) { ($0.id + 1).eq($1.id) }.order { list, _ in list.id }
      let neighbours = pairs.select { Neighbours.Columns(list: $0, next: $1.unaliased()) }
      same(try neighbours.fetchAll(db).map(\.next?.name), ["Home", "Empty", nil])
      let inner = List.join(List.as(Next.self).all) { ($0.id + 1).eq($1.id) }.order { list, _ in list.id }
      same(try inner.select { $1.unaliased() }.fetchAll(db).map(\.name), ["Home", "Empty"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a compound within a compound is one of its terms`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let tags = Tag.select(\.id)
      let nested = tags.except(Tag.find(1).select(\.id).union(all: true, tags))
      same(try nested.fetchAll(db), [])
      same(nested.sql.contains("EXCEPT\nSELECT * FROM ("), true)
      same(try tags.except(Tag.find(1).select(\.id)).union(all: true, tags).fetchAll(db).sorted(), [1, 2, 2])
    }
  }

  private enum Next: AliasName {}

  @Selection struct Neighbours {
    let list: List
    let next: List?
  }
}
