/// What a client knows of a statement before a server has seen it.
import MartletAST
import Testing

@testable import MartletClient

@Suite struct RemoteStatementTests {
  private static let texts: [(String, mayBeRead: Bool)] = [
    ("SELECT 1", true), ("select 1", true), ("VALUES (1)", true), ("EXPLAIN DELETE FROM t", true),
    ("PRAGMA user_version", true), ("WITH x AS (SELECT 1) SELECT * FROM x", true),
    ("/* INSERT */ SELECT 1", true), ("-- DELETE\nSELECT 1", true), ("  \n\tSELECT 1", true),
    ("WITH x AS (SELECT 'insert') SELECT \"delete\" FROM x", true),
    ("INSERT INTO t VALUES (1)", false), ("/* SELECT */ INSERT INTO t VALUES (1) RETURNING a", false),
    ("-- select\nUPDATE t SET a = 1", false), ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", false),
    ("WITH x AS (SELECT 1) delete FROM t", false), ("CREATE TABLE t(a)", false), ("", false), ("(SELECT 1)", false),
    ("selection", false),
  ]

  @Test(arguments: texts)
  func `text is a query if it begins like one and writes nothing`(text: String, mayBeRead: Bool) {
    let statement = RemoteStatement.sql(text)
    #expect(statement.mayBeRead == mayBeRead)
    #expect(RemoteStatement(bytes: statement.bytes).mayBeRead == mayBeRead)
    #expect(RemoteStatement.mayBeRead(statement.bytes) == mayBeRead)
    #expect(!statement.isRead, "what a text does only SQLite can say")
  }

  @Test(arguments: texts)
  func `a text that looks like a query has a query's time`(text: String, mayBeRead: Bool) {
    var configuration = ClientConfiguration()
    configuration.streamDeadline = .seconds(50)
    configuration.writeDeadline = .seconds(5)
    for statement in [RemoteStatement.sql(text), RemoteStatement(bytes: RemoteStatement.sql(text).bytes)] {
      let deadline = configuration.deadline(of: .execute(statement, []), isQuery: true, isInTransaction: false)
      #expect(deadline == (mayBeRead ? .seconds(50) : .seconds(5)))
    }
  }

  @Test(arguments: [
    ("SELECT 1", true), ("VALUES (1);", true), ("EXPLAIN DELETE FROM t", true), ("-- PRAGMA\nSELECT ';' ; ;", true),
    ("WITH x AS (SELECT 1) SELECT * FROM x", true), ("WITH x AS (SELECT 1) DELETE FROM t", false),
    ("PRAGMA user_version", false), ("PRAGMA user_version = 2", false), ("SELECT 1; DELETE FROM t", false),
    ("INSERT INTO t VALUES (1)", false), ("CREATE TABLE t AS SELECT 1", false), ("", false),
  ])
  func `a text surely reads if nothing in it can write`(text: String, surelyReads: Bool) {
    #expect(RemoteStatement.sql(text).surelyReads == surelyReads)
    #expect(RemoteStatement.sql(text, isRead: true).surelyReads)
  }

  @Test func `a statement inside of a text writes if it does`() throws {
    func raw(_ text: String, _ inner: ASTStatement) throws -> RemoteStatement {
      var (words, statement, tree) = (ASTRaw.Part(), ASTRaw.Part(), ASTStatement())
      words.sql = text
      statement.statement = inner
      tree.raw.parts = [words, statement]
      return try RemoteStatement(bytes: RemoteStatement(tree).bytes)
    }
    var (insert, select) = (ASTStatement(), ASTStatement())
    insert.insert = ASTInsert()
    select.select = ASTSelect()
    #expect(try !raw("WITH x AS (SELECT 1)", insert).mayBeRead)
    #expect(try raw("WITH x AS (SELECT 1)", select).mayBeRead)
    #expect(try raw("SELECT EXISTS", select).mayBeRead)
    #expect(try !raw("WITH x AS (SELECT 1)", insert).surelyReads)
    #expect(try raw("SELECT EXISTS", select).surelyReads)
  }
}
