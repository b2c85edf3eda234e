/// What is said to a client whose statement uses a pragma that it may not.
import Testing

@testable import MartletSQLite

@Suite struct PragmaRulesTests {
  @Test(arguments: [
    ("PRAGMA wal_checkpoint", "use the pragma wal_checkpoint: the server checkpoints by itself"),
    ("PRAGMA Database_List", "use the pragma database_list: a session is on one database"),
    ("PRAGMA busy_timeout", "use the pragma busy_timeout: nobody waits for a lock here"),
    ("PRAGMA cell_size_check = 1", "use the pragma cell_size_check"), ("PRAGMA count_changes", "part of each answer"),
    ("PRAGMA ignore_check_constraints = 1", "CHECK constraints hold for everybody"),
    (
      "PRAGMA user_versio = 3", "use the pragma user_versio. Those that clients may use with a value are application_id"
    ),
    ("PRAGMA cache_size = 1", "set the pragma cache_size, because it holds for all who use the database"),
    ("PRAGMA \(String(repeating: "x", count: 500))", "xxxx…"),
  ])
  func `a refusal has the pragma's name and says what to do`(sql: String, words: String) throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, clock: { 0 })
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix("A statement may not ") == true && error?.message.hasSuffix(".") == true)
    #expect((error?.message.count ?? 0) < 450)
  }

  @Test(arguments: ["PRAGMA cache_size", "PRAGMA table_info(x)", "PRAGMA user_version = 3", "PRAGMA application_id"])
  func `what changes nothing for others is open`(sql: String) throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, clock: { 0 })
    _ = try connection.prepare(sql)
  }
}
