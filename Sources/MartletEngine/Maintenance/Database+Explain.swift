import Foundation
import MartletSQLite
package import MartletValues

/// A statement as the server runs it, and SQLite's plan for it.
///
/// Always true: nothing is carried out, nobody waits for it, and no value is looked at, because a plan has none.
package struct ExplainedStatement: Sendable, Equatable {
  /// With its parameters' numbers, and with `?` for each value that stands in the tree; conditions of rules for tables
  /// stand in it as they are.
  package var sql: String
  /// Some of it is text that a client wrote, so it may hold values.
  package var holdsText: Bool
  /// A line for each step, the steps inside of others indented by two spaces each; empty where there is none to be had.
  package var plan: [String]

  package init(sql: String, holdsText: Bool, plan: [String]) {
    (self.sql, self.holdsText, self.plan) = (sql, holdsText, plan)
  }
}

extension Database {
  /// Opens a connection of its own and blocks, so not for a loop. Nil where no plan of that shape, under these rules
  /// for tables, is cached any more.
  package func explain(_ shape: ShapeID, under rules: TableRules? = nil) -> ExplainedStatement? {
    guard let known = file.parts.plans.known(shape, rules) else { return nil }
    var explained = ExplainedStatement(
      sql: known.shownSQL(file.configuration.limits), holdsText: known.holdsRaw, plan: [])
    // What a setup declares is not there, and what is no query has no plan.
    explained.plan = (try? planLines(of: known.sql)) ?? []
    return explained
  }

  private func planLines(of sql: String) throws(SQLiteError) -> [String] {
    guard !isLeaving else { return [] }
    let clock = file.configuration.clock
    let connection = try Connection(
      reading: file.parts.path, files: file.parts.files, label: "explain",
      setup: ConnectionSetup(limits: file.configuration.limits), clock: { clock().nanoseconds })
    let statement = try connection.prepare(EngineStatements.explain + sql, for: .engine)
    var depths: [Int64: Int] = [0: 0]
    var lines: [String] = []
    connection.limiter.arm(deadlineNanoseconds: clock().nanoseconds &+ 1_000_000_000, cancellation: nil)
    defer { connection.limiter.disarm() }
    while lines.count < Self.planLinesMax, try statement.step() {
      let depth = depths[statement.value(at: 1).integer] ?? 0
      depths[statement.value(at: 0).integer] = depth + 1
      lines.append(
        String(repeating: "  ", count: depth) + String(decoding: statement.value(at: 3).textBytes, as: UTF8.self))
    }
    return lines
  }

  private static let planLinesMax = 50
}
