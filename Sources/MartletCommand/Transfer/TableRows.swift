import MartletAST
import MartletClient
import MartletValues

/// The rows of a table for a copy of it, with texts that are not UTF-8 too: SQLite keeps such texts, and no message can
/// hold them, so a column that has one is read anew as bytes.
///
/// Always true: each row comes once, in the table's order; `executor` reads from one snapshot, or nobody writes
/// meanwhile.
struct TableRows {
  /// Rows as they arrived: those of `batch` from `first` on. Behind the values of the columns stands, for each column
  /// that is read as bytes, whether the value is a text: `textFlags` says where.
  struct Piece {
    let batch: RowBatch
    let first: Int
    let textFlags: [Int: Int]

    func isText(_ column: Int, row: Int) -> Bool {
      guard let flag = textFlags[column], batch.columns[flag].kind(at: row) == .integer else { return false }
      return batch.columns[flag].integers[row] != 0
    }
  }

  private let table: String
  private let columns: [String]
  private let executor: any StatementExecutor
  private var textFlags: [Int: Int] = [:]
  private var batches: RowBatchSequence.AsyncIterator?
  private var rowsRead = 0
  /// Rows that come again, because they came before the text was met.
  private var rowsToSkip = 0

  init(of table: String, _ columns: [String], from executor: any StatementExecutor) {
    self.table = table
    self.columns = columns
    self.executor = executor
  }

  mutating func next() async throws -> Piece? {
    while true {
      do {
        guard let batch = try await nextBatch() else { return nil }
        let first = min(batch.rowCount, rowsToSkip)
        rowsToSkip -= first
        rowsRead += batch.rowCount - first
        if first < batch.rowCount { return Piece(batch: batch, first: first, textFlags: textFlags) }
      } catch let error as RequestError where error.reason == .notUTF8 {
        try await readAsBytes(error.column)
      } catch {
        throw await LongRow(table: table, statement: query, executor: executor).explaining(error, behind: rowsRead)
      }
    }
  }

  private mutating func nextBatch() async throws -> RowBatch? {
    var iterator: RowBatchSequence.AsyncIterator
    if let batches {
      iterator = batches
    } else {
      iterator = try await executor.batches(try RemoteStatement(query)).makeAsyncIterator()
    }
    let batch = try await iterator.next()
    batches = iterator
    return batch
  }

  private mutating func readAsBytes(_ name: String) async throws {
    guard let column = columns.firstIndex(of: name), textFlags[column] == nil, try await hasUTF8() else {
      throw CommandFailure.textNotSent(of: CellText.escaped(table), CellText.escaped(name))
    }
    textFlags[column] = columns.count + textFlags.count
    batches = nil
    rowsToSkip = rowsRead
  }

  private var query: ASTStatement {
    var expressions = columns.map { ASTExpression.column($0) }
    for (column, _) in textFlags.sorted(by: { $0.value < $1.value }) {
      let value = ASTExpression.column(columns[column])
      let isText = ASTExpression.call(.equal, .function("typeof", value), .literal("text"))
      expressions[column] = .case([(when: isText, then: .cast(value, as: "BLOB"))], else: value)
      expressions.append(isText)
    }
    return .select(expressions, from: .table(table))
  }

  /// In another encoding the bytes of a text are not those that a text of the copy has.
  private func hasUTF8() async throws -> Bool {
    let query = ASTStatement.select(["encoding"], from: .function("pragma_encoding", []))
    return try await executor.fetchOne(RemoteStatement(query))?.get(String.self, 0) == "UTF-8"
  }
}
