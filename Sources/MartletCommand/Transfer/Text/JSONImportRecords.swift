import MartletValues

/// The records of a JSON file for an import.
///
/// Always true: the names of all records are the columns, in the order in which they come first; a name that a record
/// lacks is NULL in it, and one that it has twice is refused; objects and arrays inside of a record are JSON text; true
/// and false are 1 and 0. A column that is made changes none of these values, but for integers among other numbers,
/// which become REAL if they lose nothing.
final class JSONImportRecords: ImportRecords {
  private let path: String
  private let name: String
  private let isLines: Bool
  private var seen = Survey()
  private var parser = JSONRecords()
  private var pieces: FilePieces
  /// The records of the piece that was read last, and how many of them have gone.
  private var gathered: [(record: JSONRecords.Record, line: Int)] = []
  private var goneCount = 0
  private var row: [JSONValue] = []
  /// The places of a row that go in.
  private var kept: [Int] = []

  /// `name` is what people are told in the path's place. `isLines`: a file without any bytes is one without records.
  init(_ path: String, name: String, isLines: Bool) throws {
    self.path = path
    self.name = name
    self.isLines = isLines
    pieces = try FilePieces(path)
  }

  /// The names of all records in the order in which they came first, and what their values are.
  private struct Survey {
    var columns = ColumnNames()
    private var places: [Spelling: Int] = [:]
    var types: [JSONColumnType] = []
    /// The record that each name was seen in last, counted from 1.
    private var lastRecords: [Int] = []
    private var recordCount = 0

    mutating func recordBegun() { recordCount += 1 }

    /// The place of a name's values in a row; nil if it has not come.
    func place(of name: String) -> Int? { places[Spelling(name: name)] }

    /// Returns what is wrong with a name that comes for the first time, or again in one record.
    mutating func seen(_ name: String, _ value: JSONValue) -> String? {
      if let place = place(of: name) {
        // One of the values would be lost, and nobody can say which was meant.
        guard lastRecords[place] < recordCount else { return "the object has it twice. Give one of them another name." }
        lastRecords[place] = recordCount
        types[place].seen(value)
        return nil
      }
      if let problem = columns.add(name) { return problem }
      places[Spelling(name: name)] = types.count
      lastRecords.append(recordCount)
      var type = JSONColumnType()
      type.seen(value)
      types.append(type)
      return nil
    }
  }

  func survey(_ bytesRead: (Int) throws -> Void) throws -> [(name: String, type: String)] {
    try begin(isTyped: true, keeping: [])
    var hasRecords = false
    while try gather(bytesRead) {
      hasRecords = hasRecords || !gathered.isEmpty
      for (record, line) in gathered {
        seen.recordBegun()
        for (name, value) in record {
          if let problem = seen.seen(name, value) {
            throw CommandFailure.badMember(CellText.escaped(name), self.name, line: line, problem)
          }
        }
      }
    }
    // An empty array, or no lines, is what an empty table is exported as.
    let isEmptyTable = !hasRecords && (isLines || parser.isArray)
    guard !seen.types.isEmpty || isEmptyTable else { throw CommandFailure.noRecords(name) }
    return zip(seen.columns.names, seen.types).map { (name: $0, type: $1.word) }
  }

  /// Where a value stands in its line is not remembered.
  func column(of name: String, inRecordAt line: Int) throws -> Int? { nil }

  func begin(isTyped: Bool, keeping: [Int]) throws {
    kept = keeping
    parser = JSONRecords()
    pieces = try FilePieces(path)
    gathered = []
    goneCount = 0
    row = Array(repeating: .null, count: seen.types.count)
  }

  func append(to writer: inout BulkWriter) throws -> (rows: Int, bytes: Int)? {
    var rows = 0
    var bytesRead = 0
    while true {
      while goneCount < gathered.count {
        let (record, line) = gathered[goneCount]
        fillRow(from: record)
        let byteCount = row.reduce(0) { $0 + $1.byteCount }
        guard writer.hasRoom(for: byteCount) else { return (rows, bytesRead) }
        writer.append(byteCount: byteCount, line: line) { batch in
          for (index, place) in kept.enumerated() { batch.columns[index].append(row[place], row: batch.rowCount) }
          batch.rowCount += 1
        }
        goneCount += 1
        rows += 1
      }
      guard try gather({ bytesRead += $0 }) else { return rows == 0 ? nil : (rows, bytesRead) }
    }
  }

  private func fillRow(from record: JSONRecords.Record) {
    for index in row.indices { row[index] = .null }
    for (name, value) in record { if let place = seen.place(of: name) { row[place] = value } }
  }

  /// Reads the records of the next piece; false at the end.
  private func gather(_ bytesRead: (Int) throws -> Void) throws -> Bool {
    gathered.removeAll(keepingCapacity: true)
    goneCount = 0
    do {
      guard let piece = try pieces.next() else {
        try parser.finish()
        return false
      }
      try parser.consume(piece) { record, line in gathered.append((record, line)) }
      try bytesRead(piece.count)
    } catch let failure as JSONRecords.Failure {
      let advice = failure.problem == JSONScanner.notUTF8 ? " Convert the file, as in iconv -f LATIN1 -t UTF-8." : ""
      throw CommandFailure.badText(name, failure.description + advice)
    }
    return true
  }
}

/// A name by its bytes: what Swift takes for two spellings of one text are two columns to SQLite.
private struct Spelling: Hashable {
  var name: String

  static func == (left: Spelling, right: Spelling) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }

  func hash(into hasher: inout Hasher) {
    var name = name
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
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
