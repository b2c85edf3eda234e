/// Queries that once gave an answer that was not asked for, without a word.
import Foundation
import Martlet
import Testing

@Suite struct AnswerTests {
  typealias Measure = Measures.Measure
  typealias Event = Measures.Event
  typealias Article = Measures.Article

  /// Triggers by their closures, and how many statements each has.
  private static let triggers: [(sql: String, count: Int)] = [
    (Measure.createTrigger("one", after: .insert { _ in Event.insert { Event(id: 1) } }).sql, 1),
    (
      Measure.createTrigger(
        "two",
        after: .insert { new in
          Event.insert {
            ($0.id, $0.name)
          } values: {
            (new.id, new.kind)
          }
          Measure.find(1).update { $0.value = 1 }
        }
      ).sql, 2
    ),
    (
      Measure.createTrigger(
        "three",
        after: .update { _, new in
          Event.insert {
            $0.id
          } values: {
            new.id
          }
          #sql("DELETE FROM \(Event.self)", as: Never.self)
          Event.delete()
        }
      ).sql, 3
    ),
    (
      Measure.createTemporaryTrigger(
        "raw",
        after: .insert { _ in
          #sql("DELETE FROM \(Event.self)", as: Never.self)
          #sql("SELECT 1", as: Int.self)
        }
      ).sql, 2
    ),
    (
      Measure.createTrigger(
        "old",
        before: .delete { old in
          Event.find(1).delete()
          Event.insert {
            $0.id
          } values: {
            old.id
          }
        }
      ).sql, 2
    ),
    (
      Measure.createTrigger(
        "touch",
        after: .insert(touch: {
          $0.value = 1
          $0.kind += "!"
          $0.updatedAt = Date(0)
        })
      ).sql, 1
    ),
    (Measure.createTrigger("touched", after: .update(touch: { $0.fields.count += 1 })).sql, 1),
    (Measure.createTrigger("moment", after: .update(touch: \.updatedAt)).sql, 1),
  ]

  @Test func `a trigger runs the statements of its closure, however many they are`() {
    for trigger in Self.triggers {
      let body = trigger.sql.split(separator: "BEGIN", maxSplits: 1).last ?? ""
      same(body.filter { $0 == ";" }.count, trigger.count)
      #expect(!trigger.sql.contains("WHERE 0"), "\(trigger.sql)")
    }
  }

  @Test func `a choice of no column is not one of any`() {
    let isWanted = false
    let noColumn = Measure.createTrigger(
      after: .update(of: { if isWanted { $0.kind } }) { _, _ in Event.delete() })
    #expect(noColumn.built.failure != nil)
    let noConflict = Event.insert {
      Event(id: 1)
    } onConflict: {
      if isWanted { $0.id }
    } doUpdate: {
      $0.name = "?"
    }
    #expect(noConflict.built.failure != nil)
    #expect(Event.insert { Event(id: 1) }.onConflictDoNothing { if isWanted { $0.id } }.built.failure != nil)
  }

  @Test func `what is computed of a column is none that a trigger waits for, or that an insert writes`() {
    // Without the column it would be a trigger for any update.
    let computed = Event.createTrigger(after: .update(of: \.shout) { _, _ in Event.delete() })
    #expect(computed.built.failure?.description.contains("compare it in 'when'") == true)
    let beside = Event.createTrigger(after: .update(of: { ($0.id, $0.name.upper()) }) { _, _ in Event.delete() })
    #expect(beside.built.failure != nil)
    // Without it the values would go into the columns that the table begins with.
    let values = Event.insert {
      ($0.name.upper(), $0.id + 1)
    } values: {
      ("a", 1)
    }
    #expect(values.built.failure?.description.contains("Name the columns themselves") == true)
    let query = Event.insert {
      $0.shout
    } select: {
      Event.select { $0.name }
    }
    #expect(query.built.failure != nil)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a partial index with values in its filter is met by them`(_ home: DatabaseHome) throws {
    let index = #"CREATE UNIQUE INDEX "wide" ON "events" ("name") WHERE "id" > 100 AND "name" <> 'x';"#
    try home.open(Measures.script + index).write { db in
      func write(_ id: Int) throws {
        try Event.insert {
          Event(id: id, name: "wide")
        } onConflict: {
          $0.name
        } where: {
          $0.id > 100
          $0.name.neq("x")
        } doUpdate: {
          $0.name += "r"
        }.execute(db)
      }
      try write(201)
      try write(202)
      same(try Event.where { $0.id > 100 }.fetchAll(db), [Event(id: 201, name: "wider")])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a group is ordered by each of its columns, in either direction`(_ home: DatabaseHome) throws {
    try home.open(Measures.script).read { db in
      let ids = try Measure.order { ($0.fields.desc(), $0.id) }.select(\.id).fetchAll(db)
      same(ids, try Int.fetchAll(db, sql: #"SELECT id FROM measures ORDER BY "count" DESC, "limit" DESC, id"#))
      let terms = Measure.order { $0.fields.asc(nulls: .last) }.sql
      #expect(terms.hasSuffix(#"ORDER BY "measures"."count" ASC NULLS LAST, "measures"."limit" ASC NULLS LAST"#))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row's NULL decides nothing about an aggregate that is made of the value`(_ home: DatabaseHome) throws {
    try home.open(Measures.script).read { db in
      let groups = Measure.group(by: \.kind).order(by: \.kind)
      same(try groups.select { $0.value.flatMap { $0.sum() } }.fetchAll(db), [12, 3, nil])
      same(try groups.select { $0.value.flatMap { $0.max() } }.fetchAll(db), [7, 3, nil])
      same(try groups.select { $0.value.map { $0.count() } }.fetchAll(db), [2, 1, 0])
      same(try groups.select { $0.value.flatMap { $0.sum() + $0.min() } }.fetchAll(db), [17, 6, nil])
      let running = Measure.order(by: \.id).select { row in
        row.value.flatMap { $0.sum().over(.order(by: row.id)) }
      }
      same(try running.fetchAll(db), [nil, 5, 12, 15, 15, 15])
      // A window function that reads other columns is a value of the row.
      let rows = Measure.order(by: \.id)
      let numbered = rows.select { row in row.value.map { _ in rowNumber().over(.order(by: row.id)) } }
      same(try numbered.fetchAll(db), [nil, 2, 3, 4, nil, nil])
      let ids = rows.select { row in row.value.map { _ in row.id.sum().over(.order(by: row.id)) ?? 0 } }
      same(try ids.fetchAll(db), [nil, 3, 6, 10, nil, nil])
      let chosen = rows.select { row in
        row.value.map { value in Case().when(value > 3, then: row.id.sum().over(.order(by: row.id)) ?? 0).else(-1) }
      }
      same(try chosen.fetchAll(db), [nil, 3, 6, -1, nil, nil])
      let ranked = rows.select { row in row.value.map { rank().over(.order(by: $0)) } }
      same(try ranked.fetchAll(db), [1, 5, 6, 4, 1, 1])
      // Of an aggregate itself, and of a row's value, NULL stays NULL.
      same(try groups.select { $0.value.max().map { $0 + 1 } }.fetchAll(db), [8, 4, nil])
      same(try groups.select { $0.value.map { #sql("sum(\($0))", as: Int?.self) } }.fetchAll(db), [12, 3, nil])
      same(try Measure.order(by: \.id).select { $0.value.map { $0 + 1 } }.fetchAll(db), [nil, 6, 8, 4, nil, nil])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `texts are marked and weighed by the columns of the database`(_ home: DatabaseHome) throws {
    try home.open(Measures.script).read { db in
      let found = Article.where { $0.match("bird") }
      let marks = try found.order(by: \.rowid).select { $0.title.highlight("<", ">") }.fetchAll(db)
      same(marks, ["a <bird>", "no", "no"])
      same(
        try found.order(by: \.rowid).select { $0.body.highlight("<", ">") }.fetchAll(db),
        ["no", "<bird> <bird> and a <bird>", "no"])
      let snippets = found.order(by: \.rowid).select { $0.body.snippet("<", ">", "…", 1) }
      same(try snippets.fetchAll(db).map { $0?.contains("<bird>") }, [false, true, false])
      for (title, body, first) in [(100.0, 0.01, 1), (0.01, 100.0, 2)] {
        same(try found.order { $0.bm25([\.title: title, \.body: body]) }.select(\.rowid).fetchAll(db).first, first)
        same(try found.order { $0.bm25(body, title) }.select(\.rowid).fetchAll(db).first, first)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a column of a group reads the row that an update changes`(_ home: DatabaseHome) throws {
    try home.open(Measures.script).write { db in
      try Measure.find(1).update {
        $0.fields.count = $0.fields.limit + 5
        $0.fields.limit += $0.fields.count
        $0.fields.limit += 1
      }.execute(db)
      try Measure.insert {
        Measure(id: 1, fields: .init(count: 100, limit: 200))
      } onConflictDoUpdate: { row, excluded in
        row.fields.limit = row.fields.limit + excluded.fields.limit
      }.execute(db)
      same(try Measure.find(1).select { $0.fields }.fetchOne(db), Measure.Fields(count: 7, limit: 204))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a division that has no result is nil, and one by the number 0 is refused`(_ home: DatabaseHome) throws {
    try home.open(Measures.script).read { db in
      let row = Measure.find(2)
      same(try row.select { $0.fields.limit / ($0.fields.count - 1) }.fetchAll(db), [nil])
      same(try row.select { $0.fields.limit % ($0.fields.count - 1) }.fetchAll(db), [nil])
      same(try row.select { 4 / ($0.fields.count - 1) }.fetchAll(db), [nil])
      same(try row.select { $0.fields.limit / 2 }.fetchAll(db), [1])
      same(try row.select { $0.fields.limit / $0.fields.count }.fetchAll(db), [2])
      let more = Measure.where { ($0.value ?? 0) / $0.fields.limit > 1 }.order(by: \.id)
      same(try more.select(\.id).fetchAll(db), [2, 3])
      #expect(throws: QueryBindingFailure.self) { try row.select { $0.fields.limit / 0 }.fetchAll(db) }
      #expect(throws: QueryBindingFailure.self) { try row.select { $0.fields.limit % 0 }.fetchAll(db) }
    }
  }
}
