import CSQLite

/// The SQL of a script, and how far it has been compiled.
///
/// Always true: no part of the text is copied or read twice, so a script takes time in proportion to its length.
package struct ScriptText {
  /// Ends with a zero byte. Without one SQLite would copy the text, and at each statement all that is left of it.
  private let bytes: [CChar]
  private var position = 0

  package init(_ sql: String) { bytes = sql.utf8.map { CChar(bitPattern: $0) } + [0] }

  /// Lets `compile` read on from where the statement before ended, to the zero byte; it returns how many bytes it used.
  fileprivate mutating func readOn(_ compile: (UnsafePointer<CChar>) -> Int) -> Int {
    let used = bytes.withUnsafeBufferPointer { bytes in
      // `!` because a zero byte is always there, so the array is never empty.
      compile(bytes.baseAddress! + position)
    }
    position += used
    return used
  }

  /// The position of a zero byte in the middle of the text, at which SQLite would end silently; nil if there is none.
  fileprivate var zeroByte: Int? { position < bytes.count - 1 && bytes[position] == 0 ? position : nil }
}

extension Connection {
  /// Compiles the next statement of a script; nil if only space and comments are left.
  ///
  /// Throws what SQLite says of the statement, and if a zero byte stands in the script.
  package func prepareNext(of script: inout ScriptText) throws(SQLiteError) -> Statement? {
    var compiled: OpaquePointer?
    var result = SQLITE_OK
    var used = 0
    repeat {
      authorizer.statementBegan()
      used = script.readOn { start in
        var tail: UnsafePointer<CChar>?
        // A text of any length that ends with a zero byte is -1 to SQLite; its limit of a statement's length stays.
        result = sqlite3_prepare_v3(handle, start, -1, 0, &compiled, &tail)
        return result == SQLITE_OK ? tail.map { $0 - start } ?? 0 : 0
      }
      if result != SQLITE_OK { throw refusal() ?? SQLiteError(result, on: handle) }
    } while compiled == nil && used > 0
    if let compiled { return Statement(handle: compiled, connection: self, author: .program) }
    if let place = script.zeroByte {
      throw SQLiteError(
        extendedCode: SQLiteCode.error, message: "A zero byte stands in the script, at byte \(place). Remove it.")
    }
    return nil
  }
}
