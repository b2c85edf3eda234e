import MartletServer
import MartletValues

/// The roles of a configuration file with what they inherit.
///
/// Always true: no role inherits itself; each has at least one database and one permission, or there is a mistake.
struct RoleReader {
  private(set) var roles: [String: Role] = [:]

  private struct Draft {
    var databases: [DatabasePattern] = []
    var permissions: Permissions = []
    var inherits: [String] = []
    var tables: [String: TableRule]?
    var shapes: [String]?
    var quotas: [Quota: Int] = [:]
  }

  init(_ table: TableReader) {
    var drafts: [String: Draft] = [:]
    for name in table.keys {
      if !Role.isName(name) {
        table.complain(name, "A role's name is 1 to 64 letters, digits, underscores and hyphens.")
      }
      drafts[name] = table.table(name, name: "roles.\(name)", keys: ConfigurationKeys.role).map {
        Self.draft(name, $0, table.keys)
      }
    }
    let circles = Self.circles(drafts)
    for name in circles.sorted() {
      table.complain(name, "The role '\(CellText.escaped(name))' inherits itself: remove a name from its inherits.")
    }
    var quotas: [String: [Quota: Int]] = [:]
    for name in table.keys where drafts[name] != nil {
      let union = Self.reachable(from: name, drafts).compactMap { drafts[$0] }
      let databases = union.flatMap(\.databases)
      var role = Role(name: name, databases: [], permissions: [])
      // A database that two roles name stands there once.
      for pattern in databases where !role.databases.contains(pattern) { role.databases.append(pattern) }
      for draft in union { role.permissions.formUnion(draft.permissions) }
      role.tables = Self.rules(union, role.permissions)
      role.shapeFiles = Self.shapes(union)
      role.quotas = RoleQuotas(Self.quotas(of: name, drafts, &quotas))
      if !circles.contains(name) { Self.check(role, table) }
      roles[name] = role
    }
  }

  private static func draft(_ name: String, _ table: TableReader, _ names: [String]) -> Draft {
    var draft = Draft()
    for (text, line) in table.texts("databases") ?? [] {
      guard let pattern = DatabasePattern(text) else {
        table.mistakes.add(
          line, "'\(CellText.escaped(text))' is no database: use 1 to 64 letters, digits, underscores, hyphens and *.")
        // It counts as one, so that nothing else is wrong.
        draft.databases.append(.all)
        continue
      }
      draft.databases.append(pattern)
    }
    draft.permissions = ConfigurationReader.permissions("allow", table) ?? []
    for (text, line) in table.texts("inherits") ?? [] {
      guard names.contains(text) else {
        table.mistakes.add(line, missing(text, names))
        continue
      }
      draft.inherits.append(text)
    }
    draft.tables = table.table("tables", name: "roles.\(name).tables", keys: nil).map {
      RoleTableReader($0, role: name).rules
    }
    draft.shapes = shapes(table)
    draft.quotas =
      table.table("quotas", name: "roles.\(name).quotas", keys: ConfigurationKeys.roleQuotas).map {
        RoleQuotaReader($0).values
      } ?? [:]
    return draft
  }

  private static func shapes(_ table: TableReader) -> [String]? {
    guard let paths = table.texts("shapes") else { return nil }
    if paths.isEmpty { table.complain("shapes", "shapes names no file: name one, or remove the key.") }
    for path in paths where path.text.isEmpty { table.mistakes.add(path.line, "A file's path is missing.") }
    return paths.map(\.text)
  }

  /// The files of a role and of those that it inherits. Where none of them names one, it may run any statement.
  private static func shapes(_ drafts: [Draft]) -> [String]? {
    let named = drafts.compactMap(\.shapes)
    return named.isEmpty ? nil : named.flatMap { $0 }
  }

  /// A role's own quotas stand before those that it inherits. `known` has those of roles that were asked about.
  private static func quotas(
    of name: String, _ drafts: [String: Draft], _ known: inout [String: [Quota: Int]]
  ) -> [Quota: Int] {
    if let found = known[name] { return found }
    guard let draft = drafts[name] else { return [:] }
    // A circle is told of elsewhere, and ends here.
    known[name] = [:]
    let found = RoleQuotaReader.inherited(draft.quotas, from: draft.inherits.map { quotas(of: $0, drafts, &known) })
    known[name] = found
    return found
  }

  /// The tables of a role and of those that it inherits: its own rule for a table stands before an inherited one. Where
  /// none of them names tables, all are open.
  private static func rules(_ drafts: [Draft], _ permissions: Permissions) -> TableRules? {
    var tables: [String: TableRule]?
    for draft in drafts {
      guard let own = draft.tables else { continue }
      tables = (tables ?? [:]).merging(own) { first, _ in first }
    }
    return tables.map { tables in
      TableRules(
        tables.mapValues { rule in
          var rule = rule
          rule.permissions.formIntersection(permissions)
          return rule
        })
    }
  }

  private static func check(_ role: Role, _ table: TableReader) {
    let shown = CellText.escaped(role.name)
    if role.databases.isEmpty {
      table.complain(
        role.name, "The role '\(shown)' has no databases: write databases = [\"NAME\"], or [\"*\"] for all.")
    }
    if role.permissions.isEmpty {
      table.complain(role.name, "The role '\(shown)' may do nothing: write allow = [\"select\"], or what it may do.")
    }
    // Each would go around the rules: text and triggers read any table, and the busiest shapes are others'.
    let open: Permissions = [.raw, .schema, .pragmas, .inspect, .maintain, .drop]
    if role.tables != nil,
      let word = role.permissions.intersection(open).words.first
    {
      table.complain(
        role.name,
        "The role '\(shown)' may use some tables only, and '\(word)' would go around that: take it out of allow, or "
          + "remove its tables.")
    }
    if role.permissions.contains(.raw), !role.permissions.isSuperset(of: .rows) {
      table.complain(
        role.name,
        "SQL text can read and write rows, so the role '\(shown)', which is allowed raw, has to be allowed rows as well."
      )
    }
  }

  /// The role itself and all that it inherits, each once.
  private static func reachable(from name: String, _ drafts: [String: Draft]) -> [String] {
    var found = [name]
    var place = 0
    while place < found.count {
      for next in drafts[found[place]]?.inherits ?? [] where !found.contains(next) { found.append(next) }
      place += 1
    }
    return found
  }

  /// The roles that inherit themselves.
  private static func circles(_ drafts: [String: Draft]) -> Set<String> {
    Set(
      drafts.keys.filter { name in
        (drafts[name]?.inherits ?? []).contains { reachable(from: $0, drafts).contains(name) }
      })
  }

  /// The sentence for a name that no role has.
  static func missing(_ name: String, _ names: [String]) -> String {
    "There is no role '\(CellText.escaped(name))'.\(Suggestion.question(name, among: names)) Roles are tables: [roles.NAME]."
  }
}
