import Foundation
import MartletSQLite
package import MartletValues

/// SQLite's plan for a statement that is known: nothing is carried out, and nobody waits for it.
extension Database {
  /// Opens a connection of its own and blocks, so not for a loop. Nil if no plan of that shape, under these rules
  /// for tables, is cached any more.
  package func explain(_ shape: ShapeID, under rules: TableRules? = nil) -> ExplainedStatement? {
    guard let known = file.parts.plans.known(shape, rules) else { return nil }
    var explained = ExplainedStatement(
      sql: known.shownSQL(file.configuration.limits), holdsText: known.holdsRaw, plan: [])
    // Objects of a setup are not there, and a statement that is no query has no plan.
    explained.plan = (try? planLines(of: known.sql)) ?? []
    return explained
  }

  private func planLines(of sql: String) throws(SQLiteError) -> [String] {
    guard !isLeaving else { return [] }
    let clock = file.configuration.clock
    let connection = try Connection(
      reading: file.parts.path, files: file.parts.files, label: "explain",
      setup: ConnectionSetup(limits: file.configuration.limits), clock: { clock().nanoseconds })
    let statement = try connection.prepare(MaintenanceSQL.explain + sql, for: .engine)
    var depths: [Int64: Int] = [0: 0]
    var lines: [String] = []
    connection.limiter.arm(deadlineNanoseconds: clock().nanoseconds &+ EngineLimits.planLinesNs, cancellation: nil)
    defer { connection.limiter.disarm() }
    while lines.count < EngineLimits.planLinesMax, try statement.step() {
      let depth = depths[statement.value(at: 1).integer] ?? 0
      depths[statement.value(at: 0).integer] = depth + 1
      lines.append(
        String(repeating: "  ", count: depth) + String(decoding: statement.value(at: 3).textBytes, as: UTF8.self))
    }
    return lines
  }
}
