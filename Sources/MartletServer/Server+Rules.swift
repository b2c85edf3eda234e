internal import Logging
internal import MartletEngine
internal import MartletValues

/// Compares roles' rules for tables with the databases that there are.
///
/// Always true: a reload whose rules do not fit changes nothing. A server that starts says what does not fit and goes
/// on, because only a server that runs can be asked to change the schema; what does not fit is refused to clients.
extension Server {
  /// A sentence for each rule that does not fit a database that its role may open, and for each table that none of them
  /// has. Looks at `AccessLimits.databasesTriedMax` databases of each role. Blocks.
  func unfitRules(of access: AccessPolicy) -> [String] {
    access.roles.sorted { $0.key < $1.key }.flatMap { unfitRules(of: $0.value) }
  }

  private func unfitRules(of role: Role) -> [String] { role.grants.flatMap { unfitRules(of: $0, of: role.name) } }

  private func unfitRules(of grant: Grant, of role: String) -> [String] {
    guard let rules = grant.tables else { return [] }
    let limit = AccessLimits.databasesTriedMax
    guard let list = try? context.engine.databases(after: "", limit: limit, where: grant.mayHold) else { return [] }
    var missing: Set<String>?
    var faults: [String] = []
    for entry in list.entries {
      // The rules are not to blame for a database that cannot be opened now.
      guard let trial = try? context.engine.trial(of: rules, in: entry.name) else { continue }
      faults += trial.faults.map { "The role '\(role)': in the database '\(entry.name)' \($0)." }
      missing = (missing ?? trial.missing).intersection(trial.missing)
    }
    guard !list.hasMore else { return faults }
    return faults
      + (missing ?? []).sorted().map {
        "The role '\(role)': none of its databases has a table '\($0)'."
      }
  }

  func noteUnfitRules() {
    for sentence in unfitRules(of: configuration.access) { context.logger.error("\(sentence)") }
  }
}
