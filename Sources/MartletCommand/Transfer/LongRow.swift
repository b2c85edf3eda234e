import MartletAST
import MartletClient
import MartletSQLite
import MartletValues

/// A row that a server cannot send, because it or one of its values is too long: another program has stored it. The
/// server names neither the table nor the row; the rows behind those that came are read again, in parts.
///
/// Always true: an error that is none of a limit comes back as it is.
struct LongRow {
  let table: String
  /// What was read when the error came.
  let statement: ASTStatement
  let executor: any StatementExecutor

  /// The error with the table, and with the row if it is a row's.
  func explaining(_ error: any Error, behind rowsRead: Int) async -> any Error {
    guard let error = error as? RequestError, error.reason == .limit else { return error }
    let name = CellText.escaped(table)
    guard Self.isOfRow(error), let row = await number(behind: rowsRead) else {
      return CommandFailure.explaining(error, doing: name)
    }
    return CommandFailure.explaining(error, doing: "\(name), row \(row)")
  }

  private static func isOfRow(_ error: RequestError) -> Bool { error.sqliteCode & 0xff == SQLiteCode.tooBig }

  /// Nil if it is not found, because somebody has changed the table meanwhile.
  private func number(behind rowsRead: Int) async -> Int? {
    var search = RefusedRowSearch(rowCount: ValueLimits.batchRowsMax)
    while let rows = search.next {
      guard let isTaken = await isRead(rows.count, from: rowsRead + rows.lowerBound) else { return nil }
      search.answered(isTaken: isTaken)
    }
    return search.found.map { rowsRead + $0 + 1 }
  }

  /// Nil if another error came.
  private func isRead(_ count: Int, from first: Int) async -> Bool? {
    var part = statement
    part.select.limit = .literal(Int64(count))
    part.select.offset = .literal(Int64(first))
    do {
      for try await _ in try await executor.batches(try RemoteStatement(part)) {}
      return true
    } catch {
      return (error as? RequestError).map(Self.isOfRow) == true ? false : nil
    }
  }
}
