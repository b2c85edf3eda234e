public import Foundation

/// What `Database.trace` tells of each statement.
public struct TracingOptions: OptionSet, Sendable {
  /// Bits, one for each option.
  public let rawValue: Int

  /// Options by their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// That it starts.
  public static let statement = TracingOptions(rawValue: 1)
  /// That it has ended, and how long it took: until its last row, or until the program took no more of them.
  public static let profile = TracingOptions(rawValue: 2)
}

/// A statement that a connection begins, or has carried out.
///
/// Always true: `description` shows none of the statement's bound values; `expandedDescription` shows them all.
public enum TraceEvent: CustomStringConvertible, Sendable {
  /// The statement's SQL, with and without its values.
  public struct Statement: CustomStringConvertible, Sendable {
    /// The SQL with a mark for each bound value.
    public let sql: String
    /// The SQL with the bound values in their places. At a server it is `sql`, because the values do not go into it.
    public let expandedSQL: String

    init(sql: String, expandedSQL: String? = nil) {
      self.sql = sql
      self.expandedSQL = expandedSQL ?? sql
    }

    /// `sql`.
    public var description: String { sql }
  }

  /// The statement starts.
  case statement(Statement)
  /// The statement has ended, after `duration` seconds, which are exact to about a millisecond.
  case profile(statement: Statement, duration: TimeInterval)

  /// The SQL without its values: `0.002s SELECT …` at the end of the statement.
  public var description: String { described(\.sql) }

  /// The same with the values.
  public var expandedDescription: String { described(\.expandedSQL) }

  private func described(_ text: KeyPath<Statement, String>) -> String {
    switch self {
    case .statement(let statement): statement[keyPath: text]
    case .profile(let statement, let duration):
      String(format: "%.3fs ", duration) + statement[keyPath: text]
    }
  }
}
