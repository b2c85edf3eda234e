/// FTS5 tables from types, their options and what they are told.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct FullTextSchemaTests {
  let sample: Sample
  init() throws { sample = try Sample() }

  private func found(_ pattern: String) throws -> [Int] {
    try sample.all(ReminderText.where { $0.match(pattern) }.order(by: \.rowid).select(\.rowid))
  }

  @Test func `a table of texts is searched`() throws {
    let create = ReminderText.createTable()
    #expect(create.sql == #"CREATE VIRTUAL TABLE "reminderTexts" USING fts5("title", "notes")"#)
    try sample.run(create)
    try sample.run(
      ReminderText.insert {
        ReminderText(rowid: 1, title: "Running shoes", notes: "crème brûlée")
        ReminderText(rowid: 2, title: "Milk", notes: "e-mail x_y")
      })
    #expect(try found("shoes") == [1])
    #expect(try found("run") == [])
    try sample.run(ReminderText.optimize())
    try sample.run(ReminderText.rebuild())
    try sample.run(ReminderText.integrityCheck())
    try sample.run(ReminderText.merge(pages: -16))
    try sample.run(ReminderText.configure(.automerge, to: 8))
    try sample.run(ReminderText.setRank(weights: 10, 1.5))
    #expect(ReminderText.optimize().sql.hasSuffix("INTO \"reminderTexts\"\n(\"reminderTexts\")\nVALUES\n('optimize')"))
    let rank = SQLQueryExpression("SELECT v FROM reminderTexts_config WHERE k = 'rank'", as: String.self)
    #expect(try sample.all(rank) == ["bm25(10.0, 1.5)"])
    try sample.run(create.drop())
  }

  @Test func `tokenizers and options decide what is found`() throws {
    let tables: [(CreateFullTextTable<ReminderText>, String, finds: [String], not: [String])] = [
      (
        ReminderText.createTable(tokenize: .porter(), prefix: [2, 3], columnSize: false),
        "tokenize = 'porter unicode61', prefix = '2 3', columnsize = '0'", ["run", "creme"], ["xy"]
      ),
      (
        ReminderText.createTable(tokenize: .porter(.ascii()), detail: .column),
        "tokenize = 'porter ascii', detail = 'column'", ["run"], ["creme"]
      ),
      (
        ReminderText.createTable(tokenize: .unicode61(diacritics: .keep, tokenCharacters: "-'")),
        "tokenize = 'unicode61 remove_diacritics 0 tokenchars ''-'''''''", ["crème", "\"e-mail\""], ["creme", "mail"]
      ),
      (
        ReminderText.createTable(
          tokenize: .unicode61(diacritics: .remove, categories: "L* Co", separators: "b"), detail: .none),
        "tokenize = 'unicode61 remove_diacritics 2 categories ''L* Co'' separators b', detail = 'none'",
        ["creme", "rulee"], ["milk"]
      ),
      (ReminderText.createTable(tokenize: .trigram()), "tokenize = 'trigram'", ["unnin", "RUNNING"], ["runs"]),
      (
        ReminderText.createTable(temporary: true, ifNotExists: true, tokenize: .trigram(caseSensitive: true)),
        "tokenize = 'trigram case_sensitive 1'", ["unnin"], ["RUNNING"]
      ),
      (
        ReminderText.createTable(tokenize: .custom("ascii", "separators", "u"), unindexed: { $0.notes }),
        "\"notes\" UNINDEXED, tokenize = 'ascii separators u'", ["nning"], ["mail"]
      ),
    ]
    for (create, options, finds, not) in tables {
      #expect(create.sql.contains(options), "\(create.sql)")
      try sample.run(create)
      try sample.run(
        ReminderText.insert {
          ReminderText(rowid: 1, title: "Running shoes", notes: "crème brûlée e-mail")
        })
      for pattern in finds { #expect(try found(pattern) == [1], "\(create.sql) \(pattern)") }
      for pattern in not { #expect(try found(pattern) == [], "\(create.sql) \(pattern)") }
      try sample.run(create.drop())
    }
  }

  @Test func `an index over the texts of another table is kept in step`() throws {
    try sample.run(Note.createTable())
    let create = ReminderText.createTable(content: .table(Note.self, rowID: \.id))
    #expect(create.sql.hasSuffix(#"("title", "notes", content = 'notes', content_rowid = 'id')"#))
    try sample.run(create)
    let triggers = ReminderText.synchronizingTriggers(with: Note.self, rowID: \.id)
    for trigger in triggers { try sample.run(trigger) }
    #expect(
      triggers[1].sql == """
        CREATE TRIGGER "reminderTexts_after_update"
        AFTER UPDATE ON "notes"
        FOR EACH ROW BEGIN
          INSERT INTO "reminderTexts"
          ("reminderTexts", "rowid", "title", "notes")
          VALUES
          ('delete', "old"."id", "old"."title", "old"."notes");
          INSERT INTO "reminderTexts"
          ("rowid", "title", "notes")
          VALUES
          ("new"."id", "new"."title", "new"."notes");
        END
        """)
    try sample.run(
      Note.insert {
        Note(id: 3, title: "Tea", notes: "green")
        Note(id: 4, title: "Coffee", notes: "green beans")
      })
    #expect(try found("green") == [3, 4])
    try sample.run(Note.where { $0.id.eq(3) }.update { $0.notes = "black" })
    try sample.run(Note.where { $0.id.eq(4) }.delete())
    #expect(try found("green") == [] && found("black") == [3])
    try sample.run(ReminderText.integrityCheck(comparingContent: true))
    try sample.run(
      ReminderText.deleteFromIndex(rowid: 3) {
        ($0.title, $0.notes)
      } values: {
        ("Tea", "black")
      })
    #expect(try found("black") == [])
    #expect(throws: (any Error).self) { try sample.run(ReminderText.integrityCheck(comparingContent: true)) }
    try sample.run(ReminderText.rebuild())
    #expect(try found("black") == [3])
    try sample.run(ReminderText.deleteAll())
    #expect(try found("black") == [])
  }

  @Test func `an index without texts`() throws {
    let create = ReminderText.createTable(content: .none)
    #expect(create.sql.hasSuffix(#"("title", "notes", content = '')"#))
    try sample.run(create)
    try sample.run(ReminderText.insert { ReminderText(rowid: 5, title: "Tea", notes: "black") })
    #expect(try found("tea") == [5])
    try sample.run(ReminderText.deleteAll())
    #expect(try found("tea") == [])
  }
}
