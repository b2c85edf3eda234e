import CSQLite

/// `glob` in place of SQLite's own, with the index for `column GLOB 'abc*'` kept.
///
/// SQLite's planner uses an index for GLOB only if the function carries a mark, which no interface sets: for LIKE a
/// pragma does (see `LikeFunction`). So the mark is set in SQLite's own record of the function, by the function's first
/// call on each connection. That record is laid out in the same way in all versions that `isReplaced` takes; what it
/// says of the name, the width, the data and the body of the function is compared before anything is written, and the
/// planner is asked afterwards. A library where any of this fails keeps its own GLOB.
///
/// Always true: the mark says which characters are wildcards, and they are those of GLOB.
enum GlobFunction {
  /// Versions whose records are known.
  private static let knownVersions = 3_038_000..<3_052_000

  /// Whether this library lets GLOB be replaced and still uses indexes for it.
  static let isReplaced: Bool = {
    _ = SQLiteLibrary.isTuned
    guard knownVersions.contains(SQLiteLibrary.version) else { return false }
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else { return false }
    let limiter = ExecutionLimiter(period: 1_000, clock: { 0 })
    guard (try? register(on: handle, limiter: limiter)) != nil else { return false }
    return PlannerTrial.keepsIndex(FixedSQL.globByIndex, on: handle)
  }()

  /// What SQLite hands to each call. The planner reads the first three bytes as the wildcards.
  private struct Scope {
    var wildcards: (UInt8, UInt8, UInt8, UInt8) = (0x2A, 0x3F, 0x5B, 0)
    var wantsMark = true
    var limiter: UnsafeRawPointer
  }

  private static let body: BuiltinFunctions.Body = { context, count, values in
    GlobFunction.call(context, count, values)
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    // A `Scope` because that is what the function is registered with.
    guard let scope = sqlite3_user_data(context)?.assumingMemoryBound(to: Scope.self) else { return }
    if scope.pointee.wantsMark {
      scope.pointee.wantsMark = martlet_sqlite_mark_pattern_function(context, "glob", 2, body) == 0
    }
    // Unretained because the connection that calls owns the limiter.
    let limiter = Unmanaged<ExecutionLimiter>.fromOpaque(scope.pointee.limiter).takeUnretainedValue()
    BuiltinCall(context, count, values, limiter).run { try $0.glob() }
  }

  /// The limiter lives as long as the connection. Fails if the mark cannot be set.
  static func register(on handle: OpaquePointer, limiter: ExecutionLimiter) throws(SQLiteError) {
    let scope = UnsafeMutablePointer<Scope>.allocate(capacity: 1)
    // Unretained because the connection owns the limiter and closes its handle, and the function with it, first.
    scope.initialize(to: Scope(limiter: UnsafeRawPointer(Unmanaged.passUnretained(limiter).toOpaque())))
    let result = sqlite3_create_function_v2(
      handle, "glob", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, scope, body, nil, nil,
      { scope in scope?.deallocate() })
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
    let called = sqlite3_exec(handle, FixedSQL.firstGlob, nil, nil, nil)
    guard called == SQLITE_OK, !scope.pointee.wantsMark else {
      throw SQLiteError(
        extendedCode: called == SQLITE_OK ? SQLITE_ERROR : called, message: "The function glob cannot be replaced.")
    }
  }
}
