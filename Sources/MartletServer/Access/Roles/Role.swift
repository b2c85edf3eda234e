public import MartletValues

/// What somebody may do: some things in some databases, and others elsewhere.
///
/// Always true: what it does not name is refused. What it may do in one database says nothing of another.
public struct Role: Sendable, Hashable {
  public var name: String
  /// Each grant stands for itself. Without one the role may open no database.
  public var grants: [Grant]
  /// How much of the server its clients may use.
  public var quotas: RoleQuotas

  public init(name: String, grants: [Grant], quotas: RoleQuotas = RoleQuotas()) {
    self.name = name
    self.grants = grants
    self.quotas = quotas
  }

  /// A role that may do the same in all of its databases.
  public init(
    name: String, databases: [DatabasePattern] = [.all], permissions: Permissions, tables: TableRules? = nil,
    quotas: RoleQuotas = RoleQuotas()
  ) {
    self.init(
      name: name, grants: [Grant(databases: databases, permissions: permissions, tables: tables)], quotas: quotas)
  }

  /// Whether a client with these claims may open a database of that name.
  public func mayOpen(_ database: String, claims: [String: String] = [:]) -> Bool {
    grants.contains { $0.holds(in: database, claims) }
  }

  /// What a client with these claims may do in a database of that name; nil: nothing.
  public func grant(in database: String, claims: [String: String] = [:]) -> Grant? {
    Grant.united(grants.filter { $0.holds(in: database, claims) })
  }

  /// Everything that the role may do in some database.
  var permissions: Permissions { grants.reduce([]) { $0.union($1.permissions) } }

  /// A sentence about two of its grants that contradict each other; nil if none do.
  var contradiction: String? {
    for (index, grant) in grants.enumerated() {
      for other in grants[index...] {
        guard let words = grant.contradiction(to: other) else { continue }
        return "The role '\(name)' has grants that contradict each other: \(words)."
      }
    }
    return nil
  }
}
