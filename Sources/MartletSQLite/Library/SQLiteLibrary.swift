import CSQLite

// One of the two is linked, and both have the calls of CSQLite: the package's trait decides.
#if SQLCipher
  internal import CSQLCipherLibrary
#else
  internal import CSQLiteLibrary
#endif

/// The one SQLite library of the process: its start-up settings and what it can do.
///
/// Always true: the settings are made before the first connection opens, or not at all, since SQLite refuses them
/// later.
package enum SQLiteLibrary {
  /// SQLite's version as a number, such as 3040001.
  package static var version: Int { Int(sqlite3_libversion_number()) }

  /// SQLite's version as it writes it, such as `3.40.1`.
  package static var versionText: String { String(cString: sqlite3_libversion()) }

  /// SQLite's words for a result code, which name nothing of a statement or a row.
  package static func words(of code: Int32) -> String { String(cString: sqlite3_errstr(code)) }

  /// Versions before 3.51.3 can lose pages when one connection checkpoints while another commits; checkpoints of this
  /// package run on the writer's connection only, so the hazard is only written to the log.
  package static var hasCheckpointHazard: Bool { version < 3_051_003 }

  /// Whether the settings below are in force. False if the process used SQLite before this package did.
  ///
  /// - Multi-thread mode: a connection is used by one thread at a time, so mutexes inside a connection only cost
  ///   time.
  /// - No memory statistics: with them each allocation takes one mutex of the whole process, which all loops and
  ///   readers share, and this library was built without lookaside. Decision 0008 says what that costs.
  /// - An allocator that counts what is large, which decision 0017 is about.
  package static let isTuned: Bool = {
    let threads = martlet_sqlite_config(SQLITE_CONFIG_MULTITHREAD, 0)
    let statistics = martlet_sqlite_config(SQLITE_CONFIG_MEMSTATUS, 0)
    let isCounted = ProcessMemory.install()
    let start = sqlite3_initialize()
    return threads == SQLITE_OK && statistics == SQLITE_OK && isCounted && start == SQLITE_OK
  }()

  /// Whether triggers may write to tables of FTS5 only if the schema is trusted: a version as old as 3.40 does not
  /// know that FTS5 does no harm there. Decision 0009.
  package static let fullTextNeedsTrust: Bool = {
    _ = isTuned
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK else { return false }
    return sqlite3_exec(handle, FixedSQL.fullTextTrigger, nil, nil, nil) != SQLITE_OK
  }()

  /// Whether LIKE reads blobs as text; this is an option of the library's build.
  static let likeMatchesBlobs = !isBuilt(with: "LIKE_DOESNT_MATCH_BLOBS")

  /// Whether the library was built with an option, such as `ENABLE_MATH_FUNCTIONS`.
  package static func isBuilt(with option: String) -> Bool { sqlite3_compileoption_used(option) != 0 }

  /// What this package needs and the library lacks; nil if nothing is missing.
  package static func missingFeature() -> String? {
    missingFeature(version: version, hasThreads: sqlite3_threadsafe() != 0, isBuiltWith: isBuilt)
  }

  /// The same of a library with this version, and built so.
  package static func missingFeature(version: Int, hasThreads: Bool, isBuiltWith: (String) -> Bool) -> String? {
    if version < 3_038_000 { return "SQLite 3.38 or later is needed; this is \(versionText(of: version))." }
    if !hasThreads { return "This SQLite was built without threads." }
    if !isBuiltWith("ENABLE_MATH_FUNCTIONS") { return "This SQLite was built without the math functions." }
    if !isBuiltWith("ENABLE_COLUMN_METADATA") { return "This SQLite was built without column metadata." }
    return nil
  }

  private static func versionText(of version: Int) -> String {
    "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
  }
}
