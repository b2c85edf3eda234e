import MartletAST
import MartletClient
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes one table of a server's database as CSV or JSON.
///
/// Always true: rows are written as they arrive; a failure, or Control-C, leaves no file.
enum TextExport {
  /// A pipe or a device takes the rows as they come, and so does the path `-`, standard output. Returns the number of
  /// rows.
  static func run(
    _ database: DatabaseClient, table: String, printer: any RowPrinter, to path: String
  ) async throws -> Int {
    if let file = try await DirectFile.open(path) {
      defer { withExtendedLifetime(file) {} }
      return try await write(database, table, printer, to: file.descriptor)
    }
    let partial = try PartialFile(for: path)
    do {
      let count = try await write(database, table, printer, to: partial)
      try Task.checkCancellation()
      try partial.complete()
      return count
    } catch {
      partial.discard()
      throw partial.explaining(error)
    }
  }

  private static func write(
    _ database: DatabaseClient, _ table: String, _ printer: any RowPrinter, to file: PartialFile
  ) async throws -> Int {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure.fileNotMade(file.finalPath)
    }
    defer { close(descriptor) }
    return try await write(database, table, printer, to: descriptor)
  }

  private static func write(
    _ database: DatabaseClient, _ table: String, _ printer: any RowPrinter, to descriptor: Int32
  ) async throws -> Int {
    var output = StandardOutput(descriptor: descriptor)
    var printer = printer
    var count = 0
    var select = ASTStatement()
    select.select.from = .table(table)
    do {
      let batches = try await database.batches(RemoteStatement(select))
      printer.begin(columns: batches.columns.columns.map(\.name), to: &output.buffer)
      for try await batch in batches {
        count += batch.rowCount
        printer.append(batch, to: &output.buffer)
        try output.flushIfLarge()
      }
    } catch {
      throw await LongRow(table: table, statement: select, executor: database).explaining(error, behind: count)
    }
    printer.end(to: &output.buffer)
    try output.flush()
    return count
  }
}
