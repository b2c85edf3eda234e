import CSQLite

/// The SQL function `uuid()`: a random version 4 UUID in lower case.
///
/// Always true: two calls differ, so SQLite must not treat it as constant; it reads nothing, so defaults, views and
/// triggers may call it although the schema is not trusted.
enum UUIDFunction {
  static func register(on handle: OpaquePointer) throws(SQLiteError) {
    let result = sqlite3_create_function_v2(
      handle, "uuid", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
      { context, _, _ in
        UUIDFunction.withText { text in
          martlet_sqlite_result_text_copy(context, text.baseAddress, UInt64(text.count))
        }
      }, nil, nil, nil)
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  /// 36 characters of a fresh UUID, valid for the call.
  static func withText(_ body: (UnsafeBufferPointer<CChar>) -> Void) {
    var generator = SystemRandomNumberGenerator()
    var high: UInt64 = generator.next()
    var low: UInt64 = generator.next()
    high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 36) { text in
      var position = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[position] = 0x2D
          position += 1
        }
        let word = digit < 16 ? high : low
        let nibble = CChar((word >> UInt64(60 - 4 * (digit % 16))) & 0xF)
        text[position] = nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10
        position += 1
      }
      body(UnsafeBufferPointer(text))
    }
  }
}
