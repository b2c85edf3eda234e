public import Foundation

/// Which rows of a table somebody may touch: a condition of SQL over the table's columns, in which `claim('name')`
/// stands for what is known of whoever asks.
///
/// Always true: it is one expression with balanced parentheses and without comments, parameters and semicolons, so it
/// keeps its meaning in parentheses inside of a statement. A claim that somebody does not have is NULL.
public struct RowRule: Sendable, Hashable {
  /// A piece of the condition: SQL as it was written, or the place of a claim.
  public enum Part: Sendable, Hashable {
    case sql(String)
    case claim(String)
  }

  public let text: String
  public let parts: [Part]
  /// All names and words in it, in lower case: those of tables, columns and functions, and keywords.
  public let words: Set<String>

  /// What is wrong with a text, as a sentence.
  public struct Invalid: Error, Hashable, LocalizedError, CustomStringConvertible {
    public let sentence: String

    public var description: String { sentence }
    public var errorDescription: String? { sentence }
  }

  /// Bytes of a condition.
  public static var bytesMax: Int { ValueLimits.rowRuleBytesMax }

  public init(_ text: String) throws(Invalid) {
    var reader = RowRuleReader(text)
    try reader.read()
    self.text = text
    parts = reader.parts
    words = reader.words
  }

  /// The claims that the rule asks for, each once, in the order of the text.
  public var claims: [String] {
    var names: [String] = []
    for case .claim(let name) in parts where !names.contains(name) { names.append(name) }
    return names
  }
}

/// Reads a condition sign by sign, as far as it has to be known what is a text, a name and a parenthesis.
private struct RowRuleReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0
  private var sqlStart = 0
  private(set) var parts: [RowRule.Part] = []
  private(set) var words: Set<String> = []

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func read() throws(RowRule.Invalid) {
    guard bytes.count <= RowRule.bytesMax else {
      throw invalid("A condition has at most \(RowRule.bytesMax) bytes.")
    }
    guard bytes.contains(where: { $0 > 0x20 }) else { throw invalid("A condition is empty. Write an expression.") }
    while place < bytes.count { try readNext() }
    guard depth == 0 else { throw invalid("A parenthesis is open. Close it.") }
    endSQL(at: place)
  }

  private mutating func readNext() throws(RowRule.Invalid) {
    let byte = bytes[place]
    switch byte {
    case UInt8(ascii: "'"): _ = try quoted(until: byte)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): words.insert(try quoted(until: byte).lowercasedASCII)
    case UInt8(ascii: "["): words.insert(try quoted(until: UInt8(ascii: "]")).lowercasedASCII)
    case UInt8(ascii: "("):
      depth += 1
      place += 1
    case UInt8(ascii: ")"):
      depth -= 1
      guard depth >= 0 else { throw invalid("A parenthesis is closed that was not open. Remove it.") }
      place += 1
    case UInt8(ascii: ";"): throw invalid("A condition is one expression. Remove the semicolon.")
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
      throw invalid("A condition has no parameters. Write claim('name') for what is known of whoever asks.")
    case UInt8(ascii: "-") where next == byte, UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      throw invalid("A condition has no comments. Write them into the file, behind #.")
    case 0: throw invalid(Self.nulSentence)
    case _ where Self.isWord(byte): try readWord()
    default: place += 1
    }
  }

  private var next: UInt8? { place + 1 < bytes.count ? bytes[place + 1] : nil }

  private mutating func readWord() throws(RowRule.Invalid) {
    let start = place
    while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self).lowercasedASCII
    guard word == "claim" else {
      words.insert(word)
      return
    }
    let name = try claimName()
    parts.append(.sql(String(decoding: bytes[sqlStart..<start], as: UTF8.self)))
    parts.append(.claim(name))
    sqlStart = place
  }

  /// `('name')`, behind the word.
  private mutating func claimName() throws(RowRule.Invalid) -> String {
    skipSpace()
    let wrong = invalid("Write claim('name'), with the claim's name as a text.")
    guard place < bytes.count, bytes[place] == UInt8(ascii: "(") else { throw wrong }
    place += 1
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: "'") else { throw wrong }
    let name = try quoted(until: UInt8(ascii: "'"))
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: ")") else { throw wrong }
    place += 1
    guard SimpleName.isValid(name) else { throw invalid(SimpleName.rule("A claim's name")) }
    return name
  }

  private mutating func skipSpace() {
    while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
  }

  /// What stands between two signs, doubled ones once; the place is behind the second then.
  private mutating func quoted(until end: UInt8) throws(RowRule.Invalid) -> String {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 0 { throw invalid(Self.nulSentence) }
      guard byte == end else {
        text.append(byte)
        continue
      }
      guard end != UInt8(ascii: "]"), place < bytes.count, bytes[place] == end else {
        return String(decoding: text, as: UTF8.self)
      }
      text.append(byte)
      place += 1
    }
    throw invalid("A quotation mark is open. Close it.")
  }

  private mutating func endSQL(at end: Int) {
    if sqlStart < end { parts.append(.sql(String(decoding: bytes[sqlStart..<end], as: UTF8.self))) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 95, 128...255: true
    default: false
    }
  }

  private static let nulSentence = "A condition holds a NUL. Remove it."

  private func invalid(_ sentence: String) -> RowRule.Invalid { RowRule.Invalid(sentence: sentence) }
}
