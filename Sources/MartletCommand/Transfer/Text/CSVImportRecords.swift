import MartletValues

/// The records of a CSV file for an import.
///
/// Always true: the first record names the columns, and every other has as many fields; a table that is made gets the
/// types that all of its fields have in common.
final class CSVImportRecords: ImportRecords {
  private let path: String
  private let name: String
  private let format: CSVFormat
  private let null: [UInt8]?
  private var columnCount = 0
  /// The fields that go in.
  private var kept: [Int] = []
  private var types: [ColumnTypeInference.ColumnType] = []
  private var reader: CSVReader
  private var pieces: FilePieces
  /// The reader's record waits for a writer with room.
  private var isHeld = false

  /// `name` is what people are told in the path's place.
  init(_ path: String, name: String, format: CSVFormat) throws {
    self.path = path
    self.name = name
    var format = format
    if format.delimiter == nil {
      var pieces = try FilePieces(path)
      format.delimiter = CSVFormat.delimiter(of: try pieces.next() ?? [])
    }
    self.format = format
    null = format.null.map { Array($0.utf8) }
    reader = CSVReader(format)
    pieces = try FilePieces(path)
  }

  func survey(_ bytesRead: (Int) throws -> Void) throws -> [(name: String, type: String)] {
    try restart()
    guard try advance(bytesRead) else {
      throw CommandFailure.noHeader(name)
    }
    columnCount = reader.record.count
    let names = try header()
    var inferences = Array(repeating: ColumnTypeInference(), count: columnCount)
    var exactTypes = Array(repeating: ExactField.ColumnType.unknown, count: columnCount)
    var row = 0
    while try advance(bytesRead) {
      row += 1
      let record = reader.record
      guard record.count == columnCount else { throw wrongCount(record) }
      if let field = record.invalidField {
        throw failure(in: record, field, Self.notUTF8(row: row, names[field]))
      }
      for field in 0..<columnCount {
        if format.isExact {
          exactTypes[field].seen(try exact(record, field))
        } else {
          record.withBytes(at: field) {
            inferences[field].fieldSeen($0, isNull: isNull(record, field), isQuoted: record.quoted[field])
          }
        }
      }
    }
    types = inferences.map(\.type)
    return zip(names, format.isExact ? exactTypes.map(\.word) : types.map(\.rawValue)).map { (name: $0, type: $1) }
  }

  func begin(isTyped: Bool, keeping: [Int]) throws {
    kept = keeping
    if !isTyped { types = types.map { _ in .text } }
    try restart()
    _ = try advance { _ in }
    reader.hasOneColumn = columnCount == 1
  }

  func append(to writer: inout BulkWriter) throws -> (rows: Int, bytes: Int)? {
    var rows = 0
    var bytes = 0
    while try isHeld || advance({ _ in }) {
      let record = reader.record
      // A file that changed since it was looked at would otherwise give rows of another shape.
      guard record.count == columnCount else { throw wrongCount(record) }
      let byteCount = record.data.count + 8 * columnCount
      isHeld = !writer.hasRoom(for: byteCount)
      if isHeld { return (rows, bytes) }
      try writer.append(byteCount: byteCount, line: reader.recordLine) { batch in try append(record, to: &batch) }
      rows += 1
      bytes += record.data.count + columnCount
    }
    return rows == 0 ? nil : (rows, bytes)
  }

  private func append(_ record: CSVReader.Record, to batch: inout RowBatch) throws {
    let row = batch.rowCount
    for (column, field) in kept.enumerated() {
      if format.isExact {
        try exact(record, field).append(to: &batch.columns[column], row: row)
      } else {
        record.withBytes(at: field) {
          ColumnTypeInference.append(
            $0, isNull: isNull(record, field), as: types[field], to: &batch.columns[column], row: row)
        }
      }
    }
    batch.rowCount = row + 1
  }

  func column(of name: String, inRecordAt line: Int) throws -> Int? {
    try restart()
    guard try advance({ _ in }) else { return nil }
    let names = (0..<reader.record.count).map { reader.record.text(at: $0).lowercased() }
    guard let field = names.firstIndex(of: name.lowercased()) else { return nil }
    reader.hasOneColumn = columnCount == 1
    while reader.recordLine < line { guard try advance({ _ in }) else { return nil } }
    return reader.recordLine == line && field < reader.record.count ? reader.record.column(of: field) : nil
  }

  // MARK: - Reading

  /// The names of the columns, which the first record holds.
  private func header() throws -> [String] {
    let record = reader.record
    if let field = record.invalidField { throw failure(in: record, field, "this name is not UTF-8. Convert the file.") }
    var names = ColumnNames()
    for field in 0..<record.count {
      let name = record.text(at: field)
      if let problem = names.add(name) { throw failure(in: record, field, problem) }
    }
    reader.hasOneColumn = record.count == 1
    return names.names
  }

  /// `row` is counted without the header.
  private static func notUTF8(row: Int, _ name: String) -> String {
    "this text is not UTF-8 (row \(row), \"\(CellText.escaped(name))\"). Convert the file, as in iconv -f LATIN1 -t "
      + "UTF-8, or write the bytes as a blob."
  }

  private func failure(in record: CSVReader.Record, _ field: Int, _ problem: String) -> CommandFailure {
    CommandFailure.badField(name, line: reader.recordLine, column: record.column(of: field), problem)
  }

  private func restart() throws {
    reader = CSVReader(format)
    pieces = try FilePieces(path)
    isHeld = false
  }

  /// Whether there is another record.
  private func advance(_ bytesRead: (Int) throws -> Void) throws -> Bool {
    do {
      while try !reader.next() {
        guard !reader.isOver else { return false }
        guard let piece = try pieces.next() else {
          reader.end()
          continue
        }
        try bytesRead(piece.count)
        reader.feed(piece)
      }
      return true
    } catch let failure as CSVReader.Failure {
      throw CommandFailure.badText(name, failure.description)
    }
  }

  private func wrongCount(_ record: CSVReader.Record) -> CommandFailure {
    CommandFailure.otherFieldCount(
      name, line: reader.recordLine, column: record.column(of: min(record.count, columnCount)), fields: record.count,
      columns: columnCount)
  }

  private func exact(_ record: CSVReader.Record, _ field: Int) throws -> ExactField {
    let value = ExactField(
      record.bytes(at: field), isQuoted: record.quoted[field], isNull: isNull(record, field))
    guard let value else {
      throw failure(in: record, field, "with --exact a field is a text in quotes, a number, X'…' or nothing.")
    }
    return value
  }

  private func isNull(_ record: CSVReader.Record, _ field: Int) -> Bool {
    if record.isNull(at: field) { return true }
    guard let null, !record.quoted[field] else { return false }
    return record.bytes(at: field).elementsEqual(null)
  }
}

extension CSVReader {
  fileprivate init(_ format: CSVFormat) { self.init(delimiter: format.delimiter ?? UInt8(ascii: ",")) }
}
