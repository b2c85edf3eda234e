/// Statements of text that reach for the file system, the connection or other databases change nothing outside of rows.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import Testing

@Suite(.serialized) struct HostileStatementsTests {
  /// Each tries to make or read a file, to change a setting that others share, or to end somebody's transaction. `PATH`
  /// is the path of a file that must not appear.
  private static let attempts: [String] =
    [
      "ATTACH 'PATH' AS other", "ATTACH DATABASE 'file:PATH?mode=rwc' AS other", "ATTACH ':memory:' AS other",
      "DETACH main", "DETACH temp", "VACUUM INTO 'PATH'", "VACUUM main INTO 'PATH'",
      "SELECT load_extension('PATH')", "SELECT readfile('/etc/passwd')", "SELECT writefile('PATH', 'x')",
      "SELECT edit('x')", "SELECT RTreeNode(2, x'00')", "SELECT fts3_tokenizer('simple')",
      "SELECT fts3_tokenizer('x', x'0000000000000000')",
      "BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "COMMIT", "END", "ROLLBACK", "SAVEPOINT s", "RELEASE s",
      "ROLLBACK TO s",
      "CREATE TEMP TABLE x(a)", "CREATE TEMPORARY TABLE x AS SELECT 1", "CREATE TABLE temp.x(a)",
      "CREATE TEMP VIEW x AS SELECT 1", "CREATE TEMP TRIGGER x AFTER INSERT ON victim BEGIN SELECT 1; END",
      "CREATE VIRTUAL TABLE x USING csv(filename='/etc/passwd')", "CREATE VIRTUAL TABLE x USING dbstat",
      "CREATE VIRTUAL TABLE x USING generate_series", "CREATE VIRTUAL TABLE x USING zipfile('PATH')",
      "SELECT * FROM sqlite_dbpage", "SELECT * FROM sqlite_stmt",
      "INSERT INTO sqlite_dbpage(pgno, data) VALUES (1, x'00')",
      "INSERT INTO sqlite_master VALUES ('table','x','x',0,'CREATE TABLE x(a)')",
      "INSERT INTO sqlite_schema VALUES ('table','x','x',0,'CREATE TABLE x(a)')",
      "UPDATE sqlite_master SET sql = 'x'", "UPDATE sqlite_schema SET rootpage = 2", "DELETE FROM sqlite_master",
      "DROP TABLE sqlite_master", "ALTER TABLE sqlite_master ADD COLUMN x", "CREATE TABLE sqlite_x(a)",
      "CREATE INDEX i ON sqlite_master(name)", "CREATE TRIGGER x AFTER INSERT ON sqlite_master BEGIN SELECT 1; END",
    ]
    + [
      "writable_schema=ON", "writable_schema=RESET", "journal_mode=DELETE", "journal_mode=OFF", "journal_mode=MEMORY",
      "main.journal_mode=TRUNCATE", "synchronous=OFF", "synchronous=NORMAL", "locking_mode=EXCLUSIVE",
      "temp_store_directory='/tmp'", "data_store_directory='/tmp'", "query_only=OFF", "foreign_keys=OFF",
      "ignore_check_constraints=ON", "trusted_schema=ON", "cell_size_check=OFF", "cache_size=1000000",
      "cache_spill=OFF", "mmap_size=1000000000", "wal_autocheckpoint=1", "wal_checkpoint", "wal_checkpoint(TRUNCATE)",
      "page_size=512", "max_page_count=10", "auto_vacuum=FULL", "incremental_vacuum", "secure_delete=ON",
      "encoding='UTF-16'", "legacy_alter_table=ON", "recursive_triggers=OFF", "reverse_unordered_selects=ON",
      "read_uncommitted=ON", "hard_heap_limit=1", "soft_heap_limit=1", "threads=8", "busy_timeout=100000",
      "schema_version=77", "checkpoint_fullfsync=ON", "fullfsync=ON", "automatic_index=OFF", "case_sensitive_like=ON",
      "count_changes=ON", "full_column_names=ON", "short_column_names=OFF", "shrink_memory", "temp_store=MEMORY",
      "analysis_limit=1000000", "default_cache_size=10", "empty_result_callbacks=ON", "parser_trace=ON",
      "vdbe_trace=ON", "vdbe_listing=ON", "vdbe_addoptrace=ON", "lock_proxy_file=':auto:'", "lock_status",
      "key='x'", "rekey='x'", "activate_extensions('x')",
    ].map { "PRAGMA \($0)" }
    + [
      "SELECT * FROM pragma_journal_mode('OFF')", "SELECT * FROM pragma_synchronous(0)",
      "SELECT * FROM pragma_writable_schema(1)", "SELECT * FROM pragma_wal_checkpoint('TRUNCATE')",
      "SELECT * FROM pragma_foreign_keys(0)", "SELECT * FROM pragma_query_only(0)",
      "SELECT * FROM pragma_cache_size(1)",
      "SELECT * FROM pragma_locking_mode('exclusive')", "SELECT * FROM pragma_temp_store_directory('/tmp')",
      "SELECT 1; DROP TABLE victim", "SELECT 1;; DELETE FROM victim", "INSERT INTO victim VALUES (99); COMMIT",
      "EXPLAIN ATTACH 'PATH' AS other",
    ]

  /// What a session can see of the connection's settings.
  private static let settings = [
    "journal_mode", "synchronous", "foreign_keys", "cache_size", "query_only", "trusted_schema", "auto_vacuum",
    "max_page_count", "recursive_triggers", "secure_delete", "encoding", "page_size", "schema_version",
  ]

  @Test func `no statement of text makes a file, changes a setting or touches what it was not told to`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let configuration = ClientConfiguration(createsDatabase: true)
    let database = try DatabaseClient(server.url(database: "db"), configuration: configuration)
    try await database.execute(.sql("CREATE TABLE victim(a)"))
    try await database.execute(.sql("INSERT INTO victim VALUES (1), (2), (3)"))
    let before = try await state(of: database, folder)
    var refused = 0
    for attempt in Self.attempts {
      let sql = attempt.replacingOccurrences(of: "PATH", with: folder.path + "/data/escaped")
      for isRead in [true, false] {
        refused += await fails { try await database.execute(.sql(sql, isRead: isRead)) }
      }
      refused += await fails { _ = try await database.write { try await $0.execute(.sql(sql)) } }
      refused += await fails { _ = try await database.read { try await $0.execute(.sql(sql, isRead: true)) } }
    }
    let after = try await state(of: database, folder)
    print("hostile statements: \(Self.attempts.count) in four ways, \(refused) refused")
    #expect(after == before)
    #expect(refused > Self.attempts.count * 3)
    await database.close()
    #expect(server.terminate() == 0)
  }

  private func fails(_ body: () async throws -> Void) async -> Int {
    do {
      try await body()
      return 0
    } catch {
      return 1
    }
  }

  private func state(of database: DatabaseClient, _ folder: TemporaryFolder) async throws -> [String] {
    var state = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      // SQLite makes and removes these by itself.
      !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }.sorted()
    for setting in Self.settings {
      let row = try await database.fetchOne(.sql("PRAGMA \(setting)", isRead: true))
      state.append("\(setting) = \(String(describing: row?[0]))")
    }
    let rows = try await database.fetchAll(.sql("SELECT a FROM victim ORDER BY a", isRead: true))
    state.append(try rows.map { "\(try $0.get(Int64.self, 0))" }.joined(separator: ","))
    let names = try await database.fetchAll(.sql("SELECT name FROM sqlite_schema ORDER BY 1", isRead: true))
    state.append(try names.map { try $0.get(String.self, 0) }.joined(separator: ","))
    return state
  }
}
