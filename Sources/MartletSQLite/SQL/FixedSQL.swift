/// The SQL that this module itself runs: settings of a connection and what reads them back.
///
/// Always true: nothing here is made of a program's values; numbers come from limits.
enum FixedSQL {
  static let journalModeWAL = "PRAGMA journal_mode=WAL"
  static let synchronousFull = "PRAGMA synchronous=FULL"
  static let queryOnly = "PRAGMA query_only=ON"
  static let queryAndPrepare = "PRAGMA query_only=OFF"

  static let everywhere = ["PRAGMA cell_size_check=ON", "PRAGMA mmap_size=0"]

  static func foreignKeys(isOn: Bool) -> String { isOn ? "PRAGMA foreign_keys=ON" : "PRAGMA foreign_keys=OFF" }

  static let foreignKeyCheck = "PRAGMA foreign_key_check"

  /// Fails if a trigger may not write to a table of FTS5 unless the schema is trusted.
  static let fullTextTrigger = """
    PRAGMA trusted_schema=OFF; CREATE VIRTUAL TABLE f USING fts5(a); CREATE TABLE t(a);
    CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO f(a) VALUES (new.a); END; INSERT INTO t VALUES ('x')
    """

  /// A statement that runs between its two rows, and the pragma that marks LIKE for the planner.
  static let twoRows = "VALUES (1), (2)"
  static let markLike = "PRAGMA case_sensitive_like=OFF"
  static let patternTrial =
    "CREATE TABLE t(a TEXT COLLATE NOCASE, b TEXT, c); CREATE INDEX i ON t(a); CREATE INDEX j ON t(b)"
  static let likeByIndex = "EXPLAIN QUERY PLAN SELECT c FROM t WHERE a LIKE 'ab%'"
  static let globByIndex = "EXPLAIN QUERY PLAN SELECT c FROM t WHERE b GLOB 'ab*'"
  static let firstGlob = "SELECT glob('', '')"

  static let fullTextInterface = "SELECT fts5(?1)"
  static let registerTokenizer = "SELECT fts3_tokenizer(?1, ?2)"
  static let firstVirtualTable = "SELECT name FROM pragma_table_list WHERE type = 'virtual' LIMIT 1"

  static let virtualTablesAndViews =
    "SELECT name, type FROM pragma_table_list WHERE type IN ('virtual', 'view') AND schema = 'main'"
  // A temporary view may have the name of a table, so that the schema has to be named.
  static let foreignKeys = """
    SELECT t.name, k."table", k."from", k."to" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name, 'main') AS k
    WHERE t.type = 'table'
    """
  static let columnNames = "SELECT name FROM pragma_table_xinfo(?1, 'main')"
  static let primaryKey = "SELECT name FROM pragma_table_info(?1, 'main') WHERE pk > 0"
  static let readSchemaVersion = "PRAGMA schema_version"

  /// The tables in which virtual tables keep their data. SQLite goes by the ending of the name: if a full-text table
  /// has another content, or none, a table that is called like its own one is somebody else's.
  private static let shadows = """
    SELECT s.name FROM pragma_table_list AS s WHERE s.type = 'shadow' AND NOT (
      substr(s.name, -8) = '_content' COLLATE NOCASE AND EXISTS (
        SELECT 1 FROM sqlite_schema AS v WHERE v.name = substr(s.name, 1, length(s.name) - 8) COLLATE NOCASE
        AND v.sql LIKE '%content%=%'))
    """

  static let findShadow = "SELECT 1 WHERE ?1 COLLATE NOCASE IN (\(shadows))"
  /// The table, if it has a foreign key to a shadow table.
  static let findKeyToShadow = """
    SELECT ?1 FROM pragma_foreign_key_list(?1) AS k
    WHERE k."table" COLLATE NOCASE IN (\(shadows)) LIMIT 1
    """
  /// A table with such a key. Goes through the tables only if there is a shadow table.
  static let findAnyKeyToShadow = """
    SELECT l.name FROM pragma_table_list AS l JOIN pragma_foreign_key_list(l.name) AS k
    WHERE l.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_list WHERE type = 'shadow')
    AND k."table" COLLATE NOCASE IN (\(shadows)) LIMIT 1
    """
  /// A trigger or an index of a shadow table: what it is, and its name.
  static let findBoundToShadow = """
    SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL
    AND tbl_name COLLATE NOCASE IN (\(shadows)) LIMIT 1
    """
  static let readSchema = "SELECT 1 FROM sqlite_schema"
  static let readSchemaSize = "SELECT count(*), ifnull(sum(length(CAST(sql AS BLOB))), 0) FROM sqlite_schema"
  /// A JSON array.
  static let tableNames = """
    SELECT json_group_array(name) FROM pragma_table_list WHERE type IN ('table', 'view', 'virtual')
    """

  static let explain = "EXPLAIN "

  static let readForeignKeys = "PRAGMA foreign_keys"
  static let readJournalMode = "PRAGMA journal_mode"
  static let readSynchronous = "PRAGMA synchronous"
  static let readPageSize = "PRAGMA page_size"
  static let readPageCount = "PRAGMA page_count"
  static let readMaxPages = "PRAGMA max_page_count"
  static func createTable(_ name: String, columns: [String]) -> String {
    "CREATE TABLE \(quoted(name))(\(columns.map { quoted($0) }.joined(separator: ", ")))"
  }
  static let readFreePages = "PRAGMA freelist_count"
  static let vacuum = "VACUUM"

  // SQLCipher's own.
  static let cipherVersion = "PRAGMA cipher_version"
  static let cipherLogOff = "PRAGMA cipher_log_level = NONE"
  static let migrateCipher = "PRAGMA cipher_migrate"
  static func key(_ key: [UInt8], of schema: String) -> String { "PRAGMA \(quoted(schema)).hexkey='\(hex(key))'" }
  static func rekey(_ key: [UInt8], of schema: String) -> String { "PRAGMA \(quoted(schema)).hexrekey='\(hex(key))'" }
  static func readSchemaCount(of schema: String) -> String {
    "SELECT count(*) FROM \(quoted(schema)).sqlite_schema"
  }
  static func readSalt(of schema: String) -> String { "PRAGMA \(quoted(schema)).cipher_salt" }
  static func exportEncrypted(into schema: String) -> String {
    "SELECT sqlcipher_export(\(quoted(schema, UInt8(ascii: "'"))))"
  }

  /// By bytes: to Swift a mark with an accent behind it is another character, and to SQLite it ends the name.
  private static func quoted(_ name: String, _ mark: UInt8 = UInt8(ascii: "\"")) -> String {
    let bytes = [mark] + name.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark]
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  static func maxPages(_ pages: Int) -> String { "PRAGMA max_page_count=\(pages)" }
  static func journalSizeLimit(bytes: Int) -> String { "PRAGMA journal_size_limit=\(bytes)" }
  static func cacheSize(kibibytes: Int) -> String { "PRAGMA cache_size=-\(kibibytes)" }

  /// How the two virtual tables describe themselves to SQLite. The hidden column takes the bound pointer.
  static let listTable = #"CREATE TABLE x("value", "rows" HIDDEN)"#

  static func rowsTable(columnCount: Int) -> String {
    let names = (0..<columnCount).map { "\"c\($0)\"" }.joined(separator: ", ")
    return "CREATE TABLE x(\(names), \"rows\" HIDDEN)"
  }
}
