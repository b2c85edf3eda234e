import MartletClient
import MartletValues

/// What an import reads: the records of one format, once to learn their columns and once to send them.
protocol ImportRecords: AnyObject {
  /// Reads the whole file and returns its columns with the types that a table for them has. Throws a `CommandFailure`
  /// with line and column for a record that is broken.
  func survey(_ bytesRead: (Int) throws -> Void) throws -> [(name: String, type: String)]

  /// Begins again at the first record. `isTyped`: values go in as what `survey` found; otherwise the table's own types
  /// decide.
  func begin(isTyped: Bool) throws

  /// Appends records until the writer has no room for the next; returns how many, and how many bytes of the file they
  /// are. Nil: there was none left.
  func append(to writer: inout BulkWriter) throws -> (rows: Int, bytes: Int)?
}

/// Copies the records of a text file into one table of a server's database.
///
/// Always true: the whole file is read before the first row is sent, so a broken record changes nothing; a file of up
/// to `SQLiteImport.atomicBytesMax` goes in as one transaction. Rows that are replaced go in the transaction of the
/// first new ones.
final class TextImport {
  /// What becomes of the table.
  enum Target: Equatable {
    /// It is made, and must not be there.
    case made
    /// Its rows stay, and the new ones come to them.
    case appended
    /// Its rows go.
    case replaced
  }

  private let records: any ImportRecords
  private let name: String
  private let table: String
  private let target: Target
  private let database: DatabaseClient
  private let bytes: Int
  private var report: TransferReport

  /// `name` is what people are told in the path's place.
  init(
    _ records: any ImportRecords, of path: String, name: String, table: String, target: Target,
    into database: DatabaseClient
  ) throws {
    self.records = records
    self.name = name
    self.table = table
    self.target = target
    self.database = database
    bytes = try FileText.byteCount(of: path)
    report = TransferReport(bytesTotal: bytes)
  }

  func run() async throws -> TransferReport {
    report.phaseBegun("reading \(name)")
    defer { report.ended() }
    let columns = try records.survey { bytes in
      try Task.checkCancellation()
      report.bytesRead(bytes)
    }
    report.phaseEnded()
    let isAtomic = bytes <= SQLiteImport.atomicBytesMax
    do {
      if isAtomic {
        try await database.write { transaction in try await copy(columns, through: transaction) }
      } else {
        try await copy(columns, through: database)
      }
    } catch {
      throw report.explaining(advised(error), isAtomic: isAtomic)
    }
    return report
  }

  /// The error, and which option was probably meant.
  private func advised(_ error: any Error) -> any Error {
    guard let failure = CommandFailure.explaining(error) as? CommandFailure else { return error }
    let text = failure.description.lowercased()
    switch target {
    case .appended where text.contains("no such table: \(table.lowercased())"):
      return CommandFailure(failure.description + " --create makes the table.")
    case .made where text.contains("already exists"):
      return CommandFailure(failure.description + " --append adds to it, --replace deletes its rows first.")
    default: return failure
    }
  }

  private func copy(_ columns: [(name: String, type: String)], through executor: any StatementExecutor) async throws {
    report.tableBegun(table)
    if target == .replaced { try await executor.execute(RemoteStatement(Tree.delete(from: table))) }
    if target == .made {
      let declared = columns.map { (name: $0.name, type: $0.type, isPrimaryKey: false) }
      try await executor.execute(RemoteStatement(Tree.createTable(table, columns: declared)))
    }
    try records.begin(isTyped: target == .made)
    var writer = try BulkWriter(
      executor, table: table, columns: columns.map(\.name), acknowledged: report.acknowledged)
    while let appended = try records.append(to: &writer) {
      report.rowsMoved(appended.rows, bytes: appended.bytes)
      try await writer.send()
    }
    try await writer.finish()
  }
}
