/// Copies the records of a JSON file into one table of a server's database.
///
/// Always true: a file of up to `SQLiteImport.atomicBytesMax` goes in as one transaction; a name that a record lacks is
/// NULL in it; objects and arrays inside of a record are JSON text; true and false are 1 and 0.
import MartletAST
import MartletClient

final class JSONImport {
  private let path: String
  private let name: String
  private let table: String
  private let target: CSVImport.Target
  private let database: DatabaseClient
  private let bytes: Int
  private var report: TransferReport

  /// `name` is what people are told in the path's place.
  init(
    _ path: String, name: String, table: String, target: CSVImport.Target, into database: DatabaseClient
  ) throws {
    self.path = path
    self.name = name
    self.table = table
    self.target = target
    self.database = database
    bytes = try FileText.byteCount(of: path)
    report = TransferReport(bytesTotal: bytes)
  }

  /// The names of all records in the order in which they came first, and what their values are.
  private struct Survey {
    var columns: [String] = []
    var places: [String: Int] = [:]
    var types: [String] = []

    mutating func seen(_ name: String, _ value: JSONValue) {
      let place: Int
      if let known = places[name] {
        place = known
      } else {
        place = columns.count
        places[name] = place
        columns.append(name)
        types.append("")
      }
      let type: String
      switch value {
      case .null: return
      case .integer, .boolean: type = "INTEGER"
      case .real: type = "REAL"
      case .text, .document: type = "TEXT"
      }
      switch (types[place], type) {
      case ("", _): types[place] = type
      case ("INTEGER", "REAL"), ("REAL", "INTEGER"): types[place] = "REAL"
      case (let known, _) where known != type: types[place] = "TEXT"
      default: break
      }
    }
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

  /// Reads the whole file once, so that a mistake is found before the first row is sent.
  private func survey() throws -> Survey {
    var survey = Survey()
    report.phaseBegun("reading \(name)")
    try forEachRecord { record, _ in
      for (name, value) in record { survey.seen(name, value) }
    }
    guard !survey.columns.isEmpty else { throw CommandFailure("\(name) holds no record with a value.") }
    report.phaseEnded()
    return survey
  }

  private func forEachRecord(_ body: (JSONRecords.Record, Int) throws -> Void) throws {
    var records = JSONRecords()
    do {
      try FileText.forEachPiece(of: path) { piece in
        try Task.checkCancellation()
        try records.consume(piece, body)
        report.bytesRead(piece.count)
      }
      try records.finish()
    } catch let failure as JSONRecords.Failure {
      throw CommandFailure("\(name), \(failure.description)")
    }
  }

  private func copy(_ survey: Survey, through executor: any StatementExecutor) async throws {
    report.tableBegun(table)
    if target == .replaced { try await executor.execute(RemoteStatement(Tree.delete(from: table))) }
    if target == .made {
      let columns = zip(survey.columns, survey.types).map {
        (name: $0, type: $1.isEmpty ? "TEXT" : $1, isPrimaryKey: false)
      }
      try await executor.execute(RemoteStatement(Tree.createTable(table, columns: columns)))
    }
    var writer = try BulkWriter(executor, table: table, columns: survey.columns, acknowledged: report.acknowledged)
    var gathered: [JSONRecords.Record] = []
    var records = JSONRecords()
    var pieces = try FilePieces(path)
    var row = [JSONValue](repeating: .null, count: survey.columns.count)
    while let piece = try pieces.next() {
      try records.consume(piece) { record, _ in gathered.append(record) }
      for record in gathered {
        for index in row.indices { row[index] = .null }
        // Of a name that comes twice the last value counts, as everywhere.
        for (name, value) in record { if let place = survey.places[name] { row[place] = value } }
        let bytes = row.reduce(0) { $0 + $1.byteCount }
        try await writer.append(byteCount: bytes) { batch in
          for (index, value) in row.enumerated() { batch.columns[index].append(value, row: batch.rowCount) }
          batch.rowCount += 1
        }
        report.rowsMoved(1, bytes: 0)
      }
      report.rowsMoved(0, bytes: piece.count)
      gathered.removeAll(keepingCapacity: true)
    }
    try await writer.finish()
  }
}

extension JSONValue {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let bytes), .document(let bytes): bytes.count + 8
    default: 8
    }
  }
}

extension ColumnValues {
  fileprivate mutating func append(_ value: JSONValue, row: Int) {
    switch value {
    case .null: appendNull(row: row)
    case .integer(let integer): appendInteger(integer, row: row)
    case .boolean(let isTrue): appendInteger(isTrue ? 1 : 0, row: row)
    case .real(let real): appendReal(real, row: row)
    case .text(let bytes), .document(let bytes): bytes.withUnsafeBytes { appendText($0, row: row) }
    }
  }
}
