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
  static let firstVirtualTable = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0 LIMIT 1"

  static let virtualTablesAndViews =
    "SELECT name, type FROM sqlite_schema WHERE type = 'view' OR type = 'table' AND rootpage = 0"
  // A temporary view may have the name of a table, so that the schema has to be named.
  static let foreignKeys = """
    SELECT t.name, k."table", k."from", k."to" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name, 'main') AS k
    WHERE t.type = 'table'
    """
  static let columnNames = "SELECT name FROM pragma_table_xinfo(?1, 'main')"
  static let settableColumns = "SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0"
  static let primaryKey = "SELECT name FROM pragma_table_info(?1, 'main') WHERE pk > 0"
  static let readSchemaVersion = "PRAGMA schema_version"

  /// A virtual table has no page of its own. `PRAGMA table_list` would say what is one as well, but it compiles every
  /// view first, which has no bound.
  static let virtualTables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage = 0"
  /// Each trigger and index that somebody made: what it is, its name and its table.
  static let boundToTables =
    "SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
  /// The tables to which a table's foreign keys refer.
  static let keysOfTable = "SELECT ?1, \"table\" FROM pragma_foreign_key_list(?1)"
  /// Each table and the tables to which its foreign keys refer.
  static let keysOfTables = """
    SELECT t.name, k."table" FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS k
    WHERE t.type = 'table' AND t.rootpage <> 0
    """
  static let readSchema = "SELECT 1 FROM sqlite_schema"
  static let readSchemaSize = "SELECT count(*), ifnull(sum(length(CAST(sql AS BLOB))), 0) FROM sqlite_schema"

  static func isThere(_ table: InternalTable) -> String {
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = '\(table.rawValue)'"
  }
  /// The rows of a table, up to the number that is bound.
  static func rowCount(of table: InternalTable) -> String {
    "SELECT count(*), 0 FROM (SELECT 1 FROM main.\(table.rawValue) LIMIT ?1)"
  }
  /// Those, and the bytes of their texts.
  static func size(of table: InternalTable) -> String {
    let columns =
      switch table {
      case .statistics: ["tbl", "idx", "stat"]
      case .samples: ["tbl", "idx", "neq", "nlt", "ndlt", "sample"]
      case .sequence: ["name", "seq"]
      }
    let bytes = columns.map { "ifnull(length(CAST(\($0) AS BLOB)), 0)" }.joined(separator: " + ")
    return """
      SELECT count(*), ifnull(sum(bytes), 0) FROM (SELECT \(bytes) AS bytes FROM main.\(table.rawValue) LIMIT ?1)
      """
  }

  /// A JSON array.
  static let tableNames = """
    SELECT json_group_array(name) FROM (
      SELECT name, type FROM sqlite_schema UNION ALL SELECT name, type FROM sqlite_temp_schema)
    WHERE type IN ('table', 'view')
    """

  static let explain = "EXPLAIN "
  static func everything(in table: String) -> String { "SELECT * FROM main.\(quoted(table))" }
  static func anyRow(of table: String) -> String { "SELECT 1 FROM main.\(quoted(table))" }

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
