/// FTS5: matching, ranking, marking, and patterns of what a user typed.
import MartletAST
import MartletQuery
import MartletSQLite
import Testing

@Suite struct FullTextTests {
  let sample: Sample
  init() throws {
    sample = try Sample()
    try sample.addDocuments()
  }

  @Test func `a table and a column match, in the order of their rank`() throws {
    #expect(try sample.all(DocumentText.where { $0.match("swift") }.order { $0.rowid }.select(\.rowid)) == [1, 2])
    #expect(try sample.all(DocumentText.where { $0.title.match("swift") }.select(\.rowid)) == [1])
    #expect(try sample.all(DocumentText.where { $0.match("swift") }.order(by: \.rank).select(\.rowid)) == [2, 1])
    let weighted = DocumentText.where { $0.match("swift") }.order { $0.bm25([\.title: 10, \.body: 0.1]) }
    #expect(weighted.description.contains("bm25(\"documentTexts\", coalesce(("))
    #expect(try sample.all(weighted.select(\.rowid)) == [1, 2])
    #expect(
      try sample.all(DocumentText.where { $0.match("swift") }.order { $0.bm25(10, 0.1) }.select(\.rowid)) == [1, 2])
    #expect(try sample.all(DocumentText.where { $0.match("martlet") }.select { $0.bm25() }).count == 1)
  }

  @Test func `matches are marked`() throws {
    let query = DocumentText.where { $0.match("martlet") }
      .select { ($0.body.highlight("<b>", "</b>"), $0.body.snippet("[", "]", "…", 2), $0.title.highlight("<", ">")) }
    let row = try #require(try query.decode(try sample.run(query)).first)
    #expect(row.0 == "A <b>martlet</b> never lands")
    #expect(row.1?.contains("[martlet]") == true && row.2 == "Swift birds")
  }

  @Test(arguments: [
    (FTS5Pattern(matchingAllWordsIn: "birds swift"), [1, 2]),
    (FTS5Pattern(matchingAllWordsIn: "birds nothing"), []),
    (FTS5Pattern(matchingAnyWordIn: "birds nothing"), [1, 2, 3]),
    (FTS5Pattern(matchingAllPrefixesIn: "bir swi"), [1, 2]),
    (FTS5Pattern(matchingAnyPrefixIn: "noth mart"), [1, 3]),
    (FTS5Pattern(matchingPhrase: "swift birds"), [1]),
    (FTS5Pattern(matchingAllWordsIn: "   "), []),
    (FTS5Pattern(matchingAllPrefixesIn: ""), []),
    (FTS5Pattern(matchingAllWordsIn: "AND OR NOT NEAR("), []),
    (FTS5Pattern(matchingAllWordsIn: "swift !!! \"birds"), [1, 2]),
    (FTS5Pattern(matchingAnyWordIn: "title:* ^\" -- ' ) {"), [3].filter { _ in false }),
    (FTS5Pattern(matchingAllPrefixesIn: "bi\0rds"), [1, 2]),
  ])
  func `whatever a user types is a pattern`(pattern: FTS5Pattern, expected: [Int]) throws {
    let rows = DocumentText.where { $0.match(pattern) }.order { $0.rowid }.select(\.rowid)
    #expect(try sample.all(rows) == expected, "\(pattern)")
  }

  @Test func `a side that a join may leave out is searched before it is joined`() throws {
    try sample.run(ReminderText.createTable())
    try sample.run(
      ReminderText.insert {
        ReminderText(rowid: 1, title: "Milk", notes: "oat milk")
        ReminderText(rowid: 2, title: "Bread", notes: "rye")
      })
    let query = Reminder.leftJoin(ReminderText.matching("oat OR wheat")) { $0.id.eq($1.rowid) }
      .order { reminder, _ in reminder.id }.select { ($0.title, $1.notes) }
    #expect(query.sql.contains("LEFT JOIN reminderTexts(?1) ON (\"reminders\".\"id\") = (\"reminderTexts\".\"rowid\")"))
    let notes: [(String, String?)] = try query.decode(try sample.run(query))
    #expect(notes.map(\.1) == ["oat milk", nil, nil, nil])
    // What the joined query filters filters the whole, and there it is too late for MATCH.
    let match = Reminder.leftJoin(ReminderText.where { $0.match("oat") }) { $0.id.eq($1.rowid) }
    #expect(throws: (any Error).self) { try sample.run(match) }
    let marked = ReminderText.matching(.allPrefixes(in: "mi")).order(by: \.rank)
      .select { ($0.title.highlight("<", ">"), $0.bm25()) }
    let rows: [(String?, Double?)] = try marked.decode(try sample.run(marked))
    #expect(rows.map(\.0) == ["<Milk>"])
  }

  @Test func `texts of a named schema are searched there`() throws {
    try sample.run(ArchivedText.createTable())
    let others = "CREATE VIRTUAL TABLE temp.archivedTexts USING fts5(title)"
    _ = try sample.connection.prepare(others, for: .engine).step()
    try sample.run(ArchivedText.insert { ArchivedText(title: "Old milk") })
    #expect(ArchivedText.matching("milk").sql.hasSuffix("FROM \"main\".\"archivedTexts\"(?1)"))
    #expect(try sample.all(ArchivedText.matching("milk").select { $0.title.highlight("<", ">") }) == ["Old <milk>"])
    #expect(try sample.all(ArchivedText.where { $0.match("old") }.order { $0.bm25() }.select(\.title)) == ["Old milk"])
  }

  @Test func `patterns are written where they are used`() throws {
    #expect(try sample.all(DocumentText.where { $0.match(.allPrefixes(in: "mart nev")) }.select(\.rowid)) == [1])
    #expect(try sample.all(DocumentText.where { $0.title.match(.anyWord(in: "other x")) }.select(\.rowid)) == [3])
  }
}
