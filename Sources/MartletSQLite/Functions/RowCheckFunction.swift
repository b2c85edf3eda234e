import CSQLite

/// The SQL function `martlet_row_check(condition)`: 1 if the condition is true, and otherwise the error
/// `SQLiteCode.rowDenied`.
///
/// Always true: NULL is not true; the function reads only its argument.
enum RowCheckFunction {
  static func register(on handle: OpaquePointer) throws(SQLiteError) {
    let result = sqlite3_create_function_v2(
      handle, "martlet_row_check", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        let value = values?[0]
        let isTrue = sqlite3_value_type(value) != SQLITE_NULL && sqlite3_value_double(value) != 0
        if isTrue { sqlite3_result_int(context, 1) } else { sqlite3_result_error_code(context, SQLiteCode.rowDenied) }
      }, nil, nil, nil)
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }
}
