/// What a tree under rules for tables names: all that SQLite may touch for it, except what the schema adds by itself.
///
/// Always true: names are in lower case; what is written to is among the tables.
public struct TreeReach: Sendable, Equatable {
  /// Tables of the database, each with a rule.
  public var tables: Set<String> = []
  /// Common tables of the tree.
  public var commonTables: Set<String> = []
  /// Functions that are read as tables.
  public var functions: Set<String> = []
  /// Of the tables, those that it writes to.
  public var targets: Set<String> = []
  /// It uses MATCH.
  public var searches = false
  /// Full-text tables that are the argument of a function of their index.
  public var askedIndexes: Set<String> = []

  public init() {}
}

/// What bound values must be. Another value would fail only if SQLite evaluates it, and so tell whether it did.
///
/// Always true: of parameters that stand for one value, counted from 1.
public struct ValueDemands: Sendable, Equatable {
  /// Whole numbers: behind LIMIT and OFFSET.
  public var wholeNumbers: Set<Int> = []
  /// Patterns of LIKE and GLOB, of which SQLite takes no long ones.
  public var patterns: Set<Int> = []

  public init() {}

  public var isEmpty: Bool { wholeNumbers.isEmpty && patterns.isEmpty }
}
