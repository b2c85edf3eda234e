import MartletSQLite

/// Why a row could not be read.
enum RowFault: Error, Equatable {
  case sqlite(SQLiteError)
  /// A text is not UTF-8; the column is counted from 1, and named as the result names it.
  case notUTF8(column: Int, name: String)
  /// A row has more bytes than a frame holds, though each of its values can be read.
  case tooLong(bytes: Int)

  /// Another connection holds a lock that this one did not wait for.
  var isBusy: Bool { if case .sqlite(let error) = self { error.code == SQLiteCode.busy } else { false } }

  /// The limiter ended the statement.
  var isInterrupt: Bool { if case .sqlite(let error) = self { error.code == SQLiteCode.interrupt } else { false } }

  /// A value or a row is longer than the connection takes.
  var isTooBig: Bool {
    switch self {
    case .sqlite(let error): error.code == SQLiteCode.tooBig
    case .notUTF8: false
    case .tooLong: true
    }
  }

  static let noMemory = RowFault.sqlite(
    SQLiteError(extendedCode: SQLiteCode.noMemory, message: "There is no memory for a value."))
}
