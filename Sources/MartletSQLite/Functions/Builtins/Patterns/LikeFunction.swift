import CSQLite

/// `like` in place of SQLite's own, with the index for `column LIKE 'abc%'` kept.
///
/// SQLite's planner uses an index for LIKE only if the function carries a mark that `sqlite3_create_function` cannot
/// set. `PRAGMA case_sensitive_like` sets it: it registers SQLite's own function, then marks whatever is registered.
/// While a statement runs no function can be replaced, so then the pragma marks ours. `isReplaced` tries that once per
/// process, and asks the planner; a library where it fails keeps its own LIKE.
///
/// Always true: the mark says which characters are wildcards, and they are those of LIKE; GLOB has no such pragma, and
/// `GlobFunction` has another way.
enum LikeFunction {
  /// Whether this library lets LIKE be replaced and still uses indexes for it.
  static let isReplaced: Bool = {
    _ = SQLiteLibrary.isTuned
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else { return false }
    let limiter = ExecutionLimiter(period: 1_000, clock: { 0 })
    guard (try? register(on: handle, limiter: limiter)) != nil else { return false }
    return PlannerTrial.keepsIndex(FixedSQL.likeByIndex, on: handle)
  }()

  /// What SQLite hands to each call. The planner reads the first three bytes as the wildcards.
  private struct Scope {
    var wildcards: (UInt8, UInt8, UInt8, UInt8) = (0x25, 0x5F, 0, 0)
    var limiter: UnsafeRawPointer
  }

  /// No statement may be running on the connection. The limiter lives as long as the connection.
  static func register(on handle: OpaquePointer, limiter: ExecutionLimiter) throws(SQLiteError) {
    for width: Int32 in [2, 3] {
      let scope = UnsafeMutablePointer<Scope>.allocate(capacity: 1)
      // Unretained because the connection owns the limiter and closes its handle, and the function with it, first.
      scope.initialize(to: Scope(limiter: UnsafeRawPointer(Unmanaged.passUnretained(limiter).toOpaque())))
      let result = sqlite3_create_function_v2(
        handle, "like", width, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, scope,
        { context, count, values in LikeFunction.call(context, count, values) }, nil, nil,
        { scope in scope?.deallocate() })
      if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
    }
    try mark(on: handle)
  }

  private static func mark(on handle: OpaquePointer) throws(SQLiteError) {
    var running: OpaquePointer?
    var pragma: OpaquePointer?
    defer {
      sqlite3_finalize(pragma)
      sqlite3_finalize(running)
    }
    let started = sqlite3_prepare_v2(handle, FixedSQL.twoRows, -1, &running, nil)
    guard started == SQLITE_OK, sqlite3_step(running) == SQLITE_ROW else {
      throw SQLiteError(started == SQLITE_OK ? SQLITE_ERROR : started, on: handle)
    }
    // This pragma acts while it is compiled.
    let result = sqlite3_prepare_v2(handle, FixedSQL.markLike, -1, &pragma, nil)
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    // A `Scope` because that is what the function is registered with.
    guard let scope = sqlite3_user_data(context)?.assumingMemoryBound(to: Scope.self) else { return }
    // Unretained because the connection that calls owns the limiter.
    let limiter = Unmanaged<ExecutionLimiter>.fromOpaque(scope.pointee.limiter).takeUnretainedValue()
    BuiltinCall(context, count, values, limiter).run { try $0.like() }
  }
}
