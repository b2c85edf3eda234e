import SQLite

/// Schema statements and what they print.
enum SchemaTexts {
  static var tables: [PrintedText] {
    [
      (
        "CREATE TABLE \"table\" (\"int64\" INTEGER NOT NULL, \"string\" TEXT NOT NULL, \"blob\" BLOB NOT NULL, \"double\" REAL NOT NULL, \"bool\" INTEGER NOT NULL, \"date\" TEXT NOT NULL)",
        table.create { t in
          t.column(int64)
          t.column(string)
          t.column(blob)
          t.column(double)
          t.column(bool)
          t.column(date)
        }
      ),
      (
        "CREATE TEMPORARY TABLE IF NOT EXISTS \"table\" (\"int64Optional\" INTEGER) WITHOUT ROWID",
        table.create(temporary: true, ifNotExists: true, withoutRowid: true) { $0.column(int64Optional) }
      ),
      ("CREATE TABLE \"table\" (\"int64\" INTEGER NOT NULL UNIQUE)", table.create { $0.column(int64, unique: true) }),
      (
        "CREATE TABLE \"table\" (\"int64\" INTEGER NOT NULL CHECK (\"int64\" > 0))",
        table.create { $0.column(int64, check: int64 > 0) }
      ),
      (
        "CREATE TABLE \"table\" (\"string\" TEXT NOT NULL CHECK (\"string\" LIKE '%@%'))",
        table.create { $0.column(string, check: string.like("%@%")) }
      ),
      (
        "CREATE TABLE \"table\" (\"int64\" INTEGER NOT NULL DEFAULT (0))",
        table.create { $0.column(int64, defaultValue: 0) }
      ),
      (
        "CREATE TABLE \"table\" (\"int64Optional\" INTEGER DEFAULT (0))",
        table.create { $0.column(int64Optional, defaultValue: 0) }
      ),
      (
        "CREATE TABLE \"table\" (\"string\" TEXT NOT NULL DEFAULT (lower('A')))",
        table.create { $0.column(string, defaultValue: Expression<String>(value: "A").lowercaseString) }
      ),
      (
        "CREATE TABLE \"table\" (\"stringOptional\" TEXT DEFAULT ('a'))",
        table.create { $0.column(stringOptional, defaultValue: "a") }
      ),
      (
        "CREATE TABLE \"table\" (\"int64\" INTEGER PRIMARY KEY NOT NULL)",
        table.create { $0.column(int64, primaryKey: true) }
      ),
      (
        "CREATE TABLE \"table\" (\"int64\" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL)",
        table.create { $0.column(int64, primaryKey: .autoincrement) }
      ),
      (
        "CREATE TABLE \"table\" (\"string\" TEXT PRIMARY KEY NOT NULL)",
        table.create { $0.column(string, primaryKey: true) }
      ),
      (
        "CREATE TABLE \"table\" (\"int64\" INTEGER NOT NULL REFERENCES \"users\" (\"id\"))",
        table.create { $0.column(int64, references: users, id) }
      ),
      (
        // A key points to its own database, so no schema stands before the table.
        "CREATE TABLE \"table\" (\"int64\" INTEGER NOT NULL REFERENCES \"users\" (\"id\"))",
        table.create { $0.column(int64, references: Table("users", database: "main"), id) }
      ),
      (
        "CREATE TABLE \"table\" (FOREIGN KEY (\"int64\") REFERENCES \"users\" (\"id\"))",
        table.create { $0.foreignKey(int64, references: Table("users", database: "main"), id) }
      ),
      (
        "CREATE TABLE \"table\" (\"int64Optional\" INTEGER UNIQUE REFERENCES \"users\" (\"id\"))",
        table.create { $0.column(int64Optional, unique: true, references: users, id) }
      ),
      (
        "CREATE TABLE \"table\" (\"string\" TEXT NOT NULL COLLATE RTRIM)",
        table.create { $0.column(string, collate: .rtrim) }
      ),
      (
        "CREATE TABLE \"table\" (\"stringOptional\" TEXT DEFAULT ('a') COLLATE NOCASE)",
        table.create { $0.column(stringOptional, defaultValue: "a", collate: .nocase) }
      ),
    ]
  }

  static var constraints: [PrintedText] {
    [
      ("CREATE TABLE \"table\" (PRIMARY KEY (\"int64\", \"string\"))", table.create { $0.primaryKey(int64, string) }),
      ("CREATE TABLE \"table\" (UNIQUE (\"int64\"))", table.create { $0.unique(int64) }),
      ("CREATE TABLE \"table\" (CHECK ((\"int64\" > 0)))", table.create { $0.check(int64 > 0) }),
      (
        "CREATE TABLE \"table\" (FOREIGN KEY (\"string\") REFERENCES \"users\" (\"email\") ON UPDATE CASCADE ON DELETE SET NULL)",
        table.create { $0.foreignKey(string, references: users, email, update: .cascade, delete: .setNull) }
      ),
      (
        "CREATE TABLE \"table\" (FOREIGN KEY (\"int64Optional\", \"string\") REFERENCES \"users\" (\"id\", \"email\"))",
        table.create { $0.foreignKey((int64Optional, string), references: users, (id, email)) }
      ),
    ]
  }

  static var changes: [PrintedText] {
    [
      ("ALTER TABLE \"table\" RENAME TO \"old\"", table.rename(Table("old"))),
      (
        "ALTER TABLE \"table\" ADD COLUMN \"int64\" INTEGER NOT NULL DEFAULT (1)",
        table.addColumn(int64, defaultValue: 1)
      ),
      ("ALTER TABLE \"table\" ADD COLUMN \"stringOptional\" TEXT", table.addColumn(stringOptional)),
      (
        "ALTER TABLE \"table\" ADD COLUMN \"stringOptional\" TEXT CHECK (\"stringOptional\" IN ('JR', 'SR'))",
        table.addColumn(stringOptional, check: ["JR", "SR"].contains(stringOptional))
      ),
      (
        "ALTER TABLE \"table\" ADD COLUMN \"int64Optional\" INTEGER REFERENCES \"users\" (\"id\")",
        table.addColumn(int64Optional, references: users, id)
      ),
      (
        "ALTER TABLE \"table\" ADD COLUMN \"string\" TEXT NOT NULL DEFAULT ('a') COLLATE NOCASE",
        table.addColumn(string, defaultValue: "a", collate: .nocase)
      ),
      ("CREATE INDEX \"index_table_on_int64\" ON \"table\" (\"int64\")", table.createIndex(int64)),
      (
        "CREATE UNIQUE INDEX IF NOT EXISTS \"index_table_on_int64_string\" ON \"table\" (\"int64\", \"string\")",
        table.createIndex(int64, string, unique: true, ifNotExists: true)
      ),
      ("DROP INDEX IF EXISTS \"index_table_on_int64\"", table.dropIndex(int64, ifExists: true)),
      ("DROP TABLE \"table\"", table.drop()), ("DROP TABLE IF EXISTS \"table\"", table.drop(ifExists: true)),
      ("DROP VIEW \"view\"", View("view").drop()),
      ("CREATE TABLE \"table\" AS SELECT \"id\" FROM \"users\"", table.create(users.select(id))),
      (
        "CREATE TEMPORARY VIEW IF NOT EXISTS \"view\" AS SELECT \"id\" FROM \"users\"",
        View("view").create(users.select(id), temporary: true, ifNotExists: true)
      ),
      (
        "CREATE VIEW \"view\" AS SELECT * FROM \"users\" WHERE (\"age\" > 1)",
        View("view").create(users.filter(age > 1))
      ),
    ]
  }

  static var virtualTables: [PrintedText] {
    let emails = VirtualTable("emails")
    return [
      ("CREATE VIRTUAL TABLE \"emails\" USING fts4()", emails.create(.FTS4())),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING fts4(\"string\", \"stringOptional\")",
        emails.create(.FTS4(string, stringOptional))
      ),
      (
        "CREATE VIRTUAL TABLE IF NOT EXISTS \"emails\" USING fts4(\"string\", tokenize=porter)",
        emails.create(.FTS4([string], tokenize: .Porter), ifNotExists: true)
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING fts4(tokenize=unicode61 \"remove_diacritics=0\" \"tokenchars=.\")",
        emails.create(.FTS4(tokenize: .Unicode61(removeDiacritics: false, tokenchars: ["."])))
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING fts4(\"string\", prefix=\"2,4\", content=\"posts\", notindexed=\"string\", order=\"desc\")",
        emails.create(
          .FTS4(FTS4Config().column(string, [.unindexed]).prefix([2, 4]).externalContent(posts).order(.desc)))
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING fts5(\"string\", \"stringOptional\" UNINDEXED, tokenize=porter, content=\"\", columnsize=\"0\", detail=\"none\")",
        emails.create(
          .FTS5(
            FTS5Config().column(string).column(stringOptional, [.unindexed]).tokenizer(.Porter).contentless()
              .columnSize(0).detail(.none)))
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING rtree(\"int64\", \"double\", \"double\")",
        emails.create(.RTree(int64, (double, double)))
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING custom('foo', \"string\")",
        emails.create(Module("custom", [Expression<String>(value: "foo"), string]))
      ),
      ("ALTER TABLE \"emails\" RENAME TO \"mails\"", emails.rename(VirtualTable("mails"))),
      ("(\"emails\" MATCH 'wonder*')", emails.match("wonder*") as Expression<Bool>),
      ("SELECT * FROM \"emails\" WHERE (\"emails\" MATCH 'wonder*')", emails.match("wonder*") as VirtualTable),
      ("SELECT * FROM \"emails\" WHERE (\"emails\" MATCH 'wonder*')", emails.filter(emails.match("wonder*"))),
    ]
  }
}
