import CSQLite

/// The SQL function `martlet_json_number(value)`: a real number as JSON with all of its digits, where SQLite's JSON
/// functions would write 15 of them, and so another number.
///
/// Always true: the text is the shortest that reads back as the same number; every other value stays as it is. An
/// infinity, for which JSON has no number, is an error.
///
/// It is not told to SQLite as deterministic, which it is: that it returns JSON and no text is a subtype, and an index
/// or a column that is made of it would keep the text alone, and quote it. So SQLite refuses it there.
enum JSONNumberFunction {
  static func register(on handle: OpaquePointer) throws(SQLiteError) {
    let result = sqlite3_create_function_v2(
      handle, "martlet_json_number", 1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        let value = values?[0]
        guard sqlite3_value_type(value) == SQLITE_FLOAT else { return sqlite3_result_value(context, value) }
        let real = sqlite3_value_double(value)
        guard real.isFinite else { return sqlite3_result_error(context, "JSON cannot hold an infinite number", -1) }
        let text = real.description
        martlet_sqlite_result_text_copy(context, text, UInt64(text.utf8.count))
        // The subtype of JSON, by which SQLite's JSON functions know that this is no text to quote.
        sqlite3_result_subtype(context, 74)
      }, nil, nil, nil)
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }
}
