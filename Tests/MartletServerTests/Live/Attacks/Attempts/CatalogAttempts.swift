import MartletAST
import MartletValues

/// The schema, what SQLite keeps beside it, what stands behind virtual tables, and functions that look around.
enum CatalogAttempts {
  static let all = tables + functions + calls + text + schema

  private static let tables: [Attempt] = [
    "sqlite_schema", "sqlite_master", "SQLITE_MASTER", "sqlite_temp_schema", "sqlite_temp_master", "sqlite_sequence",
    "sqlite_stat1", "sqlite_dbpage", "sqlite_stmt", "dbstat", "pragma_table_info", "pragma_table_list",
    "pragma_database_list", "pages_content", "pages_data", "pages_idx", "pages_docsize", "pages_config",
    "diary_content", "diary_data", "diary_words", "boxes", "boxes_node", "notes_kept", "bytecode", "completion",
  ].map { table in
    .refused("the table \(table)", .tenant, table) { Ask.all($0) }
  }

  private static let functions: [Attempt] = [
    ("pragma_table_info", "vault"), ("pragma_table_xinfo", "notes"), ("pragma_index_list", "notes"),
    ("pragma_foreign_key_list", "links"), ("pragma_function_list", ""), ("pragma_module_list", ""),
    ("pragma_compile_options", ""), ("fts5vocab", "diary"), ("fts3tokenize", "simple"), ("dbstat", "main"),
    ("vault", "k1"), ("pages", "words"), ("sqlite_stmt", ""), ("martlet_rows", "x"), ("bytecode", "SELECT 1"),
  ].map { function, argument in
    .refused("\(function) as a function with '\(argument)'", .tenant, function) {
      let name = $0
      return .select { $0.from = .function(name, argument.isEmpty ? [] : [.literal(argument)]) }
    }
  }

  private static func call(_ name: String, _ arguments: ASTExpression...) -> ASTStatement {
    var call = ASTExpression.function(name)
    call.call.arguments = arguments
    return Ask.value(call)
  }

  private static let calls: [Attempt] = [
    .refused("a function that looks for an R-tree by its name", .tenant, "vault") {
      call("rtreecheck", .literal($0))
    },
    .refused("the same of a schema, in capital letters", .reader, "boxes") {
      call("RTreeCheck", .literal("main"), .literal($0))
    },
    .refused("how many rows the statement before has changed, whosever it was") { _ in call("changes") },
    .refused("how many rows everybody has changed, in a write") { _ in
      .insert(into: "plain", ["x"]) { $0.values = .rows([[.function("total_changes")]]) }
    },
    .gives("the last row that somebody inserted is nobody's", [[.integer(0)]]) { call("last_insert_rowid") },
    .fails("an extension", .notAllowed) { _ in call("load_extension", .literal("/tmp/x")) },
    .fails("a tokenizer's address", .notAllowed) { _ in call("fts3_tokenizer", .literal("simple")) },
    .fails("the print of an R-tree's node", .notAllowed) { _ in call("rtreenode", .literal(Int64(2)), .literal("x")) },
    .unknown("a file", .tenant, "readfile") { call($0, .literal("/etc/passwd")) },
    .unknown("a file that is written", .tenant, "writefile") { call($0, .literal("/tmp/x"), .literal("x")) },
    .unknown("a program", .tenant, "edit") { call($0, .literal("x"), .literal("sh")) },
    .fails("the inside of SQLite's ALTER TABLE", .invalidStatement) { _ in call("sqlite_rename_column", .literal("x"))
    },
    .gives("a pointer that is none", [[.null]]) { call("fts5", .literal(Int64(1))) },
    .refused("a full-text function of a table that is not there to it", .tenant, "diary") { hidden in
      Ask.select(.function("highlight", .column(hidden), .literal(Int64(0)), .literal(""), .literal("")), from: "plain")
    },
  ]

  private static let text: [Attempt] = [
    .refused("SQL text", .tenant, "vault") { .raw("SELECT * FROM \($0)") },
    .refused("SQL text as a value", .tenant, "v") {
      Ask.value(.raw(ASTRaw.Part(stringLiteral: "(SELECT \($0) FROM vault)")))
    },
    .refused("SQL text as a source of rows", .tenant, "vault") { hidden in
      .select { $0.from.raw.parts = [ASTRaw.Part(stringLiteral: hidden)] }
    },
    .refused("SQL text in a common table", .tenant, "vault") {
      .with([.named("c", as: .raw("SELECT v FROM \($0)"))], Ask.all("c"))
    },
    .refused("SQL text in the query of an insert", .inserter, "vault") { hidden in
      .insert(into: "inbox", ["message"]) { $0.query = .raw("SELECT v FROM \(hidden)") }
    },
    .refused("EXPLAIN", .tenant, "vault") { .raw("EXPLAIN QUERY PLAN SELECT * FROM \($0)") },
    .refused("ATTACH") { _ in .raw("ATTACH 'other.db' AS other") },
    .refused("a pragma") { _ in .raw("PRAGMA table_info(vault)") },
    .refused("VACUUM into a file") { _ in .raw("VACUUM INTO '/tmp/x'") },
    .refused("the end of a transaction as text") { _ in .raw("COMMIT") },
  ]

  private static let schema: [Attempt] = [
    .refused("a view of its own", .tenant, "vault") { .createView("mine", Ask.all($0)) },
    .fails("a temporary view of an open table's name", .notAllowed) { _ in
      .createView("plain", Ask.all("vault")) { $0.temporary = true }
    },
    .refused("a trigger that copies what others write") { _ in
      .createTrigger("copy", .after, .insert, on: "inbox", [Ask.all("vault")])
    },
    .refused("an index whose condition reads a hidden column") { _ in
      .createIndex("mine", on: "notes", [.column("secret")])
    },
    .refused("a full-text table over a hidden one") { _ in
      .createVirtualTable("mine", using: "fts5", [.column("v"), .option("content", "vault")])
    },
    .refused("a table with a foreign key to a hidden one") { _ in
      .createTable("mine", [.column("k", "", .references("vault", ["k"]))])
    },
    .refused("another name for a hidden table") { _ in .alterTable("vault") { $0.renameTo = "plain" } },
    .refused("another name for a hidden column") { _ in
      .alterTable("notes") {
        $0.renameColumn.from = "secret"
        $0.renameColumn.to = "title2"
      }
    },
    .refused("the end of a table", .inserter, "vault") { .drop(.table, $0) },
    .refused("the end of a trigger", .tenant, "notes_log") { .drop(.trigger, $0) },
  ]
}
