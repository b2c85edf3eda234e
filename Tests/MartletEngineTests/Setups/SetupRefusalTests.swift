/// What may not be in a setup, and what may be nowhere else.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SetupRefusalTests {
  @Test func `a setup holds temporary views and triggers, and the error names the statement and the node`() throws {
    let base = try Setups.database()
    let good = Setups.view("a")
    let query = ASTStatement.select {
      $0.columns = [.expression(.column("id"))]
      $0.from = .table("items")
    }
    let cases: [([UInt8], String, RequestError.Reason)] = [
      (Trees.bytes(.createView("v", query)), "setup[1].create_view.temporary", .invalidStatement),
      (
        Trees.bytes(.createTable("t", [.column("a")]) { $0.temporary = true }), "setup[1].create_table.temporary",
        .invalidStatement
      ),
      (Trees.insert("items", ["id"]), "setup[1]", .invalidStatement),
      (Trees.bytes(query), "setup[1]", .invalidStatement),
      (Trees.raw("INSERT INTO items(title) VALUES ('x')"), "setup[1]", .notAllowed),
      (Trees.raw("CREATE TEMP TABLE t(a)"), "setup[1]", .notAllowed),
      (Trees.raw("CREATE VIRTUAL TABLE temp.t USING fts5(a)"), "setup[1]", .notAllowed),
      (Trees.raw("CREATE VIEW v AS SELECT 1"), "setup[1]", .notAllowed),
      (Trees.raw("SELECT 1"), "setup[1]", .notAllowed),
      (Trees.raw("INSERT INTO absent VALUES (1)"), "setup[1]", .invalidStatement),
      (Trees.raw("CREATE TRIGGER t AFTER INSERT ON absent BEGIN SELECT 1; END"), "setup[1]", .invalidStatement),
      (Trees.raw("PRAGMA user_version = 7"), "setup[1]", .notAllowed),
      (Trees.raw("DROP VIEW chosen"), "setup[1]", .notAllowed),
      (Trees.raw("CREATE TEMP VIEW chosen AS SELECT 1"), "setup[1]", .invalidStatement),
      (Trees.raw("CREATE TEMP VIEW v AS SELECT ?1"), "setup[1]", .invalidStatement),
      (
        Trees.bytes(
          .createView("v", query) { view in
            view.temporary = true
            view.query = .select {
              $0.columns = [.expression(.column("id"))]
              $0.from = .table("")
            }
          }), "setup[1].create_view.query.select.from.table.name", .invalidStatement
      ),
      ([9, 9, 9], "setup[1]", .malformed),
    ]
    for (statement, path, reason) in cases {
      let error = #expect(throws: RequestError.self) { try base.session(good, statement) }
      #expect(error?.path.hasPrefix(path) == true, "\(error?.description ?? "")")
      #expect(error?.reason == reason, "\(error?.description ?? "")")
      #expect(error?.message.hasPrefix("Statement 2 of the setup: ") == true)
    }
    #expect(base.counter("setups_open") == 0)
    #expect(try base.sql("SELECT count(*) FROM items").rows == [[0]])
    #expect(try base.sql("PRAGMA user_version").rows == [[0]])
  }

  @Test func `setups are bounded in statements and in bytes`() throws {
    let base = try Setups.database {
      $0.limits.setupStatementsMax = 2
      $0.limits.setupBytesMax = 500
    }
    func view(_ name: String, _ text: String = "") -> [UInt8] {
      Trees.raw("CREATE TEMP VIEW \(name) AS SELECT '\(text)'")
    }
    _ = try base.session(view("a"), view("b"))
    let many = #expect(throws: RequestError.self) { try base.session(view("a"), view("b"), view("c")) }
    let large = #expect(throws: RequestError.self) { try base.session(view("a", String(repeating: "x", count: 500))) }
    #expect(many?.reason == .limit && large?.reason == .limit)
  }

  @Test func `a request makes, changes and drops nothing temporary on the connections that others share`() throws {
    let base = try Setups.database()
    let query = ASTStatement.select {
      $0.columns = [.expression(.column("id"))]
      $0.from = .table("items")
    }
    let insert = ASTStatement.insert(into: "log", ["note"]) { $0.values = .rows([[.literal("x")]]) }
    let trees: [(ASTStatement, String)] = [
      (.createView("v", query) { $0.temporary = true }, "create_view.temporary"),
      (.createView("v", query) { $0.schema = "TEMP" }, "create_view.schema"),
      (
        .createTrigger("t", .after, .insert, on: "items", [insert]) { $0.temporary = true }, "create_trigger.temporary"
      ),
      (.createTable("t", [.column("a")]) { $0.temporary = true }, "create_table.temporary"),
      (.createVirtualTable("ft", using: "fts5", []), ""),
    ]
    let texts = [
      "CREATE TEMP VIEW v AS SELECT 1", "CREATE VIEW temp.v AS SELECT 1", "CREATE TEMP TABLE t(a)",
      "CREATE TABLE temp.t AS SELECT 1 AS a", "CREATE VIRTUAL TABLE temp.ft USING fts5(a)", "DROP VIEW chosen",
      "DROP VIEW temp.chosen", "DROP TRIGGER noting",
      "CREATE TEMP TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END",
      "CREATE TRIGGER temp.t AFTER INSERT ON main.items BEGIN DELETE FROM items; END",
      "EXPLAIN CREATE TEMP TABLE t(a)",
    ]
    for session in [try base.session(Setups.notes("n"), Setups.view("a")), try base.session()] {
      for (tree, path) in trees where !path.isEmpty {
        let error = session.error(Trees.bytes(tree))
        #expect(error?.reason == .notAllowed && error?.path == path, "\(error?.description ?? path)")
        #expect(error?.message.contains("in the setup of the session") == true)
      }
      for sql in texts {
        let error = session.error(Trees.raw(sql))
        if session.database.setup.isEmpty, sql.hasPrefix("DROP") {
          #expect(error?.message.hasPrefix("No such") == true, "\(sql)")
        } else {
          #expect(error?.reason == .notAllowed, "\(sql): \(error?.description ?? "no error")")
          #expect(error?.message.contains("in the setup of the session") == true, "\(sql)")
        }
      }
      #expect(
        try session.sql("SELECT count(*) FROM temp.sqlite_master WHERE name NOT IN ('chosen', 'noting')") == [[0]])
    }
  }
}
