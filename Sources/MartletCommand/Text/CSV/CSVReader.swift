import MartletValues

/// Bytes of a CSV file in, records out, as RFC 4180 has it: quoted fields, doubled quotes, line breaks inside quotes.
///
/// Always true: a file may be cut into pieces anywhere and gives the same records; one record is held at a time and is
/// bounded; a byte-order mark at the start and the kind of line ending do not show.
struct CSVReader {
  /// One record: its fields are parts of one buffer, so that a record costs no allocation of its own.
  struct Record {
    fileprivate(set) var data: [UInt8] = []
    fileprivate(set) var ends: [Int] = []
    fileprivate(set) var quoted: [Bool] = []

    var count: Int { ends.count }

    func bytes(at field: Int) -> ArraySlice<UInt8> { data[range(of: field)] }

    /// The field's bytes where they lie, which costs less than a slice.
    func withBytes<Result>(
      at field: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
      let range = range(of: field)
      return try data.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func range(of field: Int) -> Range<Int> { (field == 0 ? 0 : ends[field - 1])..<ends[field] }

    /// Which byte of the record's line a field begins at, counted from 1; right if no field before it has quotes or
    /// line breaks inside.
    func column(of field: Int) -> Int {
      (0..<field).reduce(1) { $0 + range(of: $1).count + 1 + (quoted[$1] ? 2 : 0) }
    }

    /// The first field that is not UTF-8.
    var invalidField: Int? {
      data.withUnsafeBytes(\.isASCII) ? nil : (0..<count).first { field in withBytes(at: field) { !$0.isUTF8 } }
    }

    func text(at field: Int) -> String { String(decoding: bytes(at: field), as: UTF8.self) }

    /// An empty field without quotes is NULL; `""` is an empty text.
    func isNull(at field: Int) -> Bool { range(of: field).isEmpty && !quoted[field] }

    fileprivate mutating func reset() {
      data.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      quoted.removeAll(keepingCapacity: true)
    }
  }

  struct Failure: Error, Equatable, CustomStringConvertible {
    var line: Int
    /// Counted in bytes from 1; 0 if the line alone says it.
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

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let delimiter: UInt8
  /// The file has one column, so an empty line is a record whose field is empty. Said once that is known.
  var hasOneColumn = false
  private var state = State.fieldStart
  /// The record that `next` found.
  private(set) var record = Record()
  /// The line that the record begins on, counted from 1.
  private(set) var recordLine = 1
  private var isRecordHandedOut = false
  private var isFieldQuoted = false
  private var line = 1
  /// Where the quote that is open stands.
  private var quote = (line: 1, column: 1)

  private var piece: [UInt8] = []
  private var position = 0
  /// The bytes of the pieces before this one, and the place among all bytes at which the line begins.
  private var formerBytes = 0
  private var lineStart = 0
  private var isBegun = false
  /// `end` was called.
  private(set) var isOver = false

  init(delimiter: UInt8 = UInt8(ascii: ",")) {
    self.delimiter = delimiter
  }

  /// Takes the next bytes of the file. Those before must have been read: `next` returned false.
  mutating func feed(_ bytes: [UInt8]) {
    formerBytes += piece.count
    position = 0
    guard !isBegun else {
      piece = bytes
      return
    }
    // Nothing is read before it is known whether the file begins with a byte-order mark.
    formerBytes = 0
    piece += bytes
    if piece.count < 3, Self.byteOrderMark.starts(with: piece) {
      position = piece.count
      return
    }
    isBegun = true
    if piece.starts(with: Self.byteOrderMark) { piece.removeFirst(3) }
  }

  /// The file is over: its last record need not end with a line break.
  mutating func end() {
    if !isBegun { position = 0 }
    isBegun = true
    isOver = true
  }

  /// Goes on to the next record, which is `record` then. False: more bytes are needed or, after `end`, there is none.
  mutating func next() throws -> Bool {
    if isRecordHandedOut {
      record.reset()
      recordLine = line
      isRecordHandedOut = false
    }
    while position < piece.count {
      if try advance() { return true }
    }
    return try isOver && endFile()
  }

  private mutating func endFile() throws -> Bool {
    switch state {
    case .quoted:
      throw Failure(
        line: quote.line, column: quote.column, problem: "a quoted field does not end before the file does.")
    case .fieldStart where record.count == 0: return false
    case .afterReturn: return false
    case .fieldStart, .plain, .quoteInQuoted:
      endField()
      state = .fieldStart
      isRecordHandedOut = true
      return true
    }
  }

  /// Takes the ordinary bytes that come next at once, and the one behind them. True: it ended the record.
  private mutating func advance() throws -> Bool {
    let start = position
    let run = ordinaryRun()
    if run.end > start {
      position = run.end
      if state == .fieldStart { state = .plain }
      if run.lineBreaks > 0 {
        line += run.lineBreaks
        lineStart = formerBytes + run.lastLineStart
      }
      guard record.data.count + (run.end - start) <= CommandLimits.recordBytesMax else { throw recordTooLong() }
      record.data.append(contentsOf: piece[start..<run.end])
      guard position < piece.count else { return false }
    }
    let byte = piece[position]
    position += 1
    return try step(byte)
  }

  /// The bytes from here that belong to the field as they are, and the line breaks in them.
  private func ordinaryRun() -> (end: Int, lineBreaks: Int, lastLineStart: Int) {
    piece.withUnsafeBufferPointer { bytes in
      var index = position
      var lineBreaks = 0
      var lastLineStart = 0
      switch state {
      case .quoted:
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          if bytes[index] == UInt8(ascii: "\n") {
            lineBreaks += 1
            lastLineStart = index + 1
          }
          index += 1
        }
      case .fieldStart where bytes[index] == UInt8(ascii: "\""), .quoteInQuoted, .afterReturn: break
      case .fieldStart, .plain:
        while index < bytes.count {
          let byte = bytes[index]
          if byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
          index += 1
        }
      }
      return (index, lineBreaks, lastLineStart)
    }
  }

  private mutating func step(_ byte: UInt8) throws -> Bool {
    let column = formerBytes + position - lineStart
    if byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = formerBytes + position
    }
    switch state {
    case .quoted:
      // Bytes without a meaning of their own went before.
      state = .quoteInQuoted
    case .quoteInQuoted where byte == UInt8(ascii: "\""):
      guard record.data.count < CommandLimits.recordBytesMax else { throw recordTooLong() }
      record.data.append(byte)
      state = .quoted
    case .afterReturn where byte == UInt8(ascii: "\n"):
      state = .fieldStart
      recordLine = line
    case .fieldStart where byte == UInt8(ascii: "\""), .afterReturn where byte == UInt8(ascii: "\""):
      isFieldQuoted = true
      quote = (line, column)
      state = .quoted
    case .fieldStart, .plain, .quoteInQuoted, .afterReturn:
      return try stepUnquoted(byte, column: column)
    }
    return false
  }

  private mutating func stepUnquoted(_ byte: UInt8, column: Int) throws -> Bool {
    switch byte {
    case delimiter:
      endField()
      state = .fieldStart
      return false
    case UInt8(ascii: "\n"):
      state = .fieldStart
      return endLine()
    case UInt8(ascii: "\r"):
      state = .afterReturn
      return endLine()
    default:
      guard state != .quoteInQuoted else {
        throw Failure(
          line: line, column: column,
          problem: "after a closing quote comes \(Self.name(of: delimiter)) or the end of the line.")
      }
      record.data.append(byte)
      state = .plain
      return false
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

  /// Whether the line's end ends a record: an empty line is none, unless the one field that a record has may be empty.
  private mutating func endLine() -> Bool {
    if !hasOneColumn && record.count == 0 && record.data.isEmpty && !isFieldQuoted {
      recordLine = line
      return false
    }
    endField()
    isRecordHandedOut = true
    return true
  }

  private func recordTooLong() -> Failure {
    Failure(
      line: recordLine,
      problem:
        "a record is longer than \(CommandLimits.recordBytesMax >> 20) MiB; a quote may be missing its partner.")
  }

  private mutating func endField() {
    record.ends.append(record.data.count)
    record.quoted.append(isFieldQuoted)
    isFieldQuoted = false
  }
}
