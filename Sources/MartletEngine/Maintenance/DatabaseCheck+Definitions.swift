import MartletAST
import MartletSQLite
import MartletValues

/// Looks whether views and triggers can run at all: SQLite takes them without a look at what they name.
///
/// Always true: each is compiled, and none is run, in a snapshot of its own and within the time that a client's
/// statement may take to be compiled.
extension DatabaseCheck {
  func checkDefinitions() throws(RequestError) {
    let rows = try slice { () throws(RequestError) in try connection.rows(MaintenanceSQL.definitions, columns: 4) }
    let most = EngineLimits.checkedDefinitionsMax
    let definitions = rows.prefix(most).map {
      DefinitionTrial.Definition(isView: $0[0] == "view", name: $0[1], table: $0[2], sql: $0[3])
    }
    var faulty: Set<String> = []
    var faultCount = 0
    for trial in DefinitionTrial.all(of: definitions) {
      // What is for a view that does not compile cannot be looked at.
      if trial.event != nil, faulty.contains(trial.table.lowercasedASCII) { continue }
      guard faultCount < EngineLimits.faultyDefinitionsMax else {
        report("definitions", "", problems: [[Self.leftOut]])
        break
      }
      let found = try findings { found throws(RequestError) in
        found = try connection.fault(of: trial).map { [[$0]] } ?? [["ok"]]
      }
      if found != [["ok"]] { faultCount += 1 }
      if trial.event == nil, found != [["ok"]] { faulty.insert(trial.table.lowercasedASCII) }
      report(trial.event == nil ? "view" : "trigger", trial.names.joined(separator: ", "), problems: found)
    }
    if rows.count > most { note("definitions", "of the views and triggers the first \(most) were looked at") }
  }

  private static let leftOut =
    "\(EngineLimits.faultyDefinitionsMax) do not compile, and the views and triggers behind them were not looked at"
}

extension CheckConnection {
  /// Compiles the statement of a trial as a client's; nil if SQLite takes it, or nobody may send such a statement.
  fileprivate func fault(of trial: DefinitionTrial) throws(RequestError) -> String? {
    do throws(SQLiteError) {
      return try stoppable { connection throws(SQLiteError) in
        // Clients change nothing on the inside of a virtual table.
        if trial.event != nil, try connection.isShadow(trial.table) { return nil }
        let columns = trial.needsColumns ? try connection.settableColumns(of: trial.table) : []
        if let sql = trial.sql(columns) { _ = try connection.prepare(sql) }
        return nil
      }
    } catch {
      let error = RequestError(error, isCompiling: true)
      guard DefinitionTrial.reasons.contains(error.reason) else { throw error }
      return trial.fault(error.message)
    }
  }
}
