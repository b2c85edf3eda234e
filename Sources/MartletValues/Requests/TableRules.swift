/// Which tables somebody may use, with which of their columns and rows.
///
/// Always true: a table that is not named is refused; names are compared as SQLite does, without regard to the case of
/// ASCII letters. Equal rules have equal ids, so that they share what was compiled for them.
public final class TableRules: Sendable {
  /// By the table's name in lower case.
  public let tables: [String: TableRule]
  /// What tells these rules from all others.
  public let id: ShapeID
  /// The tables, and all words of the conditions, among which are the tables that these read.
  public let words: Set<String>

  public init(_ tables: [String: TableRule]) {
    let pairs = tables.map { ($0.key.lowercasedASCII, $0.value) }
    self.tables = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    var words = Set(self.tables.keys)
    for rule in self.tables.values { for condition in rule.conditions { words.formUnion(condition.words) } }
    self.words = words
    let text = self.tables.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value.description)" }
    id = Array(text.joined(separator: "\n").utf8).withUnsafeBytes { ShapeID(hashing: $0) }
  }

  /// The rule for a table; nil: it may not be used.
  public func rule(for table: String) -> TableRule? { tables[table.lowercasedASCII] }
}

extension TableRules: Hashable {
  public static func == (left: TableRules, right: TableRules) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
