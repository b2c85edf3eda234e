import CSQLite

/// What a connection has run, or begins to run.
package struct TracedStatement {
  /// The SQL as the program says it, with a mark for each value.
  package var sql: String
  /// The same with the values in their places.
  package var expandedSQL: String
  /// How long the statement ran, if it has ended: about as exact as a millisecond.
  package var nanoseconds: UInt64?
}

/// Tells what a connection runs.
///
/// Always true: the hook sees the statements of programs, and not the engine's own.
extension Connection {
  /// Calls `hook` when each statement starts, and when it ends if `tellsEnds`; nil ends it.
  package func trace(tellsEnds: Bool = false, _ hook: ((TracedStatement) -> Void)?) {
    guard let hook else {
      martlet_sqlite_trace(handle, 0, nil, nil)
      tracer = nil
      return
    }
    let tracer = Tracer(authorizer: authorizer, hook: hook)
    self.tracer = tracer
    martlet_sqlite_trace(
      handle, UInt32(SQLITE_TRACE_STMT | (tellsEnds ? SQLITE_TRACE_PROFILE : 0)),
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        // Unretained because the connection that calls holds the tracer.
        let tracer = Unmanaged<Tracer>.fromOpaque(context).takeUnretainedValue()
        if event == UInt32(SQLITE_TRACE_STMT) {
          tracer.started(OpaquePointer(statement))
        } else {
          tracer.ended(OpaquePointer(statement), after: detail?.load(as: Int64.self) ?? 0)
        }
        return 0
        // Unretained because the connection holds the tracer for as long as its handle is open.
      }, Unmanaged.passUnretained(tracer).toOpaque())
  }
}

/// Always true: the end of a statement is told only if its start was.
final class Tracer {
  private let authorizer: Authorizer
  private let hook: (TracedStatement) -> Void
  private var running: Set<OpaquePointer> = []

  init(authorizer: Authorizer, hook: @escaping (TracedStatement) -> Void) {
    self.authorizer = authorizer
    self.hook = hook
  }

  func started(_ statement: OpaquePointer) {
    // A start without an end may have been another statement's at the same address.
    running.remove(statement)
    guard !authorizer.isEngine, let traced = traced(statement) else { return }
    running.insert(statement)
    hook(traced)
  }

  func ended(_ statement: OpaquePointer, after nanoseconds: Int64) {
    guard running.remove(statement) != nil, var traced = traced(statement) else { return }
    traced.nanoseconds = UInt64(clamping: nanoseconds)
    hook(traced)
  }

  private func traced(_ statement: OpaquePointer) -> TracedStatement? {
    guard let sql = sqlite3_sql(statement), let expanded = sqlite3_expanded_sql(statement) else { return nil }
    defer { sqlite3_free(expanded) }
    return TracedStatement(sql: String(cString: sql), expandedSQL: String(cString: expanded))
  }
}
