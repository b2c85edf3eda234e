import MartletValues

/// Looks at what tables hold: with their indexes and constraints, and where their foreign keys point.
///
/// Always true: what cannot be looked at is told as a fault of that table, and the rest is looked at all the same.
extension DatabaseCheck {
  func checkWhole() throws(RequestError) {
    noteUnseenChecks()
    let all = try tables()
    if try !checkContent(of: nil) {
      // What one definition kept from being looked at may be looked at in the other tables.
      for table in all { try checkContent(of: table) }
    }
    for table in all { try checkForeignKeys(of: table) }
  }

  func checkTables() throws(RequestError) {
    noteUnseenChecks()
    for table in try tables() {
      try checkContent(of: table)
      try checkForeignKeys(of: table)
    }
  }

  private func noteUnseenChecks() {
    if !connection.seesChecks {
      note("checks", "CHECK constraints were not looked at, because the file may only be read")
    }
  }

  private func tables() throws(RequestError) -> [String] {
    let rows = try slice { () throws(RequestError) in try connection.rows(MaintenanceSQL.tables, columns: 1) }
    return ["sqlite_schema"] + rows.map { $0[0] }
  }

  /// Looks at one table, or with nil at the whole file. If a CHECK constraint cannot be computed, it looks again
  /// without them. Returns false if something was left out.
  @discardableResult
  private func checkContent(of table: String?) throws(RequestError) -> Bool {
    let found: [[String]]
    do throws(RequestError) {
      found = try contentFaults(of: table)
    } catch {
      guard isOfDefinition(error) else { throw error }
      try checkContentWithoutChecks(of: table, because: error)
      return false
    }
    report("integrity", table ?? "", problems: found)
    return true
  }

  private func checkContentWithoutChecks(of table: String?, because error: RequestError) throws(RequestError) {
    try connection.lookAtChecks(false)
    let found: [[String]]
    do throws(RequestError) {
      found = try contentFaults(of: table)
    } catch {
      guard isOfDefinition(error) else { throw error }
      try connection.lookAtChecks(true)
      return report("integrity", table ?? "", problems: [["it could not be looked at: \(error.message)"]])
    }
    try connection.lookAtChecks(true)
    let checks = "CHECK constraints could not be looked at: \(error.message)"
    report("integrity", table ?? "", problems: (found == [["ok"]] ? [] : found) + [[checks]])
  }

  private func contentFaults(of table: String?) throws(RequestError) -> [[String]] {
    let sql = table == nil ? MaintenanceSQL.checkWhole : MaintenanceSQL.checkTable
    let found = try findings { found throws(RequestError) in
      try connection.addRows(sql, table, columns: 1, to: &found)
    }
    let most = EngineLimits.tableFaultsMax
    let counted = Self.counted(found.map { $0[0] }).map { [$0] }
    // SQLite stops without a word.
    return found.count < most ? counted : counted + [["there may be more; SQLite tells the first \(most)"]]
  }

  /// Each line once, with how often it came: SQLite says the same of each row that breaks a constraint.
  static func counted(_ lines: [String]) -> [String] {
    let counts = lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var told: Set<String> = []
    return lines.filter { told.insert($0).inserted }.map { counts[$0] == 1 ? $0 : "\($0) (\(counts[$0] ?? 0) times)" }
  }

  /// Whether an expression of the schema is at fault, and not the file, the system or whoever ended the look.
  private func isOfDefinition(_ error: RequestError) -> Bool {
    !connection.wasStopped && ([.invalidArgument, .outOfRange].contains(error.code) || error.reason == .limit)
  }

  private func checkForeignKeys(of table: String) throws(RequestError) {
    guard table != "sqlite_schema" else { return }
    let found = try findings { found throws(RequestError) in
      try connection.addRows(MaintenanceSQL.checkForeignKeys, table, columns: 2, to: &found)
    }.map { $0.count == 2 ? ["row \($0[0]) refers to a row of \($0[1]) that is not there"] : $0 }
    let most = EngineLimits.tableFaultsMax
    let rest = found.count > most ? [["there are more such rows; the first \(most) are shown"]] : []
    if !found.isEmpty { report("foreign_keys", table, problems: Array(found.prefix(most)) + rest) }
  }
}
