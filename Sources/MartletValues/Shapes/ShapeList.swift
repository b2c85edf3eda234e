public import Foundation

/// Shapes with what people want to know of them, as a file holds them: a line for each, with the id in hexadecimal
/// digits and, behind a space, the SQL. Blank lines and those that start with `#` do not count.
///
/// Always true: an id stands there once; a note has no line breaks. What is written can be read.
public struct ShapeList: Sendable, Equatable {
  /// One statement that may be run.
  public struct Entry: Sendable, Equatable {
    public let shape: ShapeID
    /// The SQL, for people: nobody compares it.
    public let note: String
  }

  public private(set) var entries: [Entry] = []
  private var known: Set<ShapeID> = []

  /// What is wrong with a text, as a sentence, and in which line.
  public struct Invalid: Error, Hashable, LocalizedError, CustomStringConvertible {
    public let line: Int
    public let sentence: String

    public var description: String { "line \(line): \(sentence)" }
    public var errorDescription: String? { description }
  }

  public init() {}

  /// Throws what is wrong with the first line that is none.
  public init(_ text: String) throws(Invalid) {
    var rest = Substring(text).utf8
    var number = 0
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 10 }
      rest = rest.dropFirst(line.count + 1)
      number += 1
      let words = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard let first = words.first, first != UInt8(ascii: "#"), first != 13 else { continue }
      let word = words.prefix { $0 > 0x20 }
      guard let shape = ShapeID(hexadecimal: word) else {
        throw Invalid(line: number, sentence: "A line starts with a shape: 32 hexadecimal digits.")
      }
      guard entries.count < ShapeListLimits.shapesMax || known.contains(shape) else {
        throw Invalid(line: number, sentence: "A list has at most \(ShapeListLimits.shapesMax) shapes.")
      }
      add(shape, note: String(words[word.endIndex...]) ?? "")
    }
  }

  /// False if the shape is there already, or if the list is full.
  @discardableResult
  public mutating func add(_ shape: ShapeID, note: String) -> Bool {
    guard entries.count < ShapeListLimits.shapesMax, known.insert(shape).inserted else { return false }
    entries.append(Entry(shape: shape, note: Self.oneLine(note)))
    return true
  }

  public func contains(_ shape: ShapeID) -> Bool { known.contains(shape) }

  /// Ready to be written, in the order of the entries.
  public var text: String { entries.map { "\($0.shape)\($0.note.isEmpty ? "" : " ")\($0.note)\n" }.joined() }

  /// Spaces for line breaks and what a terminal could take for a command.
  private static func oneLine(_ note: String) -> String {
    var line = ""
    var isSpace = true
    for scalar in note.unicodeScalars {
      // Marks of direction would show a statement other than the one that is registered.
      let isOdd = scalar.properties.isWhitespace || [.control, .format].contains(scalar.properties.generalCategory)
      if isOdd, isSpace { continue }
      isSpace = isOdd
      line.unicodeScalars.append(isOdd ? " " : scalar)
      if line.utf8.count >= ShapeListLimits.noteBytesMax { return line + "…" }
    }
    return line.last == " " ? String(line.dropLast()) : line
  }
}

extension ShapeID {
  /// Nil unless the digits are 32 hexadecimal ones.
  init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 32 else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for digit in digits {
      let value: UInt8
      switch digit {
      case 48...57: value = digit - 48
      case 97...102: value = digit - 87
      case 65...70: value = digit - 55
      default: return nil
      }
      halves = (halves.0 << 4 | halves.1 >> 60, halves.1 << 4 | UInt64(value))
    }
    self.init(high: halves.0, low: halves.1)
  }
}
