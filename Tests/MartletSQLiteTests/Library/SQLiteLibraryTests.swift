/// What is known of the SQLite library of the process, and what is said if it lacks something.
import MartletSQLite
import Testing

@Suite struct SQLiteLibraryTests {
  @Test func `the version is the same as a number, as a text and in SQL`() throws {
    let parts = SQLiteLibrary.versionText.split(separator: ".").compactMap { Int($0) }
    #expect(parts.count >= 3)
    #expect(SQLiteLibrary.version == parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2])
    #expect(try Connection.inMemory().text("SELECT sqlite_version()") == SQLiteLibrary.versionText)
    #expect(SQLiteLibrary.hasCheckpointHazard == (SQLiteLibrary.version < 3_051_003))
  }

  @Test func `options of the build are those that SQL tells`() throws {
    let connection = try Connection.inMemory()
    for option in [
      "ENABLE_MATH_FUNCTIONS", "SQLITE_ENABLE_MATH_FUNCTIONS", "ENABLE_COLUMN_METADATA", "ENABLE_FTS5", "THREADSAFE",
      "HAS_CODEC", "LIKE_DOESNT_MATCH_BLOBS", "OMIT_LOAD_EXTENSION", "NO_SUCH_OPTION", "", "ENABLE_FTS", "'",
    ] {
      let statement = try connection.prepare("SELECT sqlite_compileoption_used(?1)", for: .engine)
      try statement.bindText(option, at: 1)
      #expect(try statement.step())
      #expect(SQLiteLibrary.isBuilt(with: option) == (statement.value(at: 0).integer == 1), "\(option)")
    }
    #expect(!SQLiteLibrary.isBuilt(with: "NO_SUCH_OPTION") && SQLiteLibrary.isBuilt(with: "ENABLE_MATH_FUNCTIONS"))
  }

  private static let needed: Set<String> = ["ENABLE_MATH_FUNCTIONS", "ENABLE_COLUMN_METADATA"]
  private static let libraries: [(version: Int, hasThreads: Bool, options: Set<String>, lacks: String?)] = [
    (3_038_000, true, needed, nil), (3_040_001, true, needed.union(["HAS_CODEC"]), nil), (4_000_000, true, needed, nil),
    (3_037_002, true, needed, "SQLite 3.38 or later is needed"), (0, true, needed, "3.38"),
    (2_999_999, false, [], "3.38"),
    (3_040_001, false, needed, "without threads"), (3_040_001, true, ["ENABLE_COLUMN_METADATA"], "math functions"),
    (3_040_001, true, ["ENABLE_MATH_FUNCTIONS"], "column metadata"), (3_040_001, true, [], "math functions"),
  ]

  @Test func `a library that is too old, or was built without what is needed, is refused in words`() {
    for library in Self.libraries {
      let words = SQLiteLibrary.missingFeature(
        version: library.version, hasThreads: library.hasThreads, isBuiltWith: library.options.contains)
      #expect((words == nil) == (library.lacks == nil), "\(library)")
      #expect(words?.contains(library.lacks ?? "") ?? true, "\(words ?? "")")
      #expect(words?.hasSuffix(".") ?? true)
    }
    #expect(SQLiteLibrary.missingFeature() == nil, "and the one that is linked has everything")
  }

  @Test func `the words of a code name nothing of anybody's`() {
    let codes: [(Int32, String)] = [
      (SQLiteCode.busy, "database is locked"), (SQLiteCode.constraint, "constraint failed"),
      (SQLiteCode.constraintUnique, "constraint failed"), (SQLiteCode.full, "database or disk is full"),
      (SQLiteCode.rowDenied, "constraint failed"), (0, "not an error"), (9_999_999, "unknown error"),
      (-1, "unknown error"), (.max, "unknown error"),
    ]
    for (code, words) in codes { #expect(SQLiteLibrary.words(of: code) == words, "\(code)") }
  }

  @Test func `the settings of the process were made before the first connection`() throws {
    #expect(SQLiteLibrary.isTuned)
    _ = try Connection.inMemory()
    #expect(SQLiteLibrary.isTuned)
    #expect(SQLiteLibrary.missingFeature() == nil)
  }

  /// Whether a trigger may write to FTS5 although the schema is not trusted: what decides whether it has to be.
  @Test func `the schema of clients' files is trusted only if full text needs that`() throws {
    let connection = try Connection.inMemory()
    let wasTrusted = try connection.text(of: "PRAGMA trusted_schema")
    #expect(wasTrusted == (SQLiteLibrary.fullTextNeedsTrust ? "1" : "0"))
    try connection.execute("PRAGMA trusted_schema=OFF")
    try connection.execute("CREATE VIRTUAL TABLE f USING fts5(a)")
    try connection.execute("CREATE TABLE t(a)")
    try connection.execute("CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO f(a) VALUES (new.a); END")
    do {
      try connection.execute("INSERT INTO t VALUES ('x')")
      #expect(!SQLiteLibrary.fullTextNeedsTrust)
    } catch {
      #expect(SQLiteLibrary.fullTextNeedsTrust)
    }
  }
}
