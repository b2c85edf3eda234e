import MartletAST
import MartletSQLite
package import MartletValues

/// The parts of rules for tables that do not fit the schema of one database.
package struct RuleTrial: Sendable, Hashable {
  /// The tables that the database lacks, in lower case.
  package private(set) var missing: Set<String> = []
  /// A sentence each, without the full stop.
  package private(set) var faults: [String] = []

  /// Nil if the database has no tables yet.
  init?(_ rules: TableRules, on connection: Connection) throws(SQLiteError) {
    let hasTables = try connection.prepare(MaintenanceSQL.hasTables, for: .engine)
    guard try hasTables.step(), hasTables.value(at: 0).integer != 0 else { return nil }
    for (table, rule) in rules.tables.sorted(by: { $0.key < $1.key }) {
      let columns = Set(try connection.columnNames(of: table))
      guard !columns.isEmpty else {
        missing.insert(table)
        continue
      }
      try look(at: rule, table, columns, connection)
    }
  }

  private mutating func look(
    at rule: TableRule, _ table: String, _ columns: Set<String>, _ connection: Connection
  ) throws(SQLiteError) {
    for column in (rule.readColumns ?? []) + (rule.writeColumns ?? []) where !columns.contains(column.lowercasedASCII) {
      faults.append("the table '\(table)' has no column '\(column)'")
    }
    // A row is found again by its rowid, so no column may have the name of the rowid.
    if rule.limitsChanges, let name = RuledFunctions.rowNumbers.sorted().first(where: columns.contains) {
      faults.append("the table '\(table)' has a column '\(name)', so its rows cannot have conditions")
    }
    guard let trial = rule.trial(of: table) else { return }
    do throws(SQLiteError) {
      let read = try connection.reads(of: trial)
      // SQLite takes a quoted text for a name there, and a client's common table could have that name.
      let named = rule.conditions.reduce(into: [table.lowercasedASCII]) { $0 += $1.words }
      if let other = read.tables.subtracting(named).sorted().first {
        faults.append(
          "a condition on the table '\(table)' reads '\(other)' without naming it as a name. Leave the quotes out, or "
            + "write double ones")
      }
    } catch {
      guard [SQLiteCode.error, SQLiteCode.authorization].contains(error.code) else { throw error }
      faults.append("a condition on the table '\(table)' does not fit it: \(error.message)")
    }
  }
}

extension Engine {
  /// Compares rules for tables with the schema that an existing database has now; nil if it has no tables yet. Opens it
  /// if need be; blocks.
  package func trial(of rules: TableRules, in name: String) throws(RequestError) -> RuleTrial? {
    let file = try leasedFile(named: name, create: false, subject: .program)
    defer { file.leases.giveBack() }
    let (files, clock) = (file.parts.files, configuration.clock)
    do throws(SQLiteError) {
      let connection = try Connection(
        reading: files.path, files: files, label: "rules", setup: ConnectionSetup(limits: configuration.limits),
        clock: { clock().nanoseconds })
      return try RuleTrial(rules, on: connection)
    } catch {
      throw files.explainedReading(error)
    }
  }
}
