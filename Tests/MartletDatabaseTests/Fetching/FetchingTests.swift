/// Statements run and their rows become values, wherever the database is.
import Foundation
import MartletDatabase
import MartletQuery
import MartletValues
import Testing

@Suite struct FetchingTests {
  @Test(arguments: Home.allCases)
  func `rows become values`(home: Home) throws {
    let open = try home.open()
    try open.database.read { db in
      #expect(try Item.fetchAll(db).map(\.title) == ["Tea", "Cup", "Pot"])
      try expect(3.5) { try Item.fetchOne(db)?.price }
      #expect(try Item.where { $0.ownerID.is(nil) }.fetchAll(db) == [Item(id: 3, title: "Pot", price: 20)])
      #expect(try Item.select(\.title).order(by: \.title).fetchAll(db) == ["Cup", "Pot", "Tea"])
      #expect(try Item.none.fetchOne(db) == nil)
      let pairs = try Item.select { ($0.id, $0.price, $0.title) }.order { $0.id.desc() }.fetchAll(db)
      #expect(
        pairs.map(\.0) == [3, 2, 1] && pairs.map(\.1) == [20, nil, 3.5] && pairs.map(\.2) == ["Pot", "Cup", "Tea"])
      let joined = try Item.join(Owner.all) { $0.ownerID.eq($1.id) }.where { item, _ in item.id.eq(1) }.fetchAll(db)
      #expect(joined.count == 1 && joined[0].0.title == "Tea" && joined[0].1.name == "Anna")
      let lefts = try Item.leftJoin(Owner.all) { $0.ownerID.eq($1.id) }.order { item, _ in item.id }.fetchAll(db)
      #expect(lefts.map { $0.1?.name } == ["Anna", "Anna", nil])
    }
  }

  @Test(arguments: Home.allCases)
  func `rows are counted without being fetched`(home: Home) throws {
    let open = try home.open()
    try open.database.read { db in
      try expect(3) { try Item.fetchCount(db) }
      try expect(2) { try Item.where { $0.id > 1 }.fetchCount(db) }
      try expect(2) { try Item.all.limit(2).fetchCount(db) }
      try expect(2) { try Item.all.select(\.ownerID).distinct().fetchCount(db) }
      try expect(3) { try Item.count().fetchOne(db) }
    }
  }

  @Test(arguments: Home.allCases)
  func `a row is found by its key or it throws`(home: Home) throws {
    let open = try home.open()
    try open.database.read { db in
      try expect("Cup") { try Item.find(db, key: 2).title }
      try expect("Tea") { try Item.where { $0.ownerID.eq(1) }.find(db, key: 1).title }
      #expect(throws: NotFound.self) { try Item.find(db, key: 99) }
      #expect(throws: NotFound.self) { try Item.where { $0.ownerID.is(nil) }.find(db, key: 1) }
    }
  }

  @Test(arguments: Home.allCases)
  func `a cursor gives rows one at a time and lets others run`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      let query = Item.order(by: \.id)
      let cursor = try query.fetchCursor(db)
      try expect(1) { try cursor.next()?.id }
      // The same shape again, while the first is at its second row.
      let other = try query.fetchCursor(db)
      #expect(try Array(other).map(\.id) == [1, 2, 3])
      try expect(3) { try query.fetchAll(db).count }
      try expect(2) { try cursor.next()?.id }
      try expect(3) { try cursor.next()?.id }
      #expect(try cursor.next() == nil)
      #expect(try cursor.next() == nil)
      let titles = try Item.order(by: \.id).select { ($0.id, $0.title) }.fetchCursor(db)
      #expect(try titles.map { "\($0.0)\($0.1)" } == ["1Tea", "2Cup", "3Pot"])
    }
  }

  @Test(arguments: Home.allCases)
  func `writes tell what they did`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      try Item.insert { Item.Draft(title: "Jug") }.execute(db)
      #expect(db.lastInsertRowID == 4 && db.changesCount == 1)
      try Item.where { $0.id > 2 }.update { $0.price = 1 }.execute(db)
      #expect(db.changesCount == 2)
      let ids = try Item.insert { for n in 0..<20 { Item.Draft(title: "n\(n)") } }.returning(\.id).fetchAll(db)
      #expect(ids == Array(5..<25))
      try expect("Jug") { try Item.find(4).delete().returning(\.title).fetchOne(db) }
      try expect(23) { try Item.fetchCount(db) }
      try db.execute(sql: "UPDATE \"items\" SET \"title\" = ?1 WHERE \"id\" = ?2", arguments: ["Urn", 3])
      try expect("Urn") { try Item.find(db, key: 3).title }
      // The schema's trigger holds semicolons, and a script is cut at the right ones.
      try Item.insert { Item.Draft(id: 99, title: "  Fan") }.execute(db)
      try expect("Fan") { try Item.find(db, key: 99).title }
    }
  }

  @Test(arguments: Home.allCases)
  func `many values and large ones come back as they went`(home: Home) throws {
    let open = try home.open()
    let titles = (0..<3_000).map { "\($0) \(String(repeating: "ü", count: $0 % 50))" }
    try open.database.write { db in
      try Item.delete().execute(db)
      try Item.insert { titles.map { Item.Draft(title: $0, price: Double($0.utf8.count)) } }.execute(db)
    }
    try open.database.read { db in
      let items = try Item.order(by: \.id).fetchAll(db)
      #expect(items.map(\.title) == titles)
      #expect(items.map(\.price) == titles.map { Double($0.utf8.count) })
      let wanted = Array(stride(from: 5, to: 3_000, by: 7))
      try expect(wanted.count) { try Item.where { $0.id.in(wanted) }.fetchCount(db) }
    }
  }

  @Test(arguments: Home.allCases)
  func `a row that does not fit the type says which column`(home: Home) throws {
    let open = try home.open()
    try open.database.read { db in
      let error = #expect(throws: QueryDecodingError.self) {
        try SQLQueryExpression("SELECT 1, 'x', 'dear', 1", as: Item.self).fetchAll(db)
      }
      #expect(error?.column == 2 && error?.reason == .dataCorrupted)
      let missing = #expect(throws: QueryDecodingError.self) {
        try SQLQueryExpression("SELECT 1, NULL, 1.5, 1", as: Item.self).fetchOne(db)
      }
      #expect(missing?.column == 1 && missing?.reason == .missingRequiredColumn)
    }
  }

  @Test(arguments: Home.allCases)
  func `a row that does not fit the type is told in the same words everywhere`(home: Home) throws {
    func words<Value: QueryRepresentable>(_ sql: QueryFragment, _ type: Value.Type, _ db: Database) -> String? {
      let error = #expect(throws: QueryDecodingError.self) {
        _ = try SQLQueryExpression(sql, as: Value.self).fetchOne(db)
      }
      #expect(error?.localizedDescription == error?.description)
      let lines = error?.description.split(separator: "\n", maxSplits: 1) ?? []
      #expect(lines.last?.hasPrefix("The statement: SELECT") == true)
      return lines.first.map(String.init)
    }
    let open = try home.open()
    try open.database.read { db in
      let table = "Compare the Swift type with the table."
      #expect(words("SELECT 'x'", Int.self, db) == "Column 0, \"'x'\", holds a text and no integer. \(table)")
      #expect(
        words("SELECT 300 AS n", UInt8.self, db)
          == "Column 0, \"n\", holds an integer and no integer that fits UInt8. \(table)")
      #expect(words("SELECT x'00' AS n", Double.self, db) == "Column 0, \"n\", holds bytes and no number. \(table)")
      #expect(
        words("SELECT 1.5 AS n", String.self, db)
          == "Column 0, \"n\", holds a real number and no text in UTF-8. \(table)")
      let broken: QueryFragment = "SELECT CAST(x'FF' AS TEXT) AS n"
      if Home.embedded.contains(home) {
        #expect(
          words(broken, String.self, db) == "Column 0, \"n\", holds a text and no text in UTF-8. \(table)")
      } else {
        // A server has no place for it on the wire, and says how to read its bytes.
        let error = #expect(throws: RequestError.self) {
          _ = try SQLQueryExpression(broken, as: String.self).fetchOne(db)
        }
        #expect(error?.reason == .notUTF8 && error?.message.contains("CAST") == true)
      }
      #expect(words("SELECT 1 AS n", [UInt8].self, db) == "Column 0, \"n\", holds an integer and no bytes. \(table)")
      let value = "value that fits the Swift type"
      let remedy =
        "Read it as an optional, with 'asOptional()': SQLite computes NULL from NULL, and if a result is no number."
      for sql: QueryFragment in ["SELECT NULL AS n", "SELECT 9e999 - 9e999 AS n", "SELECT 9e999 * 0 AS n"] {
        #expect(words(sql, Double.self, db) == "Column 0, \"n\", holds NULL and no \(value). \(remedy)")
      }
      #expect(
        words("SELECT \"price\" AS \"n\" FROM \"items\" WHERE \"price\" IS NULL", Double.self, db)
          == "Column 0, \"items\".\"price\", holds NULL and no \(value). "
          + "Make the property optional, or the column NOT NULL.")
      #expect(
        words("SELECT 9223372036854775807 + 1 AS n", Int.self, db)
          == "Column 0, \"n\", holds a real number and no integer. \(table) "
          + "SQLite makes a real number of integers whose result is beyond 64 bits.")
      let missing = "Compare the Swift type with the query."
      #expect(words("SELECT 1", Item.self, db) == "The row has no column left for this: text in UTF-8. \(missing)")
      #expect(words("SELECT 1, 'Tea'", Item.self, db) == "The row has no column left for this: \(value). \(missing)")
      // A column of a table is named with the table.
      #expect(
        words("SELECT \"title\" AS \"n\" FROM \"items\"", Int.self, db)
          == "Column 0, \"items\".\"title\", holds a text and no integer. \(table)")
    }
  }

  @Test(arguments: Home.embedded)
  func `a missing table is told with the one of another spelling`(home: Home) throws {
    let open = try home.open(hasSchema: false)
    func rows(of table: String) -> SQLQueryExpression<Int> {
      SQLQueryExpression("SELECT 1 FROM \(quote: table)", as: Int.self)
    }
    let pairs = [
      ("persons", "people"), ("childs", "children"), ("settingses", "settings"), ("metadatas", "metadata"),
      ("remindersLists", "reminders_list"), ("categories", "category"), ("boxes", "Box"), ("knifes", "knives"),
    ]
    for (missing, present) in pairs {
      try open.database.write { try $0.execute(sql: "CREATE TABLE \"\(present)\" (x)") }
      let error = #expect(throws: RequestError.self) {
        try open.database.read { db in _ = try rows(of: missing).fetchAll(db) }
      }
      #expect(
        error?.message == "No such table: \(missing). There is \"\(present)\", which may be meant. Write "
          + "@Table(\"\(present)\") above its type, or rename the table.")
    }
    let error = #expect(throws: RequestError.self) {
      try open.database.read { db in _ = try rows(of: "dogs").fetchAll(db) }
    }
    #expect(error?.message == "No such table: dogs.")
  }

  @Test(arguments: Home.embedded)
  func `a table that a trigger misses is told with the one of another spelling`(home: Home) throws {
    let open = try home.open()
    let expected =
      "No such table: main.persons. There is \"people\", which may be meant. Write @Table(\"people\") above its type, "
      + "or rename the table."
    let rename = Item.find(1).update { $0.title = "Tin" }
    let raw = "UPDATE \"items\" SET \"title\" = 'Tin' WHERE \"id\" = 1"
    try open.database.write { db in
      // Both are compiled before there is a trigger.
      try rename.execute(db)
      try db.execute(sql: raw)
      try db.execute(
        sql: """
          CREATE TABLE "people" (x);
          CREATE TRIGGER "counted" AFTER UPDATE ON "items" BEGIN INSERT INTO "persons" VALUES (1); END
          """)
      let runs: [(String, () throws -> Void)] = [
        ("compiled before", { try rename.execute(db) }), ("as text", { try db.execute(sql: raw) }),
        ("compiled anew", { try Item.find(1).update { $0.title = $0.title + "!" }.execute(db) }),
        ("with rows", { _ = try Item.find(1).update { $0.title = "Tin" }.returning(\.id).fetchAll(db) }),
        ("a text of its own", { try db.execute(sql: "INSERT INTO \"persons\" VALUES (1)") }),
      ]
      for (name, run) in runs {
        let error = #expect(throws: RequestError.self) { try run() }
        #expect(error?.message.replacing("main.", with: "") == expected.replacing("main.", with: ""), "\(name)")
      }
    }
  }

  @Test(arguments: Home.allCases)
  func `an error names the node at fault`(home: Home) throws {
    let open = try home.open()
    let error = #expect(throws: RequestError.self) {
      try open.database.read { db in
        _ = try SQLQueryExpression<Int>(function: "no_such", [.bind(.int(1))]).fetchOne(db)
      }
    }
    #expect(error?.path.contains("columns[0]") == true, "\(String(describing: error))")
    let duplicate = #expect(throws: RequestError.self) {
      try open.database.write { db in try Item.insert { Item.Draft(title: "Tea") }.execute(db) }
    }
    #expect(duplicate?.code == .alreadyExists && duplicate?.column == "title")
  }

  @Test(arguments: Home.allCases)
  func `a value that cannot be bound is refused before anything runs`(home: Home) throws {
    let open = try home.open()
    #expect(throws: QueryBindingFailure.self) {
      try open.database.write { db in _ = try SQLQueryExpression<Int>(.bind(.uint(.max))).fetchAll(db) }
    }
  }

  @Test(arguments: Home.allCases)
  func `uuid and math are there as at a server`(home: Home) throws {
    let open = try home.open()
    try open.database.read { db in
      try expect(36) { try SQLQueryExpression<String>(function: "uuid", []).fetchOne(db)?.count }
      try expect(3) { try SQLQueryExpression<Double>(function: "sqrt", [.bind(.int(9))]).fetchOne(db) }
    }
  }

  @Test(arguments: Home.embedded)
  func `a table is not dropped while its rows are read, and the error says what to do`(home: Home) throws {
    let open = try home.open()
    let database = open.database
    let error = #expect(throws: RequestError.self) {
      try database.write { db in
        let items = try Item.fetchCursor(db)
        _ = try items.next()
        try db.execute(sql: "DROP TABLE items")
      }
    }
    #expect(error?.message.hasSuffix("Read that one's rows to the end before.") == true)
    #expect(error?.isRetryable == false)
    try expect(3) { try database.read { try Item.fetchCount($0) } }
  }

  @Test(arguments: Home.allCases)
  func `sections that only Unicode takes for one are two`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      try db.execute(sql: "UPDATE items SET title = char(101, 769) WHERE id = 1; DELETE FROM items WHERE id = 3")
      try db.execute(sql: "UPDATE items SET title = char(233) WHERE id = 2")
    }
    let sections = try open.database.read { db in try Item.fetchAll(db, sectionBy: \.title) }
    #expect(sections.map(\.count) == [1, 1])
    #expect(sections[id: "\u{e9}"]?.map(\.id) == [2])
  }
}
