/// Copies a CSV file into one table of a server's database.
///
/// Always true: the first record names the columns; a file of up to `SQLiteImport.atomicBytesMax` goes in as one
/// transaction; a table that is made gets the types that all of its fields have in common. Rows that are replaced go in
/// the transaction of the first new ones.
import MartletAST
import MartletClient

final class CSVImport {
  private let path: String
  private let name: String
  private let table: String
  private let target: Target
  private let format: CSVFormat
  private let database: DatabaseClient
  private let bytes: Int
  private var report: TransferReport

  /// What one pass over the file learned.
  struct Survey {
    var columns: [String] = []
    var types: [ColumnTypeInference] = []
    var exactTypes: [ExactField.ColumnType] = []
    var recordCount = 0
  }

  /// What becomes of the table.
  enum Target: Equatable {
    /// It is made, and must not be there.
    case made
    /// Its rows stay, and the new ones come to them.
    case appended
    /// Its rows go.
    case replaced
  }

  /// `name` is what people are told in the path's place.
  init(
    _ path: String, name: String? = nil, table: String, target: Target, format: CSVFormat = CSVFormat(),
    into database: DatabaseClient
  ) throws {
    self.path = path
    self.name = name ?? path
    self.table = table
    self.target = target
    self.database = database
    var format = format
    if format.delimiter == nil {
      var pieces = try FilePieces(path)
      format.delimiter = CSVFormat.delimiter(of: try pieces.next() ?? [])
    }
    self.format = format
    bytes = try FileText.byteCount(of: path)
    report = TransferReport(bytesTotal: bytes)
  }

  func run() async throws -> TransferReport {
    let survey = try survey()
    defer { report.ended() }
    let isAtomic = bytes <= SQLiteImport.atomicBytesMax
    do {
      if isAtomic {
        try await database.write { transaction in try await copy(survey, through: transaction) }
      } else {
        try await copy(survey, through: database)
      }
    } catch {
      throw report.explaining(error, isAtomic: isAtomic)
    }
    return report
  }

  /// Reads the whole file once, so that a broken record is found before the first row is sent.
  private func survey() throws -> Survey {
    var survey = Survey()
    report.phaseBegun("reading \(name)")
    defer { report.phaseEnded() }
    try forEachRecord { record, line in
      if survey.columns.isEmpty {
        survey.columns = (0..<record.count).map { record.text(at: $0) }
        survey.types = Array(repeating: ColumnTypeInference(), count: record.count)
        survey.exactTypes = Array(repeating: .unknown, count: record.count)
        return
      }
      guard record.count == survey.columns.count else {
        throw CommandFailure(
          "\(name), line \(line), column \(record.column(of: min(record.count, survey.columns.count))): \(record.count) "
            + "fields where the header names \(survey.columns.count) columns.")
      }
      survey.recordCount += 1
      for field in 0..<record.count where format.isExact {
        guard let value = exact(record, field) else {
          throw CommandFailure(
            "\(name), line \(line), column \(record.column(of: field)): with --exact a field is a text in quotes, a "
              + "number, X'…' or nothing.")
        }
        survey.exactTypes[field].seen(value)
      }
      for field in 0..<record.count where !format.isExact {
        survey.types[field].fieldSeen(
          record.bytes(at: field), isNull: isNull(record, field), isQuoted: record.quoted[field])
      }
    }
    guard !survey.columns.isEmpty else { throw CommandFailure("\(name) is empty: a CSV file begins with a header.") }
    return survey
  }

  private func exact(_ record: CSVReader.Record, _ field: Int) -> ExactField? {
    ExactField(record.bytes(at: field), isQuoted: record.quoted[field], isNull: isNull(record, field))
  }

  private func isNull(_ record: CSVReader.Record, _ field: Int) -> Bool {
    if record.isNull(at: field) { return true }
    guard let null = format.null, !record.quoted[field] else { return false }
    return record.bytes(at: field).elementsEqual(null.utf8)
  }

  private func makeReader() -> CSVReader { CSVReader(delimiter: format.delimiter ?? UInt8(ascii: ",")) }

  private func forEachRecord(_ body: (CSVReader.Record, _ line: Int) throws -> Void) throws {
    var reader = makeReader()
    do {
      try FileText.forEachPiece(of: path) { piece in
        try Task.checkCancellation()
        try reader.consume(piece, body)
        report.bytesRead(piece.count)
      }
      try reader.finish(body)
    } catch let failure as CSVReader.Failure {
      throw CommandFailure("\(name), \(failure.description)")
    }
  }

  private func copy(_ survey: Survey, through executor: any StatementExecutor) async throws {
    report.tableBegun(table)
    // An existing table's own column types decide, so everything goes in as text.
    var types = survey.types.map { _ in ColumnTypeInference.ColumnType.text }
    if target == .replaced { try await executor.execute(RemoteStatement(Tree.delete(from: table))) }
    if target == .made {
      types = survey.types.map(\.type)
      let names = format.isExact ? survey.exactTypes.map(\.word) : types.map(\.rawValue)
      let columns = zip(survey.columns, names).map { (name: $0, type: $1, isPrimaryKey: false) }
      try await executor.execute(RemoteStatement(Tree.createTable(table, columns: columns)))
    }
    var writer = try BulkWriter(executor, table: table, columns: survey.columns, acknowledged: report.acknowledged)
    var isHeader = true
    // Records come from a closure that cannot wait, so those of one piece of the file are gathered first.
    var gathered: [CSVReader.Record] = []
    var reader = makeReader()
    var pieces = try FilePieces(path)
    var isOver = false
    while !isOver {
      if let piece = try pieces.next() {
        try reader.consume(piece) { record, _ in gathered.append(record) }
      } else {
        try reader.finish { record, _ in gathered.append(record) }
        isOver = true
      }
      for record in gathered {
        if isHeader {
          isHeader = false
          continue
        }
        try await writer.append(byteCount: record.data.count + 8 * record.count) { batch in
          for field in 0..<record.count where format.isExact {
            exact(record, field)?.append(to: &batch.columns[field], row: batch.rowCount)
          }
          for field in 0..<record.count where !format.isExact {
            ColumnTypeInference.append(
              record.bytes(at: field), isNull: isNull(record, field), as: types[field], to: &batch.columns[field],
              row: batch.rowCount)
          }
          batch.rowCount += 1
        }
        report.rowsMoved(1, bytes: record.data.count + record.count)
      }
      gathered.removeAll(keepingCapacity: true)
    }
    try await writer.finish()
  }
}
