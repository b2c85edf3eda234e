/// Schema statements and the SQL that they become.
///
/// Always true: each parses against the examples' schema.
import MartletAST

extension Example {
  static let tables: [Example] = [
    Example(
      """
      CREATE TEMPORARY TABLE IF NOT EXISTS "t" (
        "id" INTEGER PRIMARY KEY ASC ON CONFLICT FAIL AUTOINCREMENT,
        "title" VARCHAR(20) CONSTRAINT "named" NOT NULL ON CONFLICT ABORT DEFAULT 'x' COLLATE "NOCASE",
        "key" TEXT UNIQUE ON CONFLICT IGNORE DEFAULT (uuid()),
        "n" REAL CHECK (("n") > (0.0)),
        "twice" GENERATED ALWAYS AS (("n") * (2)) STORED,
        "thrice" GENERATED ALWAYS AS (("n") * (3)) VIRTUAL,
        "list" INTEGER REFERENCES "lists"("id") ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
        UNIQUE ("title" COLLATE "RTRIM" DESC, "n") ON CONFLICT REPLACE,
        CONSTRAINT "c" CHECK (1),
        FOREIGN KEY ("list", "n") REFERENCES "lists"("id", "name") ON DELETE RESTRICT ON UPDATE SET DEFAULT \
      DEFERRABLE INITIALLY IMMEDIATE
      )
      """, everyConstraint),
    Example(
      """
      CREATE TABLE "main"."t" (
        "a" TEXT REFERENCES "lists" ON DELETE NO ACTION,
        PRIMARY KEY ("a")
      ) WITHOUT ROWID, STRICT
      """,
      .createTable("t", [.column("a", "TEXT", .references("lists", onDelete: .noAction))]) {
        var key = ASTTableConstraint()
        key.primaryKey.columns = [.column("a")]
        $0.schema = "main"
        $0.constraints = [key]
        $0.withoutRowid = true
        $0.strict = true
      }),
    Example("CREATE TABLE \"t\" AS\nSELECT \"id\"\nFROM \"items\"", .createTable("t", []) { $0.as = items }),
    Example(
      #"ALTER TABLE "main"."items" RENAME TO "things""#,
      .alterTable("items") {
        $0.schema = "main"
        $0.renameTo = "things"
      }),
    Example(
      #"ALTER TABLE "items" RENAME COLUMN "note" TO "remark""#,
      .alterTable("items") {
        $0.renameColumn.from = "note"
        $0.renameColumn.to = "remark"
      }),
    Example(
      #"ALTER TABLE "items" ADD COLUMN "suffix" TEXT DEFAULT 'SR'"#,
      .alterTable("items") {
        $0.addColumn = .column("suffix", "TEXT", .default(.literal("SR")))
      }),
    Example(#"ALTER TABLE "items" DROP COLUMN "note""#, .alterTable("items") { $0.dropColumn = "note" }),
    Example(#"DROP TABLE IF EXISTS "items""#, .drop(.table, "items", ifExists: true)),
    Example(
      #"DROP INDEX "main"."items_by_qty""#,
      {
        var node = ASTStatement.drop(.index, "items_by_qty")
        node.drop.schema = "main"
        return node
      }()),
    Example(#"DROP VIEW "stock""#, .drop(.view, "stock")),
    Example(#"DROP TRIGGER "touch""#, .drop(.trigger, "touch")),
  ]

  private static var everyConstraint: ASTStatement {
    var key = ASTColumnConstraint.primaryKey(autoincrement: true)
    key.primaryKey.direction = .ascending
    key.primaryKey.onConflict = .fail
    var notNull = ASTColumnConstraint.notNull
    notNull.name = "named"
    notNull.notNull.onConflict = .abort
    var single = ASTColumnConstraint.unique
    single.unique.onConflict = .ignore
    var reference = ASTColumnConstraint.references("lists", ["id"], onDelete: .cascade)
    reference.references.onUpdate = .setNull
    reference.references.deferral = .initiallyDeferred
    var unique = ASTTableConstraint()
    unique.unique.columns = [.column("title", collation: "RTRIM", .descending), .column("n")]
    unique.unique.onConflict = .replace
    var check = ASTTableConstraint()
    check.name = "c"
    check.check = one
    var foreign = ASTTableConstraint()
    foreign.foreignKey.columns = ["list", "n"]
    foreign.foreignKey.references =
      ASTColumnConstraint.references("lists", ["id", "name"], onDelete: .restrict).references
    foreign.foreignKey.references.onUpdate = .setDefault
    foreign.foreignKey.references.deferral = .initiallyImmediate
    let n = ASTExpression.column("n")
    return .createTable(
      "t",
      [
        .column("id", "INTEGER", key),
        .column("title", "VARCHAR(20)", notNull, .default(.literal("x")), .collation("NOCASE")),
        .column("key", "TEXT", single, .default(.function("uuid"))),
        .column("n", "REAL", .check(.call(.greater, n, .literal(0.0)))),
        .column("twice", "", .generated(.call(.multiply, n, two), stored: true)),
        .column("thrice", "", .generated(.call(.multiply, n, .literal(Int64(3))))),
        .column("list", "INTEGER", reference),
      ]
    ) {
      $0.temporary = true
      $0.ifNotExists = true
      $0.constraints = [unique, check, foreign]
    }
  }

  static let schemaObjects: [Example] = [
    Example(
      """
      CREATE UNIQUE INDEX IF NOT EXISTS "main"."i" ON "items" ("title" COLLATE "NOCASE" DESC, lower("note"))
      WHERE ("qty") = (0)
      """,
      .createIndex(
        "i", on: "items", [.column("title", collation: "NOCASE", .descending), indexed(.function("lower", b))]
      ) {
        $0.unique = true
        $0.ifNotExists = true
        $0.schema = "main"
        $0.where = .call(.equal, .column("qty"), .literal(Int64(0)))
      }),
    Example(
      "CREATE TEMPORARY VIEW IF NOT EXISTS\n\"v\"\n(\"a\", \"b\")\nAS\nSELECT \"id\"\nFROM \"items\"",
      .createView("v", items) {
        $0.temporary = true
        $0.ifNotExists = true
        $0.columns = ["a", "b"]
      }),
    Example("CREATE VIEW \"main\".\"v\"\nAS\nVALUES\n(1)", .createView("v", .values([[one]])) { $0.schema = "main" }),
    Example(
      """
      CREATE TEMPORARY TRIGGER IF NOT EXISTS
        "t"
      AFTER UPDATE OF "title", "note" ON "items"
      FOR EACH ROW WHEN ("new"."title") <> ("old"."title") BEGIN
        UPDATE "items"
        SET "note" = 'changed'
        WHERE (("id") = ("new"."id"));
        SELECT RAISE(ABORT, 'it''s');
        SELECT RAISE(IGNORE);
      END
      """,
      .createTrigger(
        "t", .after, .update, on: "items",
        [
          .update("items") {
            $0.assignments = [.set("note", .literal("changed"))]
            $0.where = .call(.equal, .column("id"), .column("new", "id"))
          }, raising(.abort, "it's"), raising(.ignore),
        ]
      ) {
        $0.temporary = true
        $0.ifNotExists = true
        $0.updateColumns = ["title", "note"]
        $0.when = .call(.notEqual, .column("new", "title"), .column("old", "title"))
      }),
    Example(
      """
      CREATE TRIGGER "main"."t"
      BEFORE INSERT ON "items"
      FOR EACH ROW BEGIN
        SELECT RAISE(ROLLBACK, 'no');
      END
      """,
      .createTrigger("t", .before, .insert, on: "items", [raising(.rollback, "no")]) { $0.schema = "main" }),
    Example(
      "CREATE TRIGGER \"t\"\nINSTEAD OF DELETE ON \"stock\"\nFOR EACH ROW BEGIN\n  SELECT RAISE(FAIL, '');\nEND",
      .createTrigger("t", .insteadOf, .delete, on: "stock", [raising(.fail, "")])),
    Example(
      """
      CREATE VIRTUAL TABLE IF NOT EXISTS "main"."f" USING fts5("title", "bo""dy" UNINDEXED, tokenize = 'porter')
      """,
      {
        var node = ASTStatement.createVirtualTable(
          "f", using: "fts5", [.column("title"), .column("bo\"dy", "UNINDEXED"), .option("tokenize", "porter")])
        node.createVirtualTable.ifNotExists = true
        node.createVirtualTable.schema = "main"
        return node
      }()),
    Example(
      #"""
      CREATE VIRTUAL TABLE "g" USING fts4("title", tokenize='unicode61' "tokenchars=.""")
      """#,
      .createVirtualTable(
        "g", using: "fts4", [.column("title"), .option("tokenize", "unicode61", ["tokenchars=.\""])])),
  ]

  private static func raising(_ action: ASTRaise.Action, _ message: String = "") -> ASTStatement {
    .select { $0.columns = [.expression(.raise(action, message))] }
  }

  private static func indexed(_ expression: ASTExpression) -> ASTIndexedColumn {
    var column = ASTIndexedColumn()
    column.expression = expression
    return column
  }
}
