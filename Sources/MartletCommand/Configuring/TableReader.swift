/// The values of one table of a configuration file, and what is wrong with them.
///
/// Always true: what is wrong is added to the mistakes once, with the line of its key, and counts as not said.
struct TableReader {
  /// What is wrong so far.
  final class Mistakes {
    private(set) var all: [ConfigurationMistake] = []
    var warnings: [ConfigurationMistake] = []

    func add(_ line: Int, _ sentence: String) { all.append(ConfigurationMistake(line: line, sentence)) }
  }

  let line: Int
  let mistakes: Mistakes
  private let values: [String: TOMLNode]

  /// Nil, with a mistake, for what is no table. `keys` are those that it may have; nil: any.
  init?(_ node: TOMLNode, name: String, keys: [String]?, _ mistakes: Mistakes) {
    guard case .table(let values) = node.content else {
      mistakes.add(node.line, "\(CellText.escaped(name)) is a table. Write [\(CellText.escaped(name))].")
      return nil
    }
    (self.line, self.values, self.mistakes) = (node.line, values, mistakes)
    guard let keys else { return }
    for (key, node) in values where !keys.contains(key) {
      let place = name.isEmpty ? "" : " in [\(CellText.escaped(name))]"
      let homes = ConfigurationKeys.tables(with: key)
      let advice =
        homes.isEmpty
        ? Suggestion.question(key, among: keys) : " It belongs into [\(homes.joined(separator: "] or ["))]."
      mistakes.add(node.line, "There is no key '\(CellText.escaped(key))'\(place).\(advice)")
    }
  }

  /// The keys in the order of the file.
  var keys: [String] { values.keys.sorted { (line(of: $0), $0) < (line(of: $1), $1) } }

  func has(_ key: String) -> Bool { values[key] != nil }

  /// The line of a key, or of the table if it is not there.
  func line(of key: String) -> Int { values[key]?.line ?? line }

  func complain(_ key: String, _ sentence: String) { mistakes.add(line(of: key), sentence) }

  func text(_ key: String) -> String? {
    guard let node = values[key] else { return nil }
    if case .text(let text) = node.content { return text }
    complain(key, "\(CellText.escaped(key)) is a text in quotation marks.")
    return nil
  }

  /// A text that a rule reads.
  func text<Value>(_ key: String, _ rule: (String, String) throws(InvalidOption) -> Value) -> Value? {
    text(key).flatMap { text in checked(key) { () throws(InvalidOption) in try rule(text, key) } }
  }

  func number(_ key: String, _ rule: (Int, String) throws(InvalidOption) -> Int) -> Int? {
    guard let node = values[key] else { return nil }
    guard case .integer(let number) = node.content else {
      complain(key, "\(key) is a whole number.")
      return nil
    }
    return checked(key) { () throws(InvalidOption) in try rule(number, key) }
  }

  func truth(_ key: String) -> Bool? {
    guard let node = values[key] else { return nil }
    if case .boolean(let truth) = node.content { return truth }
    complain(key, "\(key) is true or false.")
    return nil
  }

  /// The texts of a list, each with its line.
  func texts(_ key: String) -> [(text: String, line: Int)]? {
    guard let node = values[key] else { return nil }
    guard case .list(let nodes) = node.content else {
      complain(key, "\(key) is a list of texts, such as [\"a\", \"b\"].")
      return nil
    }
    return nodes.compactMap { node in
      if case .text(let text) = node.content { return (text, node.line) }
      mistakes.add(node.line, "\(key) is a list of texts, such as [\"a\", \"b\"].")
      return nil
    }
  }

  func table(_ key: String, name: String? = nil, keys: [String]?) -> TableReader? {
    values[key].flatMap { TableReader($0, name: name ?? key, keys: keys, mistakes) }
  }

  private func checked<Value>(_ key: String, _ body: () throws(InvalidOption) -> Value) -> Value? {
    do throws(InvalidOption) {
      return try body()
    } catch {
      complain(key, error.description)
      return nil
    }
  }
}
