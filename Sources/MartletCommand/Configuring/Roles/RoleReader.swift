import MartletServer
import MartletValues

/// The roles of a configuration file with what they inherit.
///
/// Always true: no role inherits itself; each has at least one database and one permission and contradicts itself
/// nowhere, or there is a mistake.
struct RoleReader {
  private(set) var roles: [String: Role] = [:]

  init(_ table: TableReader) {
    var drafts: [String: RoleDraft] = [:]
    for name in table.keys {
      if !SimpleName.isValid(name) { table.complain(name, SimpleName.rule("A role's name")) }
      drafts[name] = table.table(name, name: "roles.\(name)", keys: ConfigurationKeys.role).map {
        Self.draft(name, $0, table.keys)
      }
    }
    let circles = Self.circles(drafts)
    for name in circles.sorted() {
      table.complain(name, "The role '\(CellText.escaped(name))' inherits itself. Remove a name from its inherits.")
    }
    var inheritance = RoleInheritance(drafts)
    var quotas: [String: [Quota: Int]] = [:]
    for name in table.keys where drafts[name] != nil {
      let rights = inheritance.rights(of: name)
      roles[name] = Role(
        name: name, grants: rights.map(\.grant), quotas: RoleQuotas(Self.quotas(of: name, drafts, &quotas)))
      if !circles.contains(name) { RoleCheck(name, table).check(rights) }
    }
  }

  private static func draft(_ name: String, _ table: TableReader, _ names: [String]) -> RoleDraft {
    var draft = RoleDraft()
    draft.databases = table.texts("databases")?.map { database($0.text, $0.line, table) }
    draft.permissions = ConfigurationReader.permissions("allow", table)
    for (text, line) in table.texts("inherits") ?? [] {
      guard names.contains(text) else {
        table.mistakes.add(line, missing(text, names))
        continue
      }
      if !draft.inherits.contains(text) { draft.inherits.append(text) }
    }
    draft.tables = table.table("tables", name: "roles.\(name).tables", keys: nil).map {
      RoleTableReader($0, role: name).tables
    }
    draft.shapes = shapes(table)
    draft.quotas =
      table.table("quotas", name: "roles.\(name).quotas", keys: ConfigurationKeys.roleQuotas).map {
        RoleQuotaReader($0).values
      } ?? [:]
    return draft
  }

  /// Every database where it is wrong, so that nothing else is.
  private static func database(_ text: String, _ line: Int, _ table: TableReader) -> DatabasePattern {
    guard let pattern = DatabasePattern(text) else {
      table.mistakes.add(
        line, "'\(CellText.escaped(text))' is no database. Use 1 to 64 letters, digits, underscores, hyphens and *.")
      return .all
    }
    if pattern.isAmbiguous {
      table.mistakes.add(
        line,
        "'\(CellText.escaped(text))' could be the database of two clients: beside {CLAIM} there is neither another one "
          + "nor *.")
    }
    return pattern
  }

  private static func shapes(_ table: TableReader) -> [String]? {
    guard let paths = table.texts("shapes") else { return nil }
    if paths.isEmpty { table.complain("shapes", "shapes names no file. Name one, or remove the key.") }
    for path in paths where path.text.isEmpty { table.mistakes.add(path.line, "A file's path is missing.") }
    return paths.map(\.text)
  }

  /// A role's own quotas stand before those that it inherits. `known` has those of roles that were asked about.
  private static func quotas(
    of name: String, _ drafts: [String: RoleDraft], _ known: inout [String: [Quota: Int]]
  ) -> [Quota: Int] {
    if let found = known[name] { return found }
    guard let draft = drafts[name] else { return [:] }
    // A circle is told of elsewhere, and ends here.
    known[name] = [:]
    let found = RoleQuotaReader.inherited(draft.quotas, from: draft.inherits.map { quotas(of: $0, drafts, &known) })
    known[name] = found
    return found
  }

  /// The role itself and all that it inherits, each once.
  private static func reachable(from name: String, _ drafts: [String: RoleDraft]) -> [String] {
    var found = [name]
    var place = 0
    while place < found.count {
      for next in drafts[found[place]]?.inherits ?? [] where !found.contains(next) { found.append(next) }
      place += 1
    }
    return found
  }

  /// The roles that inherit themselves.
  private static func circles(_ drafts: [String: RoleDraft]) -> Set<String> {
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
