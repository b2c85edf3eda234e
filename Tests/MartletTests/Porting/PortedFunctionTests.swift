/// JSON, full-text search, functions and triggers in the spellings of other libraries.
import Foundation
import Martlet
import Testing

@DatabaseFunction private var firstDay: Date { Date(timeIntervalSinceReferenceDate: 0) }
@DatabaseFunction private func concat(_ first: String, with second: String) -> String { first + "+" + second }
@DatabaseFunction private func spread(of pairs: some Sequence<(first: Int, second: Int)>) -> Int {
  pairs.reduce(0) { $0 + $1.first * $1.second }
}

private enum Answers {
  @DatabaseFunction static var answer: Int? { 42 }
}

@DatabaseFunction("order by") private func odd(_ number: Int) -> Int { number + 1 }

@Suite struct PortedFunctionTests {
  typealias Item = Port.Item
  typealias Reminder = Port.Reminder
  typealias ReminderText = Port.ReminderText

  @Test(arguments: DatabaseHome.allCases)
  func `elements of documents have keys and values of their types`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      let tags = Item.join { $0.tags.jsonEach() }
      let keys: [Int] = try tags.select { $1.key }.fetchAll(db)
      same(keys, [0, 1])
      same(try tags.where { $1.key.eq(1) }.select { $1.value }.fetchAll(db), ["b"])
      let objects = Item.join { $0.objects.jsonEach() }
      same(try objects.select { $1.value }.fetchAll(db).map(\.title), ["one", "two"])
      same(try objects.where { $1.value.jsonExtract(\.title).eq("two") }.select { $1.key }.fetchAll(db), [1])
      let names: [String] = try Item.join { $0.counts.jsonEach() }.where { $1.value > 1 }.select { $1.key }.fetchAll(db)
      same(names, ["y"])
      same(try Item.join { $0.named.jsonEach() }.select { $1.value }.fetchAll(db), [Port.Tag(id: 3, title: "three")])
      same(try Item.join { $0.maybe.jsonEach() }.select { $1.value }.fetchAll(db), ["m"])
      let whole = try tags.select { $1 }.fetchAll(db)
      same(whole.map(\.key), [0, 1])
    }
  }

  @Test func `a function is called by its name, in quotation marks where it needs them`() throws {
    same(Values($odd(1)).sql, "SELECT \"order by\"(?1)")
    same(Values($spread(1, 2)).sql, "SELECT spread(?1, ?2)")
    let database = try DatabaseQueue()
    try database.write { db in
      db.add(function: $odd)
      same(try Values($odd(1)).fetchOne(db), 2)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `places of documents are read and changed by index and by name`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let item = Item.find(1)
      same(try item.select { $0.objects.jsonExtract(\.[1].title) }.fetchAll(db), ["two"])
      same(try item.select { $0.objects.jsonExtract(\.[-1]) }.fetchAll(db), [Port.Tag(id: 2, title: "two")])
      same(try item.select { $0.counts.jsonExtract(\.["y"]) }.fetchAll(db), [2])
      same(try item.select { $0.named.jsonExtract(\.["k"].title) }.fetchAll(db), ["three"])
      same(try item.select { $0.maybe.jsonExtract(\.[0]) }.fetchAll(db), ["m"])
      try item.update {
        $0.tags = $0.tags.jsonAppend("c").jsonAppend("d")
        $0.objects = $0.objects.jsonAppend(Port.Tag(id: 3, title: "x"))
        $0.counts[\.["x"]] = 9
        $0.named[\.["k"].title] = "new"
      }.execute(db)
      let changed = try item.fetchOne(db)
      same(changed?.tags, ["a", "b", "c", "d"])
      same(changed?.objects.map(\.id), [1, 2, 3])
      same(changed?.counts, ["x": 9, "y": 2])
      same(changed?.named["k"]?.title, "new")
      let appended = Item.select { $0.tags.jsonAppend("c").jsonAppend("d") }
      let call = #"json_insert("items"."tags", '$[#]', json(?1), '$[#]', json(?2))"#
      #expect(appended.sql.contains(call), "\(appended.sql)")
      same(try Item.where { $0.tags.eq(#bind(["a", "b", "c", "d"])) }.select(\.id).fetchAll(db), [1])
      try Item.insert {
        ($0.id, $0.tags)
      } values: {
        (7, #bind(["v"]))
        (8, ["w"])
      }.execute(db)
      same(try Item.where { $0.id > 6 }.order(by: \.id).select(\.tags).fetchAll(db), [["v"], ["w"]])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `any text can be searched for`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      func found(_ text: String) throws -> [Int] {
        try ReminderText.where { $0.match(text) }.order(by: \.rowid).select(\.reminderID).fetchAll(db)
      }
      for (text, ids) in [
        ("don't", [1]), ("foo-bar", [1]), ("take OR apple", [2, 3]), ("bread NOT take", [2]), ("\"take bread\"", [3]),
        ("tak*", [3]), ("title:bread", [2]), ("{title notes} : bread", [2, 3]), ("NEAR(take bread, 2)", [3]),
        ("(milk OR eggs) AND NOT", []), ("", []), ("\"", []), ("a AND", []), ("*", []), ("AND", [1]), ("^take", [3]),
        ("take + bread", [3]), ("50%", []), ("a:b:", []), ("()", []), ("milk)", [1]), ("NEAR(", []),
        ("-bread", [2, 3]),
      ] {
        same(try found(text), ids)
      }
      same(try ReminderText.where { $0.match("xmilk".dropFirst()) }.select(\.reminderID).fetchAll(db), [1])
      same(try ReminderText.where { $0.match(FTS5Pattern("eggs OR milk")) }.count().fetchOne(db), 2)
      // In a column, all of a text is words.
      same(try ReminderText.where { $0.notes.match("don't") }.select(\.reminderID).fetchAll(db), [1])
      same(try ReminderText.where { $0.title.match("bread") }.select(\.reminderID).fetchAll(db), [2])
      same(try ReminderText.where { $0.notes.match("take OR apple") }.count().fetchOne(db), 0)
      same(ReminderText.where { $0.title.match("a \"b\"") }.parameters, [.text("title:\"a \"\"b\"\"\"")])
    }
  }

  /// Texts of FTS5's own words and marks, of which about one in ten is a pattern.
  private static func randomText(_ generator: inout some RandomNumberGenerator) -> String {
    let parts = [
      "take", "bread", "title", "notes", "Notes", "note", "AND", "OR", "NOT", "NEAR", "\"", "\"\"", "(", ")", ":", "{",
      "}",
      "-", "+", "*", "^", ",", "3", "３", ".", "'", ";", "\0", "\u{1A}", "é", "\"\u{301}", "\n", "%", "🙂", "(take)",
      "NEAR(",
      "title:", "{title}:", "-title:", "\"a b\"",
    ]
    return (0..<Int.random(in: 0...9, using: &generator)).map { _ in
      parts.randomElement(using: &generator)! + (Bool.random(using: &generator) ? " " : "")
    }.joined()
  }

  @Test func `no text makes a search fail`() throws {
    let levels = [
      "(", "take AND (", "take OR bread AND take NOT {title notes}:(", "-title:(", "title:", "{", "-", "^", "\"",
    ]
    var texts = [
      "hello (world)", "(take) bread", "a:b:c", "{}:take", "NEAR(take, ３)", "x(y)", "\"NEAR\"(take)", "title:",
    ]
    for level in levels {
      for count in [1, 9, 10, 11, 40] {
        texts.append(String(repeating: level, count: count) + "take" + String(repeating: ")", count: count))
      }
      // However long it is, it is read without a level of the stack for each.
      let long = String(repeating: level, count: 50_000)
      #expect(!FTS5Pattern(long).description.isEmpty)
    }
    for op in [" AND ", " OR ", " NOT ", " ", " + "] {
      texts.append(Array(repeating: "take", count: 300).joined(separator: op))
    }
    var generator = SystemRandomNumberGenerator()
    texts += (0..<3_000).map { _ in Self.randomText(&generator) }
    try DatabaseHome.embedded.open(Port.script).read { db in
      for text in texts {
        do {
          _ = try ReminderText.where { $0.match(text) }.count().fetchOne(db)
          _ = try ReminderText.where { $0.match(.allPrefixes(in: text)) }.count().fetchOne(db)
          _ = try ReminderText.where { $0.title.match(text) }.count().fetchOne(db)
        } catch {
          Issue.record("\(text.prefix(100).debugDescription): \(error)")
        }
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what FTS5 can parse is a pattern and no phrase`(_ home: DatabaseHome) throws {
    try home.open(Port.script).read { db in
      func found(_ text: String) throws -> [Int] {
        try ReminderText.where { $0.match(text) }.order(by: \.rowid).select(\.reminderID).fetchAll(db)
      }
      let all = try ReminderText.order(by: \.rowid).select(\.reminderID).fetchAll(db)
      for text in [
        "take OR (apple OR eggs) OR milk", "title:(bread OR milk) OR notes:(take OR apple)",
        "-{notes}:bread OR \"title\":milk",
        "TITLE:bread NOT zzz", "NEAR(take bread) OR NEAR(\"take\" bread,5)", "a OR ^take + br*", "bre* take",
        String(repeating: "(", count: 9) + "take OR zzz" + String(repeating: ")", count: 9),
      ] {
        let rows = try found(text)
        #expect(!rows.isEmpty && Set(rows).isSubset(of: all), "\(text)")
      }
      // The same words as a phrase are nowhere.
      for text in ["note: bread", "take (bread)", "(take) bread"] { #expect(try found(text).count <= 1, "\(text)") }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a side that a join may leave out, and an alias, have the functions of the search`(_ home: DatabaseHome) throws {
    enum Other: AliasName {}
    try home.open(Port.script).read { db in
      let left = Reminder.leftJoin(ReminderText.matching("bread")) { $0.id.eq($1.reminderID) }
        .order { row, _ in row.id }
      same(try left.select { $1.notes.highlight("<", ">") }.fetchAll(db), [nil, "an apple", "take <bread>", nil])
      let snippets = try left.select { $1.notes.snippet("<", ">", "…", 3) }.fetchAll(db)
      same(snippets.map { $0 != nil }, [false, true, true, false])
      same(try left.select { $1.bm25() }.fetchAll(db).map { $0 != nil }, [false, true, true, false])
      same(try left.select { $1.rank }.fetchAll(db).map { $0 != nil }, [false, true, true, false])
      let named = ReminderText.as(Other.self).where { $0.match("bread") }.order(by: \.rowid)
      same(try named.select { $0.notes.highlight("<", ">") }.fetchAll(db), ["an apple", "take <bread>"])
      same(try named.select { $0.title }.fetchAll(db), ["Bread", "Eggs"])
    }
  }

  @Test func `functions are called as properties, without labels and by names of a later SQLite`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: $firstDay)
      db.add(function: $concat)
      db.add(function: $spread)
      db.add(function: Answers.$answer)
    }
    let database = try DatabaseQueue(configuration: configuration)
    try database.write { try $0.execute(sql: Port.script) }
    try database.read { db in
      same(try Values($firstDay).fetchAll(db), [Date(timeIntervalSinceReferenceDate: 0)])
      same(try Values($firstDay()).fetchAll(db), [Date(timeIntervalSinceReferenceDate: 0)])
      same(try Reminder.where { $0.id.is(Answers.$answer) }.count().fetchOne(db), 0)
      same(try Values($concat("a", "b")).fetchAll(db), ["a+b"])
      same(try Values($concat("a", with: "b")).fetchAll(db), ["a+b"])
      same(try Reminder.select { $spread($0.id, $0.listID) }.fetchAll(db), [17])
    }
  }

  @Table struct Binary {
    let id: Int
    @Column(as: [String].JSONBRepresentation.self) var tags: [String]
    var meta: Meta
  }

  @Selection struct Meta {
    var note: String
    @Column(as: [Int].JSONBRepresentation.self) var numbers: [Int]
  }

  @Test func `binary JSON is read as text wherever it stands, and compared as it is stored`() {
    let (tags, numbers) = (#"json("binaries"."tags")"#, #"json("binaries"."numbers")"#)
    let row = Binary(id: 1, tags: ["a"], meta: Meta(note: "n", numbers: [1]))
    let reads: [(any MartletQuery.Statement, [String])] = [
      (Binary.all, [tags, numbers]), (Binary.select(\.tags), [tags]), (Binary.select(\.meta), [numbers]),
      (Binary.select { ($0.id, $0.meta) }, [numbers]), (Binary.select { $0.meta.numbers }, [numbers]),
      (Port.Tag.leftJoin(Binary.all) { $0.id.eq($1.id) }.select { $1.meta }, [numbers]),
      (Port.Tag.leftJoin(Binary.all) { $0.id.eq($1.id) }.select { $1 }, [tags, numbers]),
      (Binary.delete().returning { ($0.id, $0.meta) }, [#"json("numbers")"#]),
      (Binary.insert { row }.returning(\.self), [#"json("tags")"#, #"json("numbers")"#]),
    ]
    for (statement, texts) in reads {
      for text in texts { #expect(statement.sql.contains(text), "\(statement.sql)") }
    }
    let compared = Binary.where { $0.meta.eq(row.meta) }.select(\.id).sql
    #expect(compared.contains(#"("binaries"."note", "binaries"."numbers") = (?1, jsonb(?2))"#), "\(compared)")
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a name that SQLite finds in no document is refused, and others are found`(_ home: DatabaseHome) throws {
    try home.open(Port.script).write { db in
      let names = ["", " ", "a b", "a.b", "a[0]", "$", "0", "#-1", "ü", "🙂", "it's", "a/b", "A", "a", "key", "%"]
      let counts = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      try Port.Item.insert { Port.Item(id: 9, counts: counts) }.execute(db)
      for (number, name) in names.enumerated() {
        same(try Port.Item.find(9).select { $0.counts.jsonExtract(\.[name]) }.fetchOne(db), number)
        try Port.Item.find(9).update { $0.counts[\.[name]] += 100 }.execute(db)
        same(try Port.Item.find(9).select { $0.counts.jsonExtract(\.[name]) }.fetchOne(db), number + 100)
      }
      same(try Port.Item.find(9).fetchOne(db)?.counts, counts.mapValues { $0 + 100 })
      for name in ["\"", "a\"b", "a\".\"b", "\\", "a\\b", "\n", "\0", "\t"] {
        #expect(throws: (any Error).self) {
          try Port.Item.find(9).select { $0.counts.jsonExtract(\.[name]) }.fetchOne(db)
        }
        #expect(throws: (any Error).self) { try Port.Item.find(9).update { $0.counts[\.[name]] = 1 }.execute(db) }
        #expect(throws: (any Error).self) {
          try Port.Item.find(9).select { $0.counts.jsonRemove(\.[name]) }.fetchOne(db)
        }
      }
      same(try Port.Item.find(9).fetchOne(db)?.counts.count, counts.count)
    }
  }

  @Test func `a touch takes a moment in SQL`() {
    typealias Measure = Measures.Measure
    let updated = Measure.createTrigger("u", after: .update(touch: \.updatedAt, date: #sql("datetime('now')")))
    #expect(updated.sql.contains("SET \"updatedAt\" = datetime('now')"), "\(updated.sql)")
    let inserted = Measure.createTrigger("i", after: .insert(touch: \.updatedAt, date: #sql("datetime('now')")))
    #expect(inserted.sql.contains("SET \"updatedAt\" = datetime('now')"), "\(inserted.sql)")
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a trigger names the columns that it waits for before its body`(_ home: DatabaseHome) throws {
    let database = try home.open(
      Port.script,
      temporary: { db in
        try Reminder.createTemporaryTrigger(
          "titled",
          after: .update {
            ($0.title, $0.isFlagged)
          } forEachRow: { _, new in
            Port.Tag.insert {
              ($0.id, $0.title)
            } values: {
              (new.id + 100, new.title)
            }
          } when: { old, new in
            old.title.neq(new.title)
          }
        ).execute(db)
      })
    try database.write { db in
      try Reminder.find(1).update { $0.title = "Oats" }.execute(db)
      try Reminder.find(2).update { $0.isCompleted = false }.execute(db)
      try Reminder.find(3).update { $0.isFlagged = false }.execute(db)
      same(try Port.Tag.where { $0.id > 100 }.fetchAll(db), [Port.Tag(id: 101, title: "Oats")])
    }
  }
}
