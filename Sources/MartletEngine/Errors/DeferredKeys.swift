/// The tables whose foreign keys may be violated when their transaction would commit.
///
/// SQLite only counts such keys, and may count them long after the statement that is to blame. So each statement is
/// looked at when it has ended: those that ended while some key did not hold are suspected.
///
/// Always true: no table is named that was written before all keys held for the last time; at most
/// `EngineLimits.foreignKeyTablesMax` are.
package struct DeferredKeys: Sendable {
  /// The tables in the order in which they were written.
  package private(set) var tables: [String] = []

  package init() {}

  /// A statement has ended. `isViolated`: some key of its transaction does not hold now.
  package mutating func statementEnded(isViolated: Bool, writing names: @autoclosure () -> [String]) {
    guard isViolated else {
      if !tables.isEmpty { tables = [] }
      return
    }
    for name in names() where !tables.contains(name) && tables.count < EngineLimits.foreignKeyTablesMax {
      tables.append(name)
    }
  }
}
