import MartletSQLite

/// Why a row could not be read.
enum RowFault: Error, Equatable {
  case sqlite(SQLiteError)
  /// A text is not UTF-8; the column is counted from 1, and named as the result names it.
  case notUTF8(column: Int, name: String)

  /// Another connection holds a lock that this one did not wait for.
  var isBusy: Bool { if case .sqlite(let error) = self { error.code == SQLiteCode.busy } else { false } }

  /// The limiter ended the statement.
  var isInterrupt: Bool { if case .sqlite(let error) = self { error.code == SQLiteCode.interrupt } else { false } }

  /// A value or a row is longer than the connection takes.
  var isTooBig: Bool { if case .sqlite(let error) = self { error.code == SQLiteCode.tooBig } else { false } }

  static let noMemory = RowFault.sqlite(
    SQLiteError(extendedCode: SQLiteCode.noMemory, message: "There is no memory for a value."))
}
