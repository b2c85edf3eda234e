/// The text of one statement as it grows, with its indentation and, if asked for, which node wrote what.
///
/// Always true: names and texts pass through `identifier` and `text`, which quote them; only raw parts are written as
/// given. The clauses themselves are extensions of it, a file for each.
final class SQLWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var spans: [SourceSpan] = []
  /// Aggregates of the engine that stand in for ORDER BY inside an aggregate, where SQLite has none.
  let orderedAggregates: [String: String]
  /// What rules for tables add to the statement; nil: nothing.
  var rules: RowRules?
  /// Writes the condition on the rows for which the arguments of the next function in a FROM are evaluated; nil: none.
  var argumentCondition: (() -> Void)?
  /// Of values only a `?` is written.
  var hidesValues = false
  /// A RIGHT or FULL JOIN stands somewhere in the statement.
  var hasRightJoin = false
  private let collectsSpans: Bool
  private var indentation = 0
  private var place: SourceSpan.Place?

  init(orderedAggregates: [String: String] = [:], collectsSpans: Bool = false, rules: RowRules? = nil) {
    self.rules = rules
    self.orderedAggregates = orderedAggregates
    self.collectsSpans = collectsSpans
    bytes.reserveCapacity(512)
  }

  /// An empty one that writes at the same indentation and without rules.
  var beside: SQLWriter {
    let writer = SQLWriter(orderedAggregates: orderedAggregates)
    writer.indentation = indentation
    writer.hidesValues = hidesValues
    writer.hasRightJoin = hasRightJoin
    return writer
  }

  // MARK: Text

  func write(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Text that is safe already: numbers, and what raw parts hold.
  func write(verbatim text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  func write(byte: UInt8) {
    bytes.append(byte)
  }

  /// Validation has seen to it that there is text.
  func write(_ text: StaticString?) {
    if let text { write(text) }
  }

  /// Text and the space before it.
  func word(_ text: StaticString?) {
    guard let text else { return }
    write(" ")
    write(text)
  }

  func newline() {
    bytes.append(0x0a)
    bytes.append(contentsOf: repeatElement(0x20, count: indentation))
  }

  func indented(_ body: @autoclosure () -> Void) {
    indentation += 2
    body()
    indentation -= 2
  }

  /// `(`, the body on lines of its own, `)`.
  func block(_ body: @autoclosure () -> Void) {
    write("(")
    indentation += 2
    newline()
    body()
    indentation -= 2
    newline()
    write(")")
  }

  // MARK: Names and texts

  func identifier(_ name: String) {
    quoted(name, 0x22)
  }

  func text(_ text: String) {
    quoted(text, 0x27)
  }

  private func quoted(_ text: String, _ quote: UInt8) {
    bytes.append(quote)
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == quote { bytes.append(quote) }
    }
    bytes.append(quote)
  }

  /// `"schema"."name"`, or the name alone.
  func qualified(_ schema: String, _ name: String) {
    if !schema.isEmpty {
      identifier(schema)
      write(".")
    }
    identifier(name)
  }

  func function(_ name: String) {
    if Identifier.mayBeBareFunction(name) { write(verbatim: name) } else { identifier(name) }
  }

  /// `("a", "b")`.
  func names(_ names: [String]) {
    write("(")
    for (index, name) in names.enumerated() {
      if index > 0 { write(", ") }
      identifier(name)
    }
    write(")")
  }

  func alias(_ alias: String) {
    guard !alias.isEmpty else { return }
    write(" AS ")
    identifier(alias)
  }

  func parameter(_ index: UInt32) {
    write("?")
    write(verbatim: String(index))
  }

  // MARK: Nodes

  func at(_ field: StaticString, index: Int = -1, _ body: @autoclosure () -> Void) {
    guard collectsSpans else { return body() }
    let start = bytes.count
    let inner = SourceSpan.Place(field, index: index, in: place)
    let outer = place
    place = inner
    body()
    spans.append(SourceSpan(range: start..<bytes.count, place: inner))
    place = outer
  }

  func list<Node>(_ field: StaticString, _ nodes: [Node], separator: StaticString = ", ", _ body: (Node) -> Void) {
    for (index, node) in nodes.enumerated() {
      if index > 0 { write(separator) }
      at(field, index: index, body(node))
    }
  }
}
