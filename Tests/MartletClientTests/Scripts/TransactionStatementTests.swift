/// Which texts are statements that control transactions.
import Testing

@testable import MartletClient

@Suite struct TransactionStatementTests {
  @Test(
    arguments: [
      ("BEGIN", .begin(isDeferred: true)), ("begin;", .begin(isDeferred: true)),
      ("Begin Deferred Transaction", .begin(isDeferred: true)), ("BEGIN IMMEDIATE", .begin(isDeferred: false)),
      ("begin exclusive transaction", .begin(isDeferred: false)), ("BEGIN TRANSACTION t", .begin(isDeferred: true)),
      ("/* a */ BEGIN -- b", .begin(isDeferred: true)), ("-- BEGIN\nCOMMIT", .commit), ("END", .commit),
      ("END TRANSACTION", .commit), ("commit transaction;", .commit), ("ROLLBACK", .rollBack),
      ("rollback transaction", .rollBack), ("ROLLBACK TO a", .rollBackTo("a")),
      ("ROLLBACK TRANSACTION TO SAVEPOINT \"A b\"", .rollBackTo("a b")),
      ("rollback to savepoint `x``y`", .rollBackTo("x`y")),
      ("SAVEPOINT Übung", .savepoint("Übung")), ("SAVEPOINT 'It''s'", .savepoint("it's")),
      ("SAVEPOINT [a]", .savepoint("a")), ("RELEASE a", .release("a")), ("RELEASE SAVEPOINT a;", .release("a")),
      ("release/**/savepoint/**/A", .release("a")),
      // What only begins like one is left to SQLite.
      ("BEGIN x", nil), ("BEGIN IMMEDIATE DEFERRED", nil), ("COMMIT a", nil), ("ROLLBACK TO", nil), ("SAVEPOINT", nil),
      ("RELEASE SAVEPOINT", nil), ("SAVEPOINT a b", nil), ("BEGINNING", nil), ("EXPLAIN BEGIN", nil), ("", nil),
      ("SELECT 'BEGIN'", nil), ("'BEGIN'", nil), ("(BEGIN)", nil), ("-- BEGIN", nil), ("/* BEGIN", nil),
    ] as [(String, TransactionStatement?)])
  func `a text is the statement that SQLite takes it for`(sql: String, statement: TransactionStatement?) {
    #expect(TransactionStatement(sql) == statement)
  }

  @Test func `any bytes are read to their end`() {
    for text in [
      "'", "\"", "[", "/*", "/", "-", "--", "BEGIN '", "SAVEPOINT \"", "\0BEGIN", "BEGIN\0", "ROLLBACK TO [a",
    ] {
      _ = TransactionStatement(text)
    }
    let long = "BEGIN " + String(repeating: "/**/", count: 10_000) + "IMMEDIATE"
    #expect(TransactionStatement(long) == .begin(isDeferred: false))
  }
}
