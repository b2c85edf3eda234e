import MartletAST
import MartletValues

/// Writes into tables that are hidden, with rights that are not there, and into rows of others.
enum WriteAttempts {
  static let all = tables + rights + newRows + othersRows + replacing + commands

  private static func into(_ table: String, _ change: (inout ASTInsert) -> Void = { _ in }) -> ASTStatement {
    .insert(into: table, ["k"]) {
      $0.values = .rows([[.literal("x")]])
      change(&$0)
    }
  }

  private static let tables: [Attempt] = [
    .refused("an insert into a hidden table", .tenant, "vault") { into($0) },
    .refused("an insert into a hidden table by an alias", .tenant, "vault") { into($0) { $0.alias = "plain" } },
    .refused("an insert into what may only be read", .reader, "plain") { into($0) },
    .refused("an insert into the schema", .tenant, "sqlite_schema") { into($0) },
    .refused("an insert behind a full-text index", .tenant, "pages_data") { into($0) },
    .refused("an update of a hidden table", .tenant, "vault") {
      .update($0) { $0.assignments = [.set("v", .literal("x"))] }
    },
    .refused("an update of a sequence", .tenant, "sqlite_sequence") {
      .update($0) { $0.assignments = [.set("seq", .literal(Int64(0)))] }
    },
    .refused("a delete from a hidden table", .tenant, "vault") { .delete(from: $0) },
    .refused("a delete from what may only be read", .reader) { _ in .delete(from: "notes") },
    .refused("a delete behind a common table of its target's name", .tenant, "vault") { hidden in
      .with([.named(hidden, as: Ask.plain { _ in })], .delete(from: hidden))
    },
    .refused("an insert of what a hidden table holds", .tenant, "vault") { hidden in
      .insert(into: "plain", ["x"]) { $0.query = Ask.select(.column("v"), from: hidden) }
    },
    .refused("an insert of a hidden table's value", .inserter, "vault") { hidden in
      .insert(into: "inbox", ["message"]) { $0.values = .rows([[Ask.one("v", from: hidden)]]) }
    },
    .refused("an update by a hidden table", .tenant, "vault") { hidden in
      .update("plain") {
        $0.assignments = [.set("x", .column("v"))]
        $0.from = .table(hidden)
      }
    },
    .refused("RETURNING of a hidden table's value", .tenant, "vault") { hidden in
      Ask.update { $0.returning = [.expression(Ask.one("v", from: hidden))] }
    },
    .refused("an upsert with a hidden table's value", .tenant, "vault") { hidden in
      Ask.insert { $0.upserts = [.on(["title"], set: [.set("body", Ask.one("v", from: hidden))])] }
    },
    .refused("the order of a delete by a hidden table", .tenant, "vault") { hidden in
      Ask.delete {
        $0.orderBy = [.by(Ask.one("v", from: hidden))]
        $0.limit = .literal(Int64(1))
      }
    },
  ]

  private static func message(_ change: (inout ASTInsert) -> Void) -> ASTStatement {
    .insert(into: "inbox", ["message"]) {
      $0.values = .rows([[.literal("hello")]])
      change(&$0)
    }
  }

  private static let rights: [Attempt] = [
    .refused("reading where one may only insert", .inserter, "inbox") { Ask.all($0) },
    .refused("a query without a table where one may only insert", .inserter) { _ in Ask.value(.literal(Int64(1))) },
    .refused("RETURNING where one may only insert", .inserter) { _ in message { $0.returning = [.all()] } },
    .refused("an upsert where one may only insert", .inserter) { _ in
      message { $0.upserts = [.on(["message"], set: [.set("message", .literal("x"))])] }
    },
    .refused("a replacement where one may only insert", .inserter) { _ in message { $0.or = .replace } },
    .refused("a value of the table that one inserts into", .inserter, "inbox") { hidden in
      message { $0.values = .rows([[Ask.one("message", from: hidden)]]) }
    },
    .refused("an update where one may only insert", .inserter, "inbox") {
      .update($0) { $0.assignments = [.set("message", .null)] }
    },
    .refused("a delete where one may only insert", .inserter, "inbox") { .delete(from: $0) },
    .refused("an insert for one who only reads", .reader) { _ in
      .insert(into: "plain", ["x"]) { $0.values = .rows([[.literal("x")]]) }
    },
    .changes("an insert where one may insert", 1, .inserter) { message { _ in } },
    .refused("reading a table of links that one may only make", .tenant, "links") { Ask.all($0) },
  ]

  private static func rows(_ tenants: [String], _ change: (inout ASTInsert) -> Void = { _ in }) -> ASTStatement {
    .insert(into: "notes", ["title", "tenant"]) {
      $0.values = .rows(tenants.enumerated().map { [.literal("new\($0.offset)"), .literal($0.element)] })
      change(&$0)
    }
  }

  private static let newRows: [Attempt] = [
    .refused("a row of another tenant") { _ in Ask.insert("b") },
    .refused("a row of nobody") { _ in rows([""]) },
    .refused("a row of a tenant in capital letters") { _ in Ask.insert("A") },
    .refused("a row of another behind rows of its own") { _ in rows(["a", "a", "b", "a"]) },
    .refused("a row of another that an insert may fail with") { _ in rows(["a", "b"]) { $0.or = .fail } },
    .refused("a row of another that an insert may ignore") { _ in rows(["a", "b"]) { $0.or = .ignore } },
    .refused("a row of another that an insert may roll back for") { _ in rows(["b", "a"]) { $0.or = .rollback } },
    .refused("a row of another that is returned") { _ in rows(["a", "b"]) { $0.returning = [.all()] } },
    .refused("a row of another out of a query") { _ in
      .insert(into: "notes", ["title", "tenant"]) {
        $0.query = Ask.select(.function("lower", .column("x")), .literal("b"), from: "plain")
      }
    },
    .refused("a row that an upsert moves to another tenant") { _ in
      .insert(into: "notes", ["title", "tenant"]) {
        $0.values = .rows([[.literal("n1"), .literal("a")]])
        $0.upserts = [.on(["title"], set: [.set("tenant", .literal("b"))])]
      }
    },
    .refused("a row of another tenant without rowid") { _ in
      .insert(into: "keyed", ["k", "tenant"]) { $0.values = .rows([[.literal("z"), .literal("b")]]) }
    },
    .refused("a document of another team") { _ in
      .insert(into: "docs", ["team", "text"]) { $0.values = .rows([[.literal("blue"), .literal("x")]]) }
    },
    .refused("its own rows for another tenant") { _ in
      Ask.update { $0.assignments = [.set("tenant", .literal("b"))] }
    },
    .refused("its own document for another team") { _ in
      .update("docs") { $0.assignments = [.set("team", .literal("blue"))] }
    },
    .refused("its own rows for nobody") { _ in
      .update("docs") { $0.assignments = [.set("team", .null)] }
    },
  ]

  private static let two = ASTExpression.call(.equal, .column("id"), .literal(Int64(2)))

  private static let othersRows: [Attempt] = [
    .changes("an update of another's row by its key", 0) { Ask.update { $0.where = two } },
    .changes("an update of all rows reaches its own", 3) { Ask.update { _ in } },
    .changes("an update with a condition that is always true", 3) {
      Ask.update { $0.where = .call(.or, two, .literal(Int64(1))) }
    },
    .changes("a delete of another's row by its key", 0) { Ask.delete { $0.where = two } },
    .changes("a delete of all rows reaches its own", 3) { Ask.delete { _ in } },
    .changes("a delete of another's row without rowid", 0) {
      .delete(from: "keyed") { $0.where = Ask.equal(.column("k"), .literal("y")) }
    },
    .changes("a delete of all documents reaches its team's", 1) { .delete(from: "docs") },
    .changes("taking another's row into its own tenant", 0) {
      Ask.update {
        $0.assignments = [.set("tenant", .literal("a"))]
        $0.where = .in(.column("id"), [.literal(Int64(2)), .literal(Int64(4))])
      }
    },
    .refused("another's rows by a column that one may only set", .tenant, "tenant") { hidden in
      Ask.update { $0.where = .call(.notEqual, .column(hidden), .literal("a")) }
    },
    .gives("an upsert that meets another's row changes nothing and gives none", []) {
      .insert(into: "notes", ["title", "tenant"]) {
        $0.values = .rows([[.literal("n2"), .literal("a")]])
        $0.upserts = [.on(["title"], set: [.set("body", .literal("taken"))])]
        $0.returning = [.all()]
      }
    },
    .changes("an upsert at any conflict that meets another's row", 0) {
      .insert(into: "notes", ["title", "tenant"]) {
        $0.values = .rows([[.literal("n4"), .literal("a")]])
        $0.upserts = [.on([], set: [.set("tenant", .literal("a"))], where: .literal(Int64(1)))]
      }
    },
    .changes("an update beside the rows of another tenant's", 3) {
      Ask.update {
        $0.from = .subquery(
          .select {
            $0.columns = [.expression(.literal("b"), as: "tenant"), .expression(.literal(Int64(2)), as: "id")]
          },
          as: "s")
      }
    },
    .gives("an update of one row by the lists of a client", [[.integer(1)]]) {
      Ask.update {
        $0.where = .in(.column("id"), [.literal(Int64(1)), .literal(Int64(2)), .literal(Int64(4))])
        $0.returning = [.expression(.column("id"))]
      }
    },
  ]

  private static let replacing: [Attempt] = [
    .refused("a replacement, which takes away whatever row is in the way") { _ in
      .insert(into: "notes", ["title", "tenant"]) {
        $0.or = .replace
        $0.values = .rows([[.literal("n2"), .literal("a")]])
      }
    },
    .refused("an update that replaces") { _ in
      Ask.update {
        $0.or = .replace
        $0.assignments = [.set("title", .literal("n2"))]
      }
    },
    .refused("a replacement in a table of which some rows are hidden only") { _ in
      .insert(into: "docs", ["id", "team"]) {
        $0.or = .replace
        $0.values = .rows([[.literal(Int64(2)), .literal("red")]])
      }
    },
    .changes("a replacement in an open table", 1) {
      .insert(into: "plain", ["id", "x"]) {
        $0.or = .replace
        $0.values = .rows([[.literal(Int64(1)), .literal("new")]])
      }
    },
  ]

  private static let commands: [Attempt] = [
    .refused("a command to a full-text index that may only be read") { _ in
      .insert(into: "pages", ["pages"]) { $0.values = .rows([[.literal("delete-all")]]) }
    },
    .refused("a rank for a full-text index") { _ in
      .insert(into: "pages", ["pages", "rank"]) { $0.values = .rows([[.literal("rank"), .literal("bm25(1)")]]) }
    },
    .refused("a delete from a full-text index") { _ in .delete(from: "pages") },
  ]
}
