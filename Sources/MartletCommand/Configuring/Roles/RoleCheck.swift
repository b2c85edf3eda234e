import MartletServer
import MartletValues

/// What a role comes to: whether it may do something at all, and nothing that contradicts itself.
struct RoleCheck {
  private let name: String
  private let table: TableReader
  private var shown: String { CellText.escaped(name) }

  init(_ name: String, _ table: TableReader) {
    self.name = name
    self.table = table
  }

  func check(_ rights: [RoleInheritance.Right]) {
    if rights.allSatisfy(\.databases.isEmpty) {
      complain("The role '\(shown)' has no databases. Write databases = [\"NAME\"], or [\"*\"] for all.")
    }
    if rights.allSatisfy(\.permissions.isEmpty) {
      complain("The role '\(shown)' may do nothing. Write allow = [\"select\"], or what it may do.")
    }
    for right in rights where right.permissions.contains(.raw) && !Self.mayDoRows(where: right, rights) {
      complain(
        "SQL text can read and write rows, so the role '\(shown)', which is allowed raw, has to be allowed rows as well."
      )
      break
    }
    checkNames(rights.flatMap(\.databases))
    for (index, right) in rights.enumerated() {
      for other in rights[index...] {
        guard let sentence = sentence(right, other) else { continue }
        return complain(sentence)
      }
    }
  }

  /// Looks at names with claims: with two of them one database could belong to two clients.
  private func checkNames(_ databases: [DatabasePattern]) {
    // One that is so by itself has been told of.
    let claimed = databases.filter { $0.hasClaim && !$0.isAmbiguous }
    for (index, one) in claimed.enumerated() {
      guard let other = claimed[(index + 1)...].first(where: { $0 != one && $0.mayMeet(one) }) else { continue }
      return complain(
        "'\(CellText.escaped(one.text))' and '\(CellText.escaped(other.text))' of the role '\(shown)' could be one "
          + "database of two clients. Let them begin with different letters, as in a-{CLAIM} and b-{CLAIM}.")
    }
  }

  private func complain(_ sentence: String) { table.complain(name, sentence) }

  /// Whether the role may read and write rows in all databases that a right is about.
  private static func mayDoRows(where right: RoleInheritance.Right, _ rights: [RoleInheritance.Right]) -> Bool {
    right.databases.allSatisfy { database in
      let there = rights.filter { $0.databases.contains { $0.covers(database) } }
      return there.reduce(Permissions()) { $0.union($1.permissions) }.isSuperset(of: .rows)
    }
  }

  /// What two rights say that cannot both be.
  private func sentence(_ right: RoleInheritance.Right, _ other: RoleInheritance.Right) -> String? {
    guard let words = right.grant.contradiction(to: other.grant) else { return nil }
    if let word = openWord(right, other) {
      return
        "The role '\(shown)' may use some tables only, and '\(word)' would go around that. Take it out of allow, or "
        + "remove its tables."
    }
    // The role's own lines are with those of a parent.
    let origins = [right, other].compactMap { $0.origin == name ? $0.parent : $0.origin }
    let parents = Set(origins).sorted().map { "'\(CellText.escaped($0))'" }.joined(separator: " and ")
    if let own = right.tables, let others = other.tables,
      let table = TableRules(own.mapValues(\.rule))
        .contradiction(to: TableRules(others.mapValues(\.rule)))
    {
      return "The role '\(shown)' inherits different rules for the table '\(CellText.escaped(table))' from \(parents). "
        + "Give it one of its own, [roles.\(shown).tables.NAME]."
    }
    return
      "The role '\(shown)' says or inherits (\(parents)) what contradicts itself in one database: \(words). An heir may "
      + "do all that its parents may, so inherit one of them only, or what they have in common."
  }

  private func openWord(_ right: RoleInheritance.Right, _ other: RoleInheritance.Right) -> String? {
    guard right.tables != nil || other.tables != nil else { return nil }
    return right.permissions.union(other.permissions).intersection(Grant.aroundRules).words.first
  }
}
