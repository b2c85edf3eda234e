public import MartletValues

/// What a role may do in some databases.
///
/// Always true: what it does not name is refused.
public struct Grant: Sendable, Hashable {
  /// The databases that the grant is about; none: it is about none.
  public var databases: [DatabasePattern]
  public var permissions: Permissions
  /// Which tables, columns and rows may be used; nil: all.
  public var tables: TableRules?
  /// Files of the shapes that may be run, as `martlet shapes register` makes them; nil: any statement may.
  public var shapeFiles: [String]?

  public init(
    databases: [DatabasePattern], permissions: Permissions, tables: TableRules? = nil, shapeFiles: [String]? = nil
  ) {
    self.databases = databases
    self.permissions = permissions
    self.tables = tables
    self.shapeFiles = shapeFiles
  }

  func holds(in database: String, _ claims: [String: String]) -> Bool {
    databases.contains { $0.matches(database, claims: claims) }
  }

  func mayHold(in database: String) -> Bool { databases.contains { $0.mayMatch(database) } }

  /// Whether there may be a database that both are about.
  public func mayMeet(_ other: Grant) -> Bool {
    databases.contains { own in other.databases.contains { own.mayMeet($0) } }
  }

  // MARK: - Several in one database

  /// Permissions that get around rules for tables: text and triggers read any table, and the busiest shapes show what
  /// others run.
  public static let aroundRules: Permissions = [.raw, .schema, .pragmas, .inspect, .maintain, .drop]

  /// Without these a grant is not about statements, and which tables and shapes it names does not matter.
  private static let statements: Permissions = [.rows, .raw, .schema, .pragmas]

  private var isAboutStatements: Bool { tables != nil || !permissions.isDisjoint(with: Self.statements) }

  private func isEqual(to other: Grant) -> Bool { permissions == other.permissions && tables == other.tables }

  /// What two grants say of one database that cannot both be, in some words; nil if they can be united.
  public func contradiction(to other: Grant) -> String? {
    guard mayMeet(other) else { return nil }
    if let word = permissions.union(other.permissions).intersection(Self.aroundRules).words.first,
      tables != nil || other.tables != nil
    {
      return "some tables only, and '\(word)', which would go around that"
    }
    guard isAboutStatements, other.isAboutStatements else { return nil }
    switch (tables, other.tables) {
    case (nil, nil): break
    case (let own?, let others?):
      if let table = own.contradiction(to: others) { return "different rules for the table '\(table)'" }
    default: return "all tables, and some tables only"
    }
    guard !isEqual(to: other), shapeFiles.map(Set.init) != other.shapeFiles.map(Set.init) else { return nil }
    return "different statements, with different permissions or tables"
  }

  /// What several grants come to in a database that all of them are about; nil if there are none. Of those that
  /// contradict each other nothing is put together: if only one of them allows something, nobody may do it.
  static func united(_ grants: [Grant]) -> Grant? {
    guard let first = grants.first else { return nil }
    guard grants.count > 1 else { return first }
    var united = Grant(databases: first.databases, permissions: [])
    for grant in grants { united.permissions.formUnion(grant.permissions) }
    let asked = grants.filter(\.isAboutStatements)
    let rules = asked.compactMap(\.tables)
    if let some = rules.first {
      united.tables = rules.dropFirst().reduce(some) { $0.united(with: $1) }
      united.permissions.subtract(aroundRules)
    }
    // Text reads and writes rows.
    if !united.permissions.isSuperset(of: .rows) { united.permissions.subtract(.raw) }
    united.shapeFiles = shapes(of: asked)
    return united
  }

  private static func shapes(of grants: [Grant]) -> [String]? {
    let named = grants.compactMap(\.shapeFiles)
    guard let first = grants.first, let some = named.first else { return nil }
    if named.count == grants.count, named.allSatisfy({ Set($0) == Set(some) }) { return some }
    guard grants.allSatisfy(first.isEqual) else { return [] }
    return named.count == grants.count ? Array(Set(named.joined())).sorted() : nil
  }
}
