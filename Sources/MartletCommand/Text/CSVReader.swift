/// Bytes of a CSV file in, records out, as RFC 4180 has it: quoted fields, doubled quotes, line breaks inside quotes.
///
/// Always true: a file may be cut into chunks anywhere and gives the same records; one record is held at a time and is
/// bounded; a byte-order mark at the start and the kind of line ending do not show.
struct CSVReader {
  /// One record: its fields are parts of one buffer, so that a record costs no allocation of its own.
  struct Record {
    fileprivate(set) var data: [UInt8] = []
    fileprivate(set) var ends: [Int] = []
    fileprivate(set) var quoted: [Bool] = []

    var count: Int { ends.count }

    func bytes(at field: Int) -> ArraySlice<UInt8> { data[(field == 0 ? 0 : ends[field - 1])..<ends[field]] }

    /// Which byte of the record's line a field begins at, counted from 1; right where no field before it has quotes or
    /// line breaks inside.
    func column(of field: Int) -> Int {
      (0..<field).reduce(1) { $0 + bytes(at: $1).count + 1 + (quoted[$1] ? 2 : 0) }
    }

    func text(at field: Int) -> String { String(decoding: bytes(at: field), as: UTF8.self) }

    /// An empty field without quotes is NULL; `""` is an empty text.
    func isNull(at field: Int) -> Bool { bytes(at: field).isEmpty && !quoted[field] }

    fileprivate mutating func reset() {
      data.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      quoted.removeAll(keepingCapacity: true)
    }
  }

  struct Failure: Error, Equatable, CustomStringConvertible {
    var line: Int
    /// Counted in bytes from 1; 0 where the line alone says it.
    var column = 0
    var problem: String
    var description: String { "line \(line)" + (column > 0 ? ", column \(column)" : "") + ": \(problem)" }
  }

  private enum State {
    case fieldStart
    case plain
    case quoted
    /// After a quote inside a quoted field: the field's end, or the first of two.
    case quoteInQuoted
    /// After a carriage return, which the line feed behind it belongs to.
    case afterReturn
  }

  static let recordBytesMax = 16 << 20

  private let delimiter: UInt8
  private var state = State.fieldStart
  private var record = Record()
  private var isFieldQuoted = false
  private var line = 1
  private var recordLine = 1
  private var column = 0
  /// Where the quote that is open stands.
  private var quote = (line: 1, column: 1)
  private var byteOrderMark = [UInt8]([0xEF, 0xBB, 0xBF])[...]

  init(delimiter: UInt8 = UInt8(ascii: ",")) {
    self.delimiter = delimiter
  }

  /// Takes the next bytes and hands out each record that ends in them, with the line that it begins on.
  mutating func consume(_ bytes: some Sequence<UInt8>, _ body: (Record, _ line: Int) throws -> Void) throws {
    for byte in bytes {
      if let expected = byteOrderMark.first {
        if byte == expected {
          byteOrderMark = byteOrderMark.dropFirst()
          continue
        }
        // Not a mark after all: what looked like one is data.
        let begun = [UInt8]([0xEF, 0xBB, 0xBF]).prefix(3 - byteOrderMark.count)
        byteOrderMark = []
        for earlier in begun { try step(earlier, body) }
      }
      try step(byte, body)
    }
  }

  /// The file is over: its last record need not end with a line break.
  mutating func finish(_ body: (Record, _ line: Int) throws -> Void) throws {
    switch state {
    case .quoted:
      throw Failure(
        line: quote.line, column: quote.column, problem: "a quoted field does not end before the file does.")
    case .fieldStart where record.count == 0: return
    case .afterReturn: return
    case .fieldStart, .plain, .quoteInQuoted:
      endField()
      try endRecord(body)
    }
  }

  private mutating func step(_ byte: UInt8, _ body: (Record, _ line: Int) throws -> Void) throws {
    column += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 0
    }
    switch state {
    case .quoted:
      if byte == UInt8(ascii: "\"") { state = .quoteInQuoted } else { try append(byte) }
    case .quoteInQuoted where byte == UInt8(ascii: "\""):
      try append(byte)
      state = .quoted
    case .afterReturn where byte == UInt8(ascii: "\n"):
      state = .fieldStart
      recordLine = line
    case .fieldStart where byte == UInt8(ascii: "\""), .afterReturn where byte == UInt8(ascii: "\""):
      isFieldQuoted = true
      quote = (line, column)
      state = .quoted
    case .fieldStart, .plain, .quoteInQuoted, .afterReturn:
      try stepUnquoted(byte, body)
    }
  }

  private mutating func stepUnquoted(_ byte: UInt8, _ body: (Record, _ line: Int) throws -> Void) throws {
    switch byte {
    case delimiter:
      endField()
      state = .fieldStart
    case UInt8(ascii: "\n"):
      try endLine(body)
      state = .fieldStart
    case UInt8(ascii: "\r"):
      try endLine(body)
      state = .afterReturn
    default:
      guard state != .quoteInQuoted else {
        throw Failure(
          line: line, column: column,
          problem: "after a closing quote comes \(Self.name(of: delimiter)) or the end of the line.")
      }
      try append(byte)
      state = .plain
    }
  }

  /// A byte between fields, for people.
  static func name(of delimiter: UInt8) -> String {
    switch delimiter {
    case UInt8(ascii: ","): "a comma"
    case UInt8(ascii: ";"): "a semicolon"
    case 0x09: "a tab"
    default: "a \(Character(Unicode.Scalar(delimiter)))"
    }
  }

  private mutating func endLine(_ body: (Record, _ line: Int) throws -> Void) throws {
    // An empty line is no record.
    let isEmpty = record.count == 0 && record.data.isEmpty && !isFieldQuoted
    if isEmpty {
      recordLine = line
    } else {
      endField()
      try endRecord(body)
    }
  }

  private mutating func append(_ byte: UInt8) throws {
    guard record.data.count < Self.recordBytesMax else {
      throw Failure(
        line: recordLine,
        problem: "a record is longer than \(Self.recordBytesMax >> 20) MiB; a quote may be missing its partner.")
    }
    record.data.append(byte)
  }

  private mutating func endField() {
    record.ends.append(record.data.count)
    record.quoted.append(isFieldQuoted)
    isFieldQuoted = false
  }

  private mutating func endRecord(_ body: (Record, _ line: Int) throws -> Void) throws {
    try body(record, recordLine)
    record.reset()
    recordLine = line
  }
}
