import CMartletTOML
import MartletValues

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

  /// The whole of a text, as a table.
  init(parsing text: String) throws(ConfigurationMistake) {
    if let line = Self.lineOfControl(text) {
      throw ConfigurationMistake(line: line, "A zero byte cannot stand in this file. Remove it.")
    }
    let lines = TOMLLines(text)
    // Some mistakes make the parser end the process, so it gets no text in which something is missing.
    if let problem = lines.problem { throw problem }
    let document = text.utf8CString.withUnsafeBufferPointer { bytes in
      // Sound because the buffer has these bytes and a zero behind them, and nothing of it is kept.
      bytes.baseAddress.flatMap { martlet_toml_parse($0, bytes.count - 1) }
    }
    guard let document else { throw ConfigurationMistake(line: 1, "There is no memory to read this file.") }
    // Sound because nothing points into it any more: what stood there was copied.
    defer { martlet_toml_free(document) }
    if let error = Self.text(document.pointee.error, document.pointee.error_bytes) {
      let last = text.utf8.count { $0 == 10 } + 1
      throw ConfigurationMistake(
        line: min(max(1, Int(document.pointee.line)), last), "This is no TOML: \(CellText.escaped(error)).")
    }
    // Sound because it has as many nodes as it says, until it is freed.
    let nodes = UnsafeBufferPointer(start: document.pointee.nodes, count: document.pointee.count)
    var next = nodes.startIndex
    self.init(nodes, &next, at: [], line: 1, lines)
  }

  /// The node that is next, and all that is in it.
  private init(
    _ nodes: UnsafeBufferPointer<martlet_toml_node>, _ next: inout Int, at path: TOMLLines.Path, line: Int,
    _ lines: TOMLLines
  ) {
    self.line = line
    let node = nodes[next]
    next += 1
    func child(_ name: String) -> TOMLNode {
      let path = path + [name]
      return TOMLNode(nodes, &next, at: path, line: lines.line(of: path) ?? line, lines)
    }
    switch martlet_toml_kind(UInt32(node.kind)) {
    case MARTLET_TOML_TEXT: content = .text(Self.text(node.text, node.text_bytes) ?? "")
    case MARTLET_TOML_INTEGER: content = .integer(Int(node.number))
    case MARTLET_TOML_BOOLEAN: content = .boolean(node.number != 0)
    case MARTLET_TOML_LIST: content = .list((0..<Int(node.number)).map { child("\($0)") })
    case MARTLET_TOML_TABLE:
      var table: [String: TOMLNode] = [:]
      for _ in 0..<node.number {
        let key = Self.text(nodes[next].key, nodes[next].key_bytes) ?? ""
        let value = child(key)
        // Names that Unicode takes for one: the first counts.
        if table[key] == nil { table[key] = value }
      }
      content = .table(table)
    default: content = .other
    }
  }

  /// A copy of some bytes; nil if there are none.
  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String? {
    // Sound because the document has that many bytes there, until it is freed.
    start.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: count), as: UTF8.self) }
  }

  /// The line of a zero byte, as itself or as an escape: the parser takes it for the end.
  private static func lineOfControl(_ text: String) -> Int? {
    var line = 1
    // By bytes, because a carriage return and a line feed are one character.
    for bytes in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
      let part = Substring(bytes)
      if bytes.contains(0) || part.contains("\\u0000") || part.contains("\\U00000000") { return line }
      line += 1
    }
    return nil
  }
}
