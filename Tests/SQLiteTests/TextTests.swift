import SQLite
import Testing

/// What prints as what: the spelling of SQLite.swift, character for character.
@Suite struct TextTests {
  private func expect(_ texts: [PrintedText], sourceLocation: SourceLocation = #_sourceLocation) {
    for (text, expression) in texts {
      #expect(expression.asSQL() == text, sourceLocation: sourceLocation)
    }
  }

  @Test func comparisonsPrintTheirOperands() { expect(OperatorTexts.comparisons) }
  @Test func rangesPrintBetween() { expect(OperatorTexts.ranges) }
  @Test func arithmeticPrintsParentheses() { expect(OperatorTexts.arithmetic) }
  @Test func conditionsPrintFromLeftToRight() { expect(OperatorTexts.booleans) }
  @Test func settersPrintAssignments() { expect(OperatorTexts.setters) }
  @Test func coreFunctionsPrintCalls() { expect(FunctionTexts.core) }
  @Test func aggregatesPrintCalls() { expect(FunctionTexts.aggregates) }
  @Test func windowsPrintOver() { expect(FunctionTexts.windows) }
  @Test func dateFunctionsPrintCalls() { expect(FunctionTexts.dates) }
  @Test func selectsPrintTheirClauses() { expect(QueryTexts.selects) }
  @Test func joinsPrintTheirConditions() { expect(QueryTexts.joins) }
  @Test func unionsAndCommonTablesPrint() { expect(QueryTexts.unions) }
  @Test func writesPrintTheirValues() { expect(QueryTexts.writes) }
  @Test func tablesPrintTheirColumns() { expect(SchemaTexts.tables) }
  @Test func constraintsPrint() { expect(SchemaTexts.constraints) }
  @Test func changesOfASchemaPrint() { expect(SchemaTexts.changes) }
  @Test func virtualTablesPrintTheirModules() { expect(SchemaTexts.virtualTables) }

  @Test func aTemplateHasQuestionMarksAndTheValuesBesideIt() {
    let expression = email == "it's" && age == nil && id == 7
    #expect(expression.template == "(((\"email\" = ?) AND (\"age\" IS ?)) AND (\"id\" = ?))")
    #expect(expression.bindings.count == 3)
    #expect(expression.bindings[0] as? String == "it's")
    #expect(expression.bindings[1] == nil)
    #expect(expression.bindings[2] as? Int64 == 7)
    #expect(expression.description == "(((\"email\" = 'it''s') AND (\"age\" IS NULL)) AND (\"id\" = 7))")
  }

  @Test func questionMarksInQuotesAndCommentsAreNoPlaces() {
    let raw = Expression<Bool>("a = '?' AND \"?\" = ? /* ? */ AND c = ? -- ?", [1, "x"])
    #expect(raw.asSQL() == "a = '?' AND \"?\" = 1 /* ? */ AND c = 'x' -- ?")
    #expect(Expression<Int>(literal: "count(*)").asSQL() == "count(*)")
  }

  @Test func aNameCannotLeaveItsQuotes() {
    let hostile = Expression<Int>("a\" = 1; DROP TABLE \"users")
    #expect(hostile.asSQL() == "\"a\"\" = 1; DROP TABLE \"\"users\"")
    #expect(Table("x\"y").filter(hostile == 1).asSQL().hasPrefix("SELECT * FROM \"x\"\"y\" WHERE "))
  }

  @Test func schemaStatementsAreTextsWhereATextIsAskedFor() {
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

  @Test func blobsPrintAsSQLWritesThem() {
    #expect(Blob(bytes: [0, 255, 16]).description == "x'00ff10'")
    #expect((blob == Blob(bytes: [])).asSQL() == "(\"blob\" = x'')")
  }
}
