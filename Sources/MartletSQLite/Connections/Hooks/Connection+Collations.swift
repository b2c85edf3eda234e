import CSQLite

/// Collations of the program.
extension Connection {
  /// Registers a collation: less than 0 if the first text comes first, 0 if both are equal. It must order all
  /// texts, always in the same way, or indexes are damaged.
  package func registerCollation(
    _ name: String, _ compare: @escaping (String, String) -> Int
  ) throws(SQLiteError) {
    // Retained because SQLite owns the body until it calls the destructor.
    let box = Unmanaged.passRetained(CollationBody(compare)).toOpaque()
    let result = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, box,
      { box, leftCount, left, rightCount, right in
        guard let box else { return 0 }
        // Unretained because SQLite holds the body while it may call it.
        let body = Unmanaged<CollationBody>.fromOpaque(box).takeUnretainedValue()
        return body.compare(
          UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
      },
      { box in
        // Taken over because it was retained for SQLite, which calls this once.
        if let box { Unmanaged<CollationBody>.fromOpaque(box).release() }
      })
    guard result != SQLITE_OK else { return }
    // Released because SQLite calls no destructor of a collation that it did not take.
    Unmanaged<CollationBody>.fromOpaque(box).release()
    throw SQLiteError(result, on: handle)
  }
}

/// What SQLite holds of a collation.
private final class CollationBody {
  private let body: (String, String) -> Int

  init(_ body: @escaping (String, String) -> Int) { self.body = body }

  /// Bytes that are not UTF-8 are repaired before they are compared.
  func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    Int32(clamping: body(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)))
  }
}
