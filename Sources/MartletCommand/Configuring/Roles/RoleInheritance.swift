import MartletServer
import MartletValues

/// What roles may do with all that they inherit.
///
/// Always true: an heir may do what one of its parents may, and what it says itself. No right is made of parts of two
/// parents: what one of them may do stays in that one's databases and tables. What a role says itself goes
/// together with each of its parents by itself, for what the role does not say. Rights are never taken away by
/// inheriting.
struct RoleInheritance {
  /// A grant, and where it comes from.
  struct Right: Equatable {
    /// The role whose lines it comes from.
    var origin: String
    /// The parent whose right fills in what these lines do not say.
    var parent: String?
    var databases: [DatabasePattern] = []
    var permissions: Permissions = []
    /// Nil: all.
    var tables: [String: RoleDraft.Table]?
    /// Nil: any statement.
    var shapes: [String]?

    var grant: Grant {
      Grant(
        databases: databases, permissions: permissions, tables: tables.map { TableRules($0.mapValues(\.rule)) },
        shapeFiles: shapes)
    }
  }

  private let drafts: [String: RoleDraft]
  private var known: [String: [Right]] = [:]

  init(_ drafts: [String: RoleDraft]) { self.drafts = drafts }

  /// All that a role may do. A circle is told of elsewhere, and ends here.
  mutating func rights(of name: String) -> [Right] {
    if let found = known[name] { return found }
    guard let draft = drafts[name] else { return [] }
    known[name] = []
    var inherited: [Right] = []
    for parent in draft.inherits { inherited += rights(of: parent) }
    let found = Self.gathered(Self.rights(of: name, draft, inherited: Self.gathered(inherited)))
    known[name] = found
    return found
  }

  private static func rights(of name: String, _ draft: RoleDraft, inherited: [Right]) -> [Right] {
    guard draft.hasRights else { return inherited }
    let parents = inherited.isEmpty ? [Right(origin: name)] : inherited
    let own = parents.map { extended($0, by: draft, of: name) }
    // Its own rule for a table stands in the place of one that it inherits.
    let kept = inherited.map { right in
      var right = right
      for table in (draft.tables ?? [:]).keys { right.tables?[table] = nil }
      return right
    }
    return own + kept
  }

  /// What a role says itself, with what one of its parents may do for what it does not say.
  private static func extended(_ parent: Right, by draft: RoleDraft, of name: String) -> Right {
    var right = Right(origin: name, parent: parent.origin == name ? nil : parent.origin)
    right.databases = draft.databases ?? parent.databases
    right.permissions = draft.permissions ?? parent.permissions
    right.shapes = draft.shapes ?? parent.shapes
    let own = draft.tables?.mapValues { $0.cut(to: right.permissions) }
    // A role that only names more tables has nothing new to do with those that it inherits.
    let reachesTables = draft.tables == nil || draft.databases != nil || draft.permissions != nil
    let inherited = reachesTables ? parent.tables?.mapValues { draft.widened($0) } : nil
    right.tables = own.map { own in own.merging(inherited ?? [:]) { own, _ in own } } ?? inherited
    return right
  }

  /// Puts together the rights for the same databases and statements, as far as they do not contradict each other.
  private static func gathered(_ rights: [Right]) -> [Right] {
    var gathered: [Right] = []
    for right in rights {
      guard let index = gathered.firstIndex(where: { $0.isGathered(with: right) }) else {
        gathered.append(right)
        continue
      }
      gathered[index].add(right)
    }
    return gathered
  }
}

extension RoleDraft {
  /// A parent's rule for a table, with what the role says that it may do itself. What the rule itself says stays.
  fileprivate func widened(_ table: Table) -> Table {
    guard let permissions else { return table }
    var table = table
    table.rule.permissions = (table.named ?? .rows).intersection(permissions)
    return table
  }
}

extension RoleInheritance.Right {
  fileprivate func isGathered(with other: RoleInheritance.Right) -> Bool {
    Set(databases) == Set(other.databases) && shapes.map(Set.init) == other.shapes.map(Set.init)
      && (tables == nil) == (other.tables == nil) && grant.contradiction(to: other.grant) == nil
  }

  fileprivate mutating func add(_ other: RoleInheritance.Right) {
    permissions.formUnion(other.permissions)
    tables = tables.map { own in
      own.merging(other.tables ?? [:]) { own, others in
        if own.rule.permissions.isEmpty { return others }
        if others.rule.permissions.isEmpty { return own }
        let named = own.named.flatMap { named in others.named.map { named.union($0) } }
        return RoleDraft.Table(rule: own.rule.allowing(others.rule.permissions), named: named)
      }
    }
  }
}
