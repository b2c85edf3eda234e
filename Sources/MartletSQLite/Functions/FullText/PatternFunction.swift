import CSQLite

/// The SQL function `martlet_pattern(text)`: the text, if a full-text table has as little work with it as a statement
/// on this connection may give it; otherwise an error.
///
/// Always true: MATCH takes a text that comes through it, wherever that was read or made.
enum PatternFunction {
  static func register(on handle: OpaquePointer, _ bound: PatternBound) throws(SQLiteError) {
    // Unretained because the connection owns it and closes its handle, and the function with it, first.
    let context = Unmanaged.passUnretained(bound).toOpaque()
    let result = sqlite3_create_function_v2(
      handle, PatternSearch.function, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS, context,
      { context, _, values in PatternFunction.call(context, values?[0]) }, nil, nil, nil)
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  private static func call(_ context: OpaquePointer?, _ value: OpaquePointer?) {
    // Unretained because the connection whose statement calls owns it; a function of this type always has one.
    let bound = Unmanaged<PatternBound>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
    guard bound.workMax < .max, let text = sqlite3_value_text(value) else {
      return sqlite3_result_value(context, value)
    }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
    let work = bound.work(of: String(decoding: bytes, as: UTF8.self))
    if work <= bound.workMax { return sqlite3_result_value(context, value) }
    sqlite3_result_error(context, "The pattern for MATCH has too many words in its phrases and NEARs", -1)
  }
}
