/// What each tree needs to be allowed, wherever in it something is read, written or said in SQL.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct NeededPermissionsTests {
  private static let read = ASTStatement.select {
    $0.columns = [.expression(.column("a"))]
    $0.from = .table("t")
  }

  private static func insert(_ change: (inout ASTInsert) -> Void = { _ in }) -> ASTStatement {
    .insert(into: "t", ["a"]) {
      $0.values = .rows([[.parameter(1)]])
      change(&$0)
    }
  }

  private static func update(_ change: (inout ASTUpdate) -> Void = { _ in }) -> ASTStatement {
    .update("t") {
      $0.assignments = [.set("a", .parameter(1))]
      change(&$0)
    }
  }

  private static func upsert(_ assignments: [ASTAssignment]) -> ASTUpsert {
    var upsert = ASTUpsert()
    upsert.assignments = assignments
    return upsert
  }

  private static let queries: [(String, ASTStatement, Permissions)] = [
    ("a select", read, .select),
    ("values", .values([[.literal(Int64(1))]]), .select),
    ("a compound", .compound(read, [(.union, read)]), .select),
    ("a WITH around a select", .with([.named("c", as: read)], read), .select),
    ("a WITH around a delete", .with([.named("c", as: read)], .delete(from: "t")), [.delete, .select]),
  ]

  private static let writes: [(String, ASTStatement, Permissions)] = [
    ("an insert of values", insert(), .insert),
    ("an insert that ignores", insert { $0.or = .ignore }, .insert),
    ("an insert that replaces", insert { $0.or = .replace }, [.insert, .delete]),
    ("an insert that returns", insert { $0.returning = [.expression(.column("a"))] }, [.insert, .select]),
    ("an insert of a query", .insert(into: "t", ["a"]) { $0.query = read }, [.insert, .select]),
    (
      "an insert of a subquery", .insert(into: "t", ["a"]) { $0.values = .rows([[.subquery(read)]]) },
      [.insert, .select]
    ),
    ("an insert of bound rows", .insert(into: "t", ["a"], rows: 1), .insert),
    ("an upsert that does nothing", insert { $0.upserts = [upsert([])] }, .insert),
    ("an upsert", insert { $0.upserts = [upsert([.set("a", .literal(Int64(1)))])] }, [.insert, .update, .select]),
    ("an update", update(), [.update, .select]),
    ("an update that replaces", update { $0.or = .replace }, [.update, .select, .delete]),
    ("a delete", .delete(from: "t"), [.delete, .select]),
  ]

  private static let others: [(String, ASTStatement, Permissions)] = [
    ("a table", .createTable("t", [.column("a")]), .createTable),
    ("a full-text table", .createVirtualTable("t", using: "fts5", [.column("a")]), .createTable),
    ("a table's new name", .alterTable("t") { $0.renameTo = "u" }, .alterTable),
    ("a table that goes", .drop(.table, "t"), .dropTable),
    ("an index", .createIndex("i", on: "t", [ASTIndexedColumn.column("a")]), .createIndex),
    ("an index that goes", .drop(.index, "i"), .dropIndex),
    ("a view", .createView("v", read), [.createView, .select]),
    ("a view that goes", .drop(.view, "v"), .dropView),
    ("a trigger that goes", .drop(.trigger, "x"), .dropTrigger),
    (
      "a trigger that deletes", .createTrigger("x", .after, .insert, on: "t", [.delete(from: "u")]),
      [.createTrigger, .delete, .select]
    ),
    ("text", .raw("anything"), [.raw, .rows]),
    (
      "text deep inside",
      .select { $0.columns = [.expression(.exists(.select { $0.columns = [.expression(.raw("1"))] }))] },
      [.raw, .rows]
    ),
    ("text in an update", update { $0.where = .raw("1") }, [.raw, .rows]),
  ]

  private static func from(_ source: ASTTableSource) -> ASTStatement {
    .select {
      $0.columns = [.expression(.column("name"))]
      $0.from = source
    }
  }

  private static let pragmaTrees: [(String, ASTStatement, Permissions)] = [
    ("a function", from(.function("pragma_table_info", [.literal("t")])), [.select, .pragmas]),
    ("in capitals", from(.function("PRAGMA_Table_Info", [.literal("t")])), [.select, .pragmas]),
    ("without arguments", from(.table("pragma_table_list")), [.select, .pragmas]),
    (
      "deep inside", insert { $0.values = .rows([[.subquery(from(.table("pragma_user_version")))]]) },
      [.insert, .select, .pragmas]
    ),
    ("of a view", .createView("v", from(.table("pragma_table_list"))), [.createView, .select, .pragmas]),
    (
      "of a full-text table's rows",
      .createVirtualTable("f", using: "fts5", [.column("name"), .option("content", "pragma_table_list")]),
      [.createTable, .pragmas]
    ),
    ("a table of another name", from(.table("pragmas")), .select),
  ]

  private static let pragmaTexts: [(String, Bool)] = [
    ("PRAGMA user_version", true), ("pragma main.table_info(t)", true), (" /* x */ -- y\n PrAgMa foreign_keys", true),
    (";;PRAGMA user_version", true), ("EXPLAIN PRAGMA user_version", true),
    ("EXPLAIN QUERY PLAN PRAGMA user_version", true), ("\u{FEFF}PRAGMA user_version", true),
    (";\u{FEFF} ;\u{FEFF}PRAGMA\u{A0}", false), ("EXPLAIN \u{FEFF}PRAGMA user_version", true),
    ("SELECT * FROM \u{FEFF}pragma_table_list", true),
    ("SELECT * FROM pragma_table_info('t')", true), ("SELECT * FROM \"pragma_table_info\"('t')", true),
    ("SELECT * FROM [Pragma_Table_Info]('t')", true), ("SELECT * FROM `pragma_table_info`('t')", true),
    ("SELECT * FROM 'pragma_table_info'('t')", true), ("SELECT * FROM main.pragma_table_list", true),
    ("CREATE VIEW v AS SELECT * FROM pragma_table_list", true),
    ("CREATE VIRTUAL TABLE f USING fts5(a, content=pragma_table_list)", true),
    ("SELECT (SELECT count(*) FROM/**/pragma_table_list)", true),
    ("PRAGMA defer_foreign_keys=ON", false), ("PRAGMA main.defer_foreign_keys = 1", false),
    ("PRAGMA defer_foreign_keys_of_mine", true), ("SELECT 1 -- PRAGMA user_version", false),
    ("INSERT INTO posts VALUES ('a pragmatic text about PRAGMA')", false), ("SELECT pragma FROM t", false),
    ("SELECT 'PRAGMA user_version'", false), ("SELECT pragmas, a AS pragma_ FROM t", true), ("SELECT 1", false),
    ("pragm", false), ("ppragma_x", false), ("", false),
  ]

  @Test func `what asks pragmas needs to be allowed them, in trees and in text, however it is written`() throws {
    for (what, tree, needs) in Self.pragmaTrees {
      #expect(try StatementRenderer().render(tree).needs == needs, "\(what)")
    }
    for (text, isAsked) in Self.pragmaTexts where !text.isEmpty {
      let needs: Permissions = isAsked ? [.raw, .rows, .pragmas] : [.raw, .rows]
      #expect(try StatementRenderer().render(.raw(text)).needs == needs, "\(text)")
    }
    // What stands together in the SQL counts, not what was sent together.
    let parts = ASTStatement.raw("SELECT * FROM prag", "ma_table_info('t')")
    #expect(try StatementRenderer().render(parts).needs.contains(.pragmas))
    let named = ASTStatement.raw("SELECT * FROM ", .identifier("pragma_table_list"))
    #expect(try StatementRenderer().render(named).needs.contains(.pragmas))
  }

  @Test func `each statement needs what it does, and what is inside of it as well`() throws {
    for (what, tree, needs) in Self.queries + Self.writes + Self.others {
      let found = try StatementRenderer().render(tree).needs
      #expect(found == needs, "\(what): \(found.rawValue) is not \(needs.rawValue)")
    }
  }
}
