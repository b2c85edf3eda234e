import CSQLite

/// Asks the planner whether a replaced function still leads to an index.
enum PlannerTrial {
  /// Whether the query's plan is that of a plain connection, and a search. Makes the table of the query.
  static func keepsIndex(_ query: String, on handle: OpaquePointer) -> Bool {
    var plain: OpaquePointer?
    defer { sqlite3_close(plain) }
    guard sqlite3_open(":memory:", &plain) == SQLITE_OK, let plain else { return false }
    guard let ours = plan(of: query, on: handle), let theirs = plan(of: query, on: plain) else { return false }
    return ours == theirs && ours.contains("SEARCH")
  }

  private static func plan(of query: String, on handle: OpaquePointer) -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_exec(handle, FixedSQL.patternTrial, nil, nil, nil) == SQLITE_OK,
      sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 3)
    else { return nil }
    return String(cString: text)
  }
}
