import CSQLite

/// Tells what a connection runs.
///
/// Always true: the hook sees the statements of programs, with their values in place, and not the engine's own.
extension Connection {
  /// Calls `hook` with the SQL of each statement that starts; nil ends it.
  package func trace(_ hook: ((String) -> Void)?) {
    guard let hook else {
      martlet_sqlite_trace(handle, nil, nil)
      tracer = nil
      return
    }
    let tracer = Tracer(authorizer: authorizer, hook: hook)
    self.tracer = tracer
    martlet_sqlite_trace(
      handle,
      { _, context, statement, _ in
        guard let context, let statement else { return 0 }
        // Unretained because the connection that calls holds the tracer.
        Unmanaged<Tracer>.fromOpaque(context).takeUnretainedValue().started(OpaquePointer(statement))
        return 0
        // Unretained because the connection holds the tracer for as long as its handle is open.
      }, Unmanaged.passUnretained(tracer).toOpaque())
  }
}

final class Tracer {
  private let authorizer: Authorizer
  private let hook: (String) -> Void

  init(authorizer: Authorizer, hook: @escaping (String) -> Void) {
    self.authorizer = authorizer
    self.hook = hook
  }

  func started(_ statement: OpaquePointer) {
    guard !authorizer.isEngine, let expanded = sqlite3_expanded_sql(statement) else { return }
    defer { sqlite3_free(expanded) }
    hook(String(cString: expanded))
  }
}
