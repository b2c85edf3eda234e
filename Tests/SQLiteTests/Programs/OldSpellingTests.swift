import SQLite
import Testing

/// What the users of SQLite.swift for Swift 1.2 wrote: it compiles with a warning that names what is written today.
@Suite struct OldSpellingTests {
  @available(*, deprecated)
  private static var texts: [PrintedText] {
    [
      ("(\"email\" LIKE '%@mac.com')", like("%@mac.com", email)), ("(\"email\" GLOB 'a*')", glob("a*", email)),
      ("(\"email\" MATCH 'a')", match(email, "a")), ("(\"emails\" MATCH 'a')", match(VirtualTable("emails"), "a")),
      ("(\"name\" COLLATE NOCASE)", collate(.Nocase, name)),
      ("(\"name\" COLLATE \"NODIACRITIC\")", collate(.Custom("NODIACRITIC"), name)),
      ("(\"admin\" AND (lower(\"name\") = 'alice'))", admin && lower(name) == "alice"),
      ("upper(\"email\")", upper(email)), ("ltrim(\"email\")", ltrim(email)), ("rtrim(\"email\")", rtrim(email)),
      ("trim(\"email\")", trim(email)), ("length(\"email\")", length(email)),
      ("(\"id\" IN (1, 2, 3))", contains([1, 2, 3], id)), ("(\"age\" IN (1))", contains([1], age)),
      ("count(\"name\")", count(name)), ("count(DISTINCT \"name\")", count(distinct: name)),
      ("avg(\"double\")", average(double)), ("sum(\"double\")", sum(double)), ("total(\"double\")", total(double)),
      ("SELECT count(\"name\") FROM \"users\"", users.count(name)),
      ("SELECT count(DISTINCT \"name\") FROM \"users\"", users.count(distinct: name)),
      ("SELECT max(\"id\") FROM \"users\"", users.max(id)), ("SELECT min(\"id\") FROM \"users\"", users.min(id)),
      ("SELECT avg(\"age\") FROM \"users\"", users.average(age)),
      ("SELECT sum(\"age\") FROM \"users\"", users.sum(age)),
      ("SELECT total(\"age\") FROM \"users\"", users.total(age)),
      ("INSERT OR REPLACE INTO \"users\" (\"email\") VALUES ('a')", users.insert(or: .Replace, email <- "a")),
      (
        "CREATE TABLE \"table\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL)",
        table.create { $0.column(id, primaryKey: .Autoincrement) }
      ),
      (
        "CREATE TABLE \"table\" (\"user_id\" INTEGER NOT NULL REFERENCES \"users\" (\"id\"))",
        table.create { $0.column(userId, references: users[id]) }
      ),
      (
        "CREATE TABLE \"table\" (FOREIGN KEY (\"user_id\") REFERENCES \"users\" (\"id\") ON DELETE SET NULL)",
        table.create { $0.foreignKey(userId, on: users[id], delete: .SetNull) }
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING fts4(\"email\", \"name\")",
        VirtualTable("emails").create(fts4(email, name))
      ),
      (
        "CREATE VIRTUAL TABLE \"emails\" USING fts4(\"email\", tokenize=porter)",
        VirtualTable("emails").create(fts4([email], tokenize: .Porter))
      ),
      (
        "SELECT * FROM \"users\" LEFT OUTER JOIN \"posts\" ON (\"users\".\"id\" = \"posts\".\"user_id\")",
        users.join(.LeftOuter, posts, on: users[id] == posts[userId])
      ),
    ]
  }

  @available(*, deprecated)
  @Test func `old names mean what the new ones do`() {
    for (text, expression) in Self.texts { #expect(expression.asSQL() == text) }
  }
}
