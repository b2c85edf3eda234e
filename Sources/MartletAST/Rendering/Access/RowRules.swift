internal import MartletValues

/// What rules for tables add to a statement while it is written: conditions, with claims as parameters.
///
/// Always true: the parameters of claims come behind all of the tree's, each claim once.
struct RowRules {
  private let rules: TableRules
  private let parameterCount: Int
  /// The statement may fail with some values, so nothing of it may be evaluated for a row before the row's own
  /// condition.
  let isGuarded: Bool
  /// Tables, in lower case, that are read in subqueries that SQLite does not merge into the query around them.
  private let sealed: Set<String>
  /// In the order of their parameters.
  private(set) var claims: [String] = []
  /// Queries that SQLite compiles only if the conditions that were used fit their tables.
  private(set) var trials: [String] = []
  /// Tables whose rows are found again by their rowid.
  private(set) var lookups: [String] = []
  /// How often the text differs from what it would be without rules.
  var differences = 0
  /// A result column that only checks what was written comes last.
  var checksNewRows = false

  init(_ rules: TableRules, parameterCount: Int, isGuarded: Bool, sealed: Set<String> = []) {
    self.sealed = sealed
    self.isGuarded = isGuarded
    self.rules = rules
    self.parameterCount = parameterCount
  }

  /// Validation has seen to it that no common table has the name of a table with a rule.
  mutating func rule(for table: ASTTable) -> TableRule? {
    guard let rule = rules.rule(for: table.name) else { return nil }
    if let trial = rule.trial(of: table.name.lowercasedASCII, reading: rule.readColumns ?? []), !trials.contains(trial)
    {
      trials.append(trial)
    }
    return rule
  }

  /// The rule for a table that is not read as it stands.
  mutating func partialRule(for table: ASTTable) -> TableRule? {
    rule(for: table).flatMap { $0.isPartial || isSealed(table) ? $0 : nil }
  }

  func isSealed(_ table: ASTTable) -> Bool { sealed.contains(table.name.lowercasedASCII) }

  mutating func noteLookup(of table: ASTTable) {
    let name = table.name.lowercasedASCII
    if !lookups.contains(name) { lookups.append(name) }
  }

  /// The number of the parameter that a claim is bound to.
  mutating func parameter(of claim: String) -> Int {
    let place = claims.firstIndex(of: claim) ?? claims.endIndex
    if place == claims.endIndex { claims.append(claim) }
    return parameterCount + place + 1
  }
}
