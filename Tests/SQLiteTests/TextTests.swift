import SQLite
import Testing

/// What prints as what: the spelling of SQLite.swift, character for character.
@Suite struct TextTests {
  private func expect(_ texts: [PrintedText], sourceLocation: SourceLocation = #_sourceLocation) {
    for (text, expression) in texts {
      #expect(expression.asSQL() == text, sourceLocation: sourceLocation)
    }
  }

  @Test func `comparisons print their operands`() { expect(OperatorTexts.comparisons) }
  @Test func `ranges print between`() { expect(OperatorTexts.ranges) }
  @Test func `arithmetic prints parentheses`() { expect(OperatorTexts.arithmetic) }
  @Test func `conditions print from left to right`() { expect(OperatorTexts.booleans) }
  @Test func `setters print assignments`() { expect(OperatorTexts.setters) }
  @Test func `core functions print calls`() { expect(FunctionTexts.core) }
  @Test func `aggregates print calls`() { expect(FunctionTexts.aggregates) }
  @Test func `windows print over`() { expect(FunctionTexts.windows) }
  @Test func `date functions print calls`() { expect(FunctionTexts.dates) }
  @Test func `selects print their clauses`() { expect(QueryTexts.selects) }
  @Test func `joins print their conditions`() { expect(QueryTexts.joins) }
  @Test func `unions and common tables print`() { expect(QueryTexts.unions) }
  @Test func `writes print their values`() { expect(QueryTexts.writes) }
  @Test func `tables print their columns`() { expect(SchemaTexts.tables) }
  @Test func `constraints print`() { expect(SchemaTexts.constraints) }
  @Test func `changes of a schema print`() { expect(SchemaTexts.changes) }
  @Test func `virtual tables print their modules`() { expect(SchemaTexts.virtualTables) }

  @Test func `a template has question marks and the values beside it`() {
    let expression = email == "it's" && age == nil && id == 7
    #expect(expression.template == "(((\"email\" = ?) AND (\"age\" IS ?)) AND (\"id\" = ?))")
    #expect(expression.bindings.count == 3)
    #expect(expression.bindings[0] as? String == "it's")
    #expect(expression.bindings[1] == nil)
    #expect(expression.bindings[2] as? Int64 == 7)
    #expect(expression.description == "(((\"email\" = 'it''s') AND (\"age\" IS NULL)) AND (\"id\" = 7))")
  }

  @Test func `question marks in quotes and comments are no places`() {
    let raw = Expression<Bool>("a = '?' AND \"?\" = ? /* ? */ AND c = ? -- ?", [1, "x"])
    #expect(raw.asSQL() == "a = '?' AND \"?\" = 1 /* ? */ AND c = 'x' -- ?")
    #expect(Expression<Int>(literal: "count(*)").asSQL() == "count(*)")
  }

  @Test func `a name cannot leave its quotes`() {
    let hostile = Expression<Int>("a\" = 1; DROP TABLE \"users")
    #expect(hostile.asSQL() == "\"a\"\" = 1; DROP TABLE \"\"users\"")
    #expect(Table("x\"y").filter(hostile == 1).asSQL().hasPrefix("SELECT * FROM \"x\"\"y\" WHERE "))
  }

  @Test func `schema statements are texts where a text is asked for`() {
    let text: String = users.drop(ifExists: true)
    #expect(text == "DROP TABLE IF EXISTS \"users\"")
    let table = Table("table")
    let added: [(String, String)] = [
      ("\"int64\" INTEGER NOT NULL DEFAULT (1)", table.addColumn(int64, defaultValue: 1)),
      ("\"int64Optional\" INTEGER CHECK (\"int64\" > 0)", table.addColumn(int64Optional, check: int64 > 0)),
      ("\"int64\" INTEGER NOT NULL REFERENCES \"table\" (\"int64\")", table.addColumn(int64, references: table, int64)),
      (
        "\"int64Optional\" INTEGER UNIQUE REFERENCES \"table\" (\"int64\")",
        table.addColumn(int64Optional, unique: true, references: table, int64)
      ),
      (
        "\"string\" TEXT NOT NULL DEFAULT ('a') COLLATE RTRIM",
        table.addColumn(string, defaultValue: "a", collate: .rtrim)
      ),
      ("\"stringOptional\" TEXT COLLATE RTRIM", table.addColumn(stringOptional, collate: .rtrim)),
    ]
    for (wanted, text) in added { #expect(text == "ALTER TABLE \"table\" ADD COLUMN \(wanted)") }
    #expect(users.rename(Table("people")) == "ALTER TABLE \"users\" RENAME TO \"people\"")
  }

  @Test func `blobs print as SQL writes them`() {
    #expect(Blob(bytes: [0, 255, 16]).description == "x'00ff10'")
    #expect((blob == Blob(bytes: [])).asSQL() == "(\"blob\" = x'')")
  }
}
