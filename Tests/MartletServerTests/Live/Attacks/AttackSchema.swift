import MartletValues

@testable import MartletServer

/// The administrator's tables. `notes`, `docs` and `keyed` have rows of two tenants, `vault` and what reads it is
/// nobody's.
enum AttackSchema {
  private static let marker = AttackStage.marker

  static let statements = [
    """
    CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT UNIQUE, body TEXT, tenant TEXT NOT NULL, secret TEXT UNIQUE,
      shout TEXT GENERATED ALWAYS AS (upper(secret)) VIRTUAL, CHECK (title <> 'never'))
    """,
    "CREATE INDEX notes_hidden ON notes(secret, tenant)",
    """
    INSERT INTO notes(id, title, body, tenant, secret) SELECT value, 'n' || value,
      iif(value % 2, 'b', '\(marker) body'), iif(value % 2, 'a', 'b'), '\(marker) ' || value
    FROM json_each('[1,2,3,4,5,6]')
    """,
    "CREATE TABLE notes_kept AS SELECT id, title, body, tenant, secret FROM notes WHERE tenant = 'a'",
    "CREATE TABLE vault(k TEXT PRIMARY KEY, v TEXT)",
    "INSERT INTO vault VALUES ('k1', '\(marker) one'), ('k2', '\(marker) two'), ('k3', '\(marker) three')",
    "CREATE VIEW vault_view AS SELECT k, v FROM vault", "CREATE VIEW vault_over AS SELECT v FROM vault_view",
    "CREATE VIEW titles AS SELECT id, title FROM notes", "CREATE VIEW summary AS SELECT count(*) AS n FROM vault",
    "CREATE TABLE log(at INTEGER, what TEXT)", "INSERT INTO log VALUES (0, '\(marker) log')",
    """
    CREATE TRIGGER notes_log AFTER UPDATE ON notes BEGIN
      INSERT INTO log VALUES (1, old.secret || (SELECT group_concat(v) FROM vault)); END
    """,
    "CREATE TABLE members(member TEXT, team TEXT)", "INSERT INTO members VALUES ('a', 'red'), ('b', 'blue')",
    "CREATE TABLE docs(id INTEGER PRIMARY KEY, team TEXT, text TEXT)",
    "INSERT INTO docs VALUES (1, 'red', 'own'), (2, 'blue', '\(marker) doc')",
    "CREATE TABLE keyed(k TEXT PRIMARY KEY, tenant TEXT, secret TEXT) WITHOUT ROWID",
    "INSERT INTO keyed VALUES ('x', 'a', '\(marker) x'), ('y', 'b', '\(marker) y')",
    "CREATE TABLE plain(id INTEGER PRIMARY KEY, x TEXT)", "INSERT INTO plain VALUES (1, 'one'), (2, 'two')",
    "CREATE TABLE odd(rowid TEXT, oid TEXT, _rowid_ TEXT, x TEXT)", "INSERT INTO odd VALUES ('1', '1', '1', 'one')",
    "CREATE TABLE links(id INTEGER PRIMARY KEY, vault TEXT REFERENCES vault(k))",
    "CREATE TABLE inbox(id INTEGER PRIMARY KEY, message TEXT UNIQUE)",
    "INSERT INTO inbox VALUES (1, '\(marker) message')",
    "CREATE VIRTUAL TABLE pages USING fts5(text, author)", "INSERT INTO pages VALUES ('some words', 'somebody')",
    "CREATE VIRTUAL TABLE value USING fts5(text)",
    "CREATE VIRTUAL TABLE diary USING fts5(entry)", "INSERT INTO diary VALUES ('\(marker) entry')",
    "CREATE VIRTUAL TABLE diary_words USING fts5vocab('diary', 'row')",
    "CREATE VIRTUAL TABLE letters USING fts4(title, secret)",
    "INSERT INTO letters VALUES ('a title', '\(marker) letter')",
    "CREATE VIRTUAL TABLE papers USING fts5(title, secret)",
    """
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
    INSERT INTO papers SELECT n || ' title', '\(marker) paper' FROM c
    """,
    "CREATE VIEW letter_titles AS SELECT title FROM letters",
    "CREATE VIEW paper_ranks AS SELECT title, rank AS score FROM papers",
    "CREATE VIEW page_numbers AS SELECT title AS pages FROM papers",
    "CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1)", "INSERT INTO boxes VALUES (1, 2, 3)",
    "CREATE TABLE counters(id INTEGER PRIMARY KEY AUTOINCREMENT, n TEXT)",
    "INSERT INTO counters(n) VALUES ('\(marker) n')", "ANALYZE",
  ]

  /// What no attempt may change.
  static let hidden = [
    "SELECT * FROM notes WHERE tenant = 'b'", "SELECT id, secret FROM notes_kept", "SELECT * FROM vault",
    "SELECT * FROM log WHERE at = 0", "SELECT * FROM members", "SELECT * FROM docs WHERE team <> 'red'",
    "SELECT * FROM keyed WHERE tenant = 'b'", "SELECT * FROM inbox WHERE id = 1", "SELECT * FROM diary",
    "SELECT * FROM letters", "SELECT * FROM papers",
    "SELECT * FROM boxes", "SELECT * FROM counters", "SELECT * FROM pages",
    "SELECT type, name, sql FROM sqlite_schema", "SELECT name FROM sqlite_temp_schema",
  ]

  /// What attempts that are harmless may have changed, as it was.
  static let restoring = [
    "DELETE FROM notes WHERE tenant <> 'b'",
    "INSERT INTO notes(id, title, body, tenant, secret) SELECT * FROM notes_kept",
    "DELETE FROM plain", "INSERT INTO plain VALUES (1, 'one'), (2, 'two')",
    "DELETE FROM docs WHERE team = 'red'", "INSERT INTO docs VALUES (1, 'red', 'own')",
    "DELETE FROM keyed WHERE tenant <> 'b'", "INSERT INTO keyed VALUES ('x', 'a', '\(marker) x')",
    "DELETE FROM inbox WHERE id > 1", "DELETE FROM links", "DELETE FROM log WHERE at > 0",
  ]
}

/// What those who attack may do.
enum AttackRoles {
  static func policy() throws -> AccessPolicy {
    var policy = AccessPolicy()
    let shop = ["shop", "own-{tenant}"].compactMap { DatabasePattern($0) }
    // The marker stands in the conditions, too: nothing of them comes over a connection.
    let tenant = try RowRule("tenant = claim('tenant') AND tenant <> '\(AttackStage.marker)'")
    let team = try RowRule(
      "team IN (SELECT team FROM members WHERE member = claim('tenant')) AND team <> '\(AttackStage.marker)'")
    let notes = TableRule(
      readColumns: ["id", "title", "body"], writeColumns: ["title", "body", "tenant"], rows: tenant, newRows: tenant)
    let app: [String: TableRule] = [
      "notes": notes, "docs": TableRule(rows: team, newRows: team), "plain": TableRule(), "odd": TableRule(),
      "keyed": TableRule(readColumns: ["k", "tenant"], rows: tenant, newRows: tenant),
      "pages": TableRule(permissions: .select), "summary": TableRule(permissions: .select),
      "value": TableRule(), "links": TableRule(permissions: .insert), "letters": TableRule(readColumns: ["title"]),
      "papers": TableRule(readColumns: ["title", "rank"]), "letter_titles": TableRule(permissions: .select),
      "paper_ranks": TableRule(permissions: .select), "page_numbers": TableRule(permissions: .select),
    ]
    policy.roles["tenant"] = Role(
      name: "tenant", databases: shop, permissions: [.rows, .create], tables: TableRules(app))
    policy.roles["reader"] = Role(
      name: "reader", databases: shop, permissions: .select,
      tables: TableRules([
        "notes": TableRule(permissions: .select, readColumns: ["id", "title"]),
        "plain": TableRule(permissions: .select),
      ]))
    policy.roles["inserter"] = Role(
      name: "inserter", databases: shop, permissions: .insert,
      tables: TableRules(["inbox": TableRule(permissions: .insert), "plain": TableRule(permissions: .insert)]))
    policy.roles["all"] = Role(name: "all", permissions: .all)
    policy.roles["rows"] = Role(name: "rows", databases: shop, permissions: .rows)
    policy.others = .role("all")
    return policy
  }
}
