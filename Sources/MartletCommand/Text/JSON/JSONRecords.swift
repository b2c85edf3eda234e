import MartletValues

/// Bytes of a JSON file in, its records out: the objects of one array, or objects behind each other.
///
/// Always true: a file may be cut into chunks anywhere and gives the same records; one record is held at a time and is
/// bounded; a mistake is told with its line and column.
struct JSONRecords {
  struct Failure: Error, Equatable, CustomStringConvertible {
    var line: Int
    /// Counted in bytes from 1.
    var column: Int
    var problem: String
    var description: String { "line \(line), column \(column): \(problem)" }
  }

  /// One object: its names and values in their order.
  typealias Record = [(name: String, value: JSONValue)]

  private enum Place { case start, inArray, behindRecord, afterComma, afterArray }

  private var place = Place.start
  /// The file's records stand in an array, which has begun.
  private(set) var isArray = false
  private var held: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var line = 1
  private var column = 0
  private var start = (line: 1, column: 1)
  private var byteOrderMark = [UInt8]([0xEF, 0xBB, 0xBF])[...]

  /// Takes the next bytes and hands out each record that ends in them, with the line that it begins on.
  mutating func consume(_ bytes: some Sequence<UInt8>, _ body: (Record, _ line: Int) throws -> Void) throws {
    for byte in bytes {
      if byte == byteOrderMark.first, line == 1, column + byteOrderMark.count == 3 || column == 0 {
        byteOrderMark = byteOrderMark.dropFirst()
        continue
      }
      column += 1
      try depth > 0 ? step(inside: byte, body) : step(between: byte)
      if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
    }
  }

  /// The file is over.
  func finish() throws {
    if depth > 0 {
      throw Failure(line: start.line, column: start.column, problem: "this record does not end before the file does.")
    }
    guard isArray, place != .afterArray else { return }
    throw fail("the array does not end with ].")
  }

  private func fail(_ problem: String) -> Failure { Failure(line: line, column: max(1, column), problem: problem) }

  private mutating func step(between byte: UInt8) throws {
    switch (byte, place) {
    case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _): return
    case (UInt8(ascii: "["), .start):
      isArray = true
      place = .inArray
    case (UInt8(ascii: "]"), .inArray),
      (UInt8(ascii: "]"), .behindRecord) where isArray:
      place = .afterArray
    case (UInt8(ascii: ","), .behindRecord) where isArray: place = .afterComma
    case (UInt8(ascii: "{"), .start), (UInt8(ascii: "{"), .inArray), (UInt8(ascii: "{"), .afterComma):
      begin()
    case (UInt8(ascii: "{"), .behindRecord) where !isArray: begin()
    case (_, .afterArray): throw fail("behind the array's end nothing may follow.")
    case (_, .behindRecord) where isArray: throw fail("behind a record comes a comma or ].")
    default: throw fail("a record is an object, and begins with {.")
    }
  }

  private mutating func begin() {
    held.removeAll(keepingCapacity: true)
    held.append(UInt8(ascii: "{"))
    depth = 1
    start = (line, column)
  }

  private mutating func step(inside byte: UInt8, _ body: (Record, Int) throws -> Void) throws {
    guard held.count < CommandLimits.recordBytesMax else {
      throw Failure(
        line: start.line, column: start.column,
        problem:
          "a record is longer than \(CommandLimits.recordBytesMax >> 20) MiB; a quote or brace may be missing its partner."
      )
    }
    held.append(byte)
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      guard depth == 0 else { return }
      place = .behindRecord
      var parser = JSONRecordParser(held)
      do {
        try body(try parser.object(), start.line)
      } catch let mistake as JSONRecordParser.Mistake {
        throw failure(at: mistake.offset, mistake.problem)
      }
    default: break
    }
  }

  /// Where a byte of the record that is held stands in the file.
  private func failure(at offset: Int, _ problem: String) -> Failure {
    var place = start
    for byte in held.prefix(offset) {
      place = byte == UInt8(ascii: "\n") ? (place.line + 1, 1) : (place.line, place.column + 1)
    }
    return Failure(line: place.line, column: place.column, problem: problem)
  }
}
