/// Where the semicolon behind a statement stands.
import MartletValues
import Testing

@testable import MartletCommand

struct EndedStatementTests {
  @Test(arguments: [
    ("select 1", "select 1;"),
    ("select 1 -- c", "select 1 -- c\n;"),
    ("select 1 --", "select 1 --\n;"),
    ("select 1 -- c /* d", "select 1 -- c /* d\n;"),
    ("select 1 -- c\n", "select 1 -- c\n;"),
    ("select 1 /* c", "select 1 /* c*/;"),
    ("select 1 /* c *", "select 1 /* c **/;"),
    ("select 1 /* c -- d\n", "select 1 /* c -- d\n*/;"),
    ("select 1 /* c */", "select 1 /* c */;"),
    ("select '--'", "select '--';"),
    ("select '/*'", "select '/*';"),
    ("select 1 as \"--\"", "select 1 as \"--\";"),
    ("select 1 as [--]", "select 1 as [--];"),
    ("select 'it''s' -- it's", "select 'it''s' -- it's\n;"),
    (
      "create trigger t after insert on a begin select 1; end",
      "create trigger t after insert on a begin select 1; end;"
    ),
  ])
  func `the semicolon is outside of every comment`(sql: String, ended: String) {
    #expect(EndedStatement.text(of: sql) == ended)
    // Whoever reads the script again has both statements.
    #expect(StatementSplitter.statements(of: EndedStatement.text(of: sql) + "\nselect 2;").count == 2)
  }

  @Test func `a view that ends in a comment and what follows it are two statements`() {
    let entries = [
      SchemaListing.Entry(type: "view", name: "v", table: "v", sql: "create view v as select 1 -- c"),
      SchemaListing.Entry(type: "view", name: "w", table: "w", sql: "create view w as select 2"),
    ]
    #expect(
      SchemaListing.schema(entries, table: nil)
        == "create view v as select 1 -- c\n;\ncreate view w as select 2;\n")
  }
}
