internal import MartletValues

/// SQL for people, in the spelling of SQLite.swift: with question marks and the values beside them, or with the values
/// in their places.
struct SQLPrinter {
  private(set) var text = ""
  private(set) var bindings: [SQLValue] = []
  /// Values stand in the text; schemas have no others.
  private let inlinesValues: Bool

  init(inliningValues: Bool) { inlinesValues = inliningValues }

  mutating func write(_ sql: String) { text += sql }

  mutating func name(_ name: String) { text += name.quoted() }

  mutating func value(_ value: SQLValue) {
    if inlinesValues {
      let literal = value.literalText
      // Two minuses begin a comment.
      if text.utf8.last == UInt8(ascii: "-"), literal.utf8.first == UInt8(ascii: "-") { text += " " }
      return text += literal
    }
    text += "?"
    bindings.append(value)
  }

  mutating func list(_ nodes: [Node], separator: String = ", ") {
    for (index, node) in nodes.enumerated() {
      if index > 0 { text += separator }
      node.print(to: &self)
    }
  }
}

extension Node {
  /// The text with question marks, and the values for them.
  var printed: SQLPrinter {
    var printer = SQLPrinter(inliningValues: false)
    print(to: &printer)
    return printer
  }

  /// The text with the values in their places.
  var sql: String {
    var printer = SQLPrinter(inliningValues: true)
    print(to: &printer)
    return printer.text
  }
}
