import MartletValues
import Synchronization
import TOMLKit

/// A value of a TOML text, with the line on which it is named.
///
/// Always true: it is made of Swift's own values, and every line is at least 1.
struct TOMLNode: Equatable, Sendable {
  var line: Int
  var content: Content

  enum Content: Equatable, Sendable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case list([TOMLNode])
    case table([String: TOMLNode])
    /// A fraction, a date or a time, which nothing here takes.
    case other
  }

  /// What was parsed last. TOMLKit never gives back what it made of a text, so a server that reads the same file at
  /// each reload parses it once.
  private static let last = Mutex<(text: String, node: TOMLNode)?>(nil)

  /// The whole of a text, as a table.
  init(parsing text: String) throws(ConfigurationMistake) {
    // Byte by byte: texts that Unicode takes for equal may name different roles, databases and files.
    let known = Self.last.withLock { last in
      last.flatMap { $0.text.utf8.elementsEqual(text.utf8) ? $0.node : nil }
    }
    if let known {
      self = known
      return
    }
    let node = try TOMLNode(anew: text)
    Self.last.withLock { $0 = (text, node) }
    self = node
  }

  private init(anew text: String) throws(ConfigurationMistake) {
    if let line = Self.lineOfControl(text) {
      throw ConfigurationMistake(line: line, "A zero byte cannot stand in this file: remove it.")
    }
    let lines = TOMLLines(text)
    // Some mistakes make the parser end the process, so it gets no text in which something is missing.
    if let problem = lines.problem { throw problem }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let last = text.utf8.count { $0 == 10 } + 1
      throw ConfigurationMistake(
        line: min(max(1, error.source.begin.line), last), "This is no TOML: \(CellText.escaped(error.description)).")
    } catch {
      throw ConfigurationMistake(line: 1, "This is no TOML.")
    }
    self.init(table.tomlValue, at: [], line: 1, lines)
  }

  private init(_ value: TOMLValue, at path: TOMLLines.Path, line: Int, _ lines: TOMLLines) {
    self.line = line
    func child(_ name: String, _ value: TOMLValue) -> TOMLNode {
      let path = path + [name]
      return TOMLNode(value, at: path, line: lines.line(of: path) ?? line, lines)
    }
    if let text = value.string {
      content = .text(text)
    } else if let number = value.int {
      content = .integer(number)
    } else if let truth = value.bool {
      content = .boolean(truth)
    } else if let list = value.array {
      content = .list((0..<list.count).map { child("\($0)", list[$0].tomlValue) })
    } else if let table = value.table {
      let pairs = table.keys.compactMap { key in table[key].map { (key, child(key, $0.tomlValue)) } }
      content = .table(Dictionary(pairs) { first, _ in first })
    } else {
      content = .other
    }
  }

  /// The line of a zero byte, as itself or as an escape: the parser takes it for the end.
  private static func lineOfControl(_ text: String) -> Int? {
    var line = 1
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if part.utf8.contains(0) || part.contains("\\u0000") || part.contains("\\U00000000") { return line }
      line += 1
    }
    return nil
  }
}
