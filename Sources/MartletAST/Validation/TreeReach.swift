/// What a tree under rules for tables names: all that SQLite may touch for it, but for what the schema does by itself.
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
  /// It asks MATCH of something.
  public var searches = false
  /// Full-text tables of which a function of their index is asked.
  public var askedIndexes: Set<String> = []

  public init() {}
}

/// What values have to be, which else would fail where they are asked, and only there.
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
