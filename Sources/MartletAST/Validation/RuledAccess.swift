internal import MartletValues

/// What rules for tables say at one place of a tree: which names are common tables there, and whose columns an
/// expression can name without their table.
///
/// Always true: its lists mirror the walk: a WITH or a write that is entered adds to them, and takes that away when it
/// is left.
struct RuledAccess {
  let rules: TableRules
  /// The names of common tables that are in force, in lower case, those of the innermost WITH last.
  private var commonTables: [Set<String>] = []
  /// The tables that the statements around write to, the innermost last.
  private(set) var targets: [Target] = []

  /// A table that a statement writes to.
  struct Target {
    /// By which its columns are called, in lower case.
    let names: Set<String>
    let rule: TableRule

    /// RETURNING knows the table by its own name, whatever alias it has.
    init(_ table: ASTTable, _ alias: String, _ rule: TableRule) {
      names = [table.name.lowercasedASCII, alias.lowercasedASCII, "new", "old"]
      self.rule = rule
    }

    /// Whether a column of `excluded`, the row that an upsert could not insert, may be read: clients may read there
    /// what they have set themselves.
    func mayReadNew(_ column: String) -> Bool {
      rule.mayRead(column) || (rule.writeColumns != nil && rule.mayWrite(column))
    }
  }

  init(_ rules: TableRules) { self.rules = rules }

  /// Whether a name without a schema is a common table's.
  func isCommonTable(_ name: String) -> Bool {
    let name = name.lowercasedASCII
    return commonTables.contains { $0.contains(name) }
  }

  /// The rule for a table in the database itself; nil: it may not be used.
  func rule(for table: ASTTable) -> TableRule? {
    guard table.schema.isEmpty || table.schema.lowercasedASCII == "main" else { return nil }
    return rules.rule(for: table.name)
  }

  mutating func enter(commonTables names: [String]) { commonTables.append(Set(names.map(\.lowercasedASCII))) }
  mutating func leaveCommonTables() { commonTables.removeLast() }

  mutating func enter(target: Target) { targets.append(target) }
  mutating func replaceTargets(_ targets: [Target]) { self.targets = targets }
  mutating func leaveTarget() { targets.removeLast() }
}
