/// Which tables somebody may use, with which of their columns and rows.
///
/// Always true: a table that is not named is refused; names are compared as SQLite does, without regard to the case of
/// ASCII letters. Equal rules have equal ids, so that they share what was compiled for them.
public final class TableRules: Sendable {
  /// The rules by the table's name in lower case.
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

  /// A table whose columns or rows both limit in different ways; nil if there is none.
  public func contradiction(to other: TableRules) -> String? {
    tables.keys.sorted().first { name in
      guard let own = tables[name], let others = other.tables[name] else { return false }
      return !own.permissions.isEmpty && !others.permissions.isEmpty && !own.isEqual(to: others)
    }
  }

  /// The tables of both, each with what both allow. A table whose columns or rows they limit in different ways is left
  /// out.
  public func united(with other: TableRules) -> TableRules {
    var united = tables
    for (name, rule) in other.tables where !rule.permissions.isEmpty {
      guard let own = tables[name], !own.permissions.isEmpty else {
        united[name] = rule
        continue
      }
      united[name] = own.isEqual(to: rule) ? own.allowing(rule.permissions) : nil
    }
    return TableRules(united)
  }

  /// Whether a column of a table may be read in some row.
  public func shows(_ column: String, of table: String) -> Bool {
    guard let rule = rule(for: table), rule.permissions.contains(.select) else { return false }
    return rule.mayRead(column)
  }

  /// The rule for a table; nil: it may not be used.
  public func rule(for table: String) -> TableRule? { tables[table.lowercasedASCII] }
}

extension TableRules: Hashable {
  public static func == (left: TableRules, right: TableRules) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
