/// A statement as others than its client may see it, and SQLite's plan if that was asked for.
///
/// Always true: no value of the tree is in it, and if text of a client is, `holdsText` says so.
package struct ExplainedStatement: Sendable, Equatable {
  /// With its parameters' numbers, and with `?` for each value that stands in the tree; conditions of rules for tables
  /// stand in it as they are.
  package var sql: String
  /// Some of the SQL is text that a client wrote, so it may hold values.
  package var holdsText: Bool
  /// A line for each step, the steps inside of others indented by two spaces each; empty if there is none to be had.
  package var plan: [String]

  package init(sql: String, holdsText: Bool, plan: [String]) {
    (self.sql, self.holdsText, self.plan) = (sql, holdsText, plan)
  }
}
