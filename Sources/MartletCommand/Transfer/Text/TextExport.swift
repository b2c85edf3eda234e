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
/// Always true: rows are written as they arrive; a failure leaves no file that looks complete.
enum TextExport {
  /// `path` `-` is standard output. Gives the number of rows.
  static func run(
    _ database: DatabaseClient, table: String, printer: any RowPrinter, to path: String
  ) async throws -> Int {
    if path == "-" { return try await write(database, table, printer, to: STDOUT_FILENO) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure("The file \(path) cannot be made: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    do {
      return try await write(database, table, printer, to: descriptor)
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func write(
    _ database: DatabaseClient, _ table: String, _ printer: any RowPrinter, to descriptor: Int32
  ) async throws -> Int {
    var output = StandardOutput(descriptor: descriptor)
    var printer = printer
    var count = 0
    var select = ASTStatement()
    select.select.from = Tree.table(table)
    let batches = try await database.batches(RemoteStatement(select), deadline: DatabaseArgument.patience)
    printer.begin(columns: batches.columns.columns.map(\.name), to: &output.buffer)
    for try await batch in batches {
      count += batch.rowCount
      printer.append(batch, to: &output.buffer)
      try output.flushIfLarge()
    }
    printer.end(to: &output.buffer)
    try output.flush()
    return count
  }
}
