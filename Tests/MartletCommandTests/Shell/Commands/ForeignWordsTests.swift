/// What is said of statements in the SQL of other databases.
import MartletSQLite
import Testing

@testable import MartletCommand

struct ForeignWordsTests {
  @Test(arguments: [
    ("select '1'::int", "CAST(x AS INTEGER)"), ("SELECT TOP 5 * FROM t", "LIMIT n"),
    ("select a from t fetch first 3 rows only", "LIMIT n"),
    ("merge into t using s on t.a = s.a when matched then delete", "ON CONFLICT DO UPDATE"),
    ("insert into t values (1) on duplicate key update a = 2", "ON CONFLICT DO UPDATE"),
    ("insert ignore into t values (1)", "INSERT OR IGNORE"), ("insert into t set a = 1", "VALUES (1, 2)"),
    ("select * from t where a ilike 'x%'", "LIKE takes"), ("select * from t where a similar to 'x'", "LIKE and GLOB"),
    ("select * from t where a <=> null", "IS y"), ("create or replace view v as select 1", "DROP … IF EXISTS"),
    ("select * from t for update", "BEGIN IMMEDIATE"), ("select interval '1 day'", "'+1 day'"),
    ("select * from t where a > date('now') - interval '1 day'", "'+1 day'"),
    ("create table u(a integer primary key auto_increment)", "INTEGER PRIMARY KEY"),
    ("create table u(a int) engine=InnoDB", "WITHOUT ROWID and STRICT"), ("select extract(year from a) from t", "'%Y'"),
    ("select @@version", "PRAGMA"), ("select a from t group by rollup (a, b)", "UNION ALL"),
    ("delete t where a = 1", "DELETE FROM"), ("select isnull(1, 2)", "ifnull(x, y)"),
    ("select left('abc', 2)", "substr(x, 1, n)"),
    ("select if(1, 2, 3)", "iif(x, y, z)"), ("select date_trunc('month', a) from t", "start of month"),
    ("select * from t, lateral (select 1)", "LATERAL"), ("select nosuch(1)", ""), ("select 'a::b' frm t where", ""),
    ("insert into t values (1) on conflict do update set a = ", ""),
    ("select last_insert_id()", "RETURNING id"), ("select * from information_schema.tables", "sqlite_schema lists"),
    ("select * from pg_tables", ".tables and .columns TABLE"), ("abort", "ROLLBACK undoes"),
    ("source a.sql", ".read FILE"), ("connect other", ".connect DATABASE"), ("tee a.txt", ".output FILE"),
  ])
  func `SQLite does not take it, and the hint says what it takes`(sql: String, hint: String) throws {
    let connection = try Connection(
      path: ":memory:", label: "test", access: .writer, setup: ConnectionSetup(), clock: { 0 })
    try connection.execute("CREATE TABLE t(a, b)")
    let error = try #require(throws: SQLiteError.self) { try connection.execute(sql) }
    let offset = error.offset.map { Int($0) }
    let said = StatementHint.of(error.message, sql: sql, offset: offset, words: CompletionWords())
    #expect(hint.isEmpty ? said.isEmpty : said.contains(hint), "\(error.message): \(said)")
  }
}
