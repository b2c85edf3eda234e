/// Runs statements of SQL text and prints what they give.
///
/// Always true: rows are printed as they arrive and none is kept longer than its printer needs, so a result may be
/// larger than memory; the printer's output for a statement that fails half-way is what arrived before.
import MartletAST
import MartletClient

struct StatementRun {
  struct Outcome {
    /// Nil where the statement has no result columns.
    var rowsRead: Int?
    var rowsChanged: Int64
  }

  let database: RemoteDatabase
  var format: OutputFormat

  func run(_ sql: String) async throws -> Outcome {
    try await run(RemoteStatement.sql(sql))
  }

  func run(_ statement: RemoteStatement) async throws -> Outcome {
    var output = StandardOutput()
    var printer = format.makePrinter()
    var count = 0
    let batches = try await database.batches(statement, deadline: DatabaseArgument.patience)
    let names = batches.columns.columns.map(\.name)
    if !names.isEmpty { printer.begin(columns: names, to: &output.buffer) }
    do {
      for try await batch in batches {
        count += batch.rowCount
        printer.append(batch, to: &output.buffer)
        try output.flushIfLarge()
      }
    } catch {
      try output.flush()
      throw error
    }
    if !names.isEmpty { printer.end(to: &output.buffer) }
    try output.flush()
    return Outcome(
      rowsRead: names.isEmpty ? nil : count, rowsChanged: batches.completion?.rowsChanged ?? 0)
  }
}
