/// The bounds of statements as they are built.
package enum QueryLimits {
  /// Rows of plain values that are written one by one; more travel as one parameter, so that they are one shape.
  package static let valuesRowsMax = 8

  /// Levels of an expression. No server can be set to take more than 1,000, nor can SQLite; a stack of half a megabyte
  /// has room for these.
  static let depthMax: Int32 = 1_200

  /// How many levels of an expression a statement within a statement counts for: it needs as much of the stack.
  static let levelsOfStatement: Int32 = 2

  /// Arguments of a call that the library itself makes longer. SQLite takes 127 by itself.
  static let argumentsMax = 100

  /// Exponents of decimals as texts. Those of `Decimal` are smaller.
  static let decimalExponentMax = 1_000

  /// A duration in seconds is shorter, in both directions; whole seconds beyond do not fit into 64 bits.
  static let durationSecondsEnd = 9e18

  /// Levels of a text for MATCH. The stack of FTS5's parser has a hundred entries, and a level needs nine at most.
  static let matchDepthMax = 10

  /// Later versions of FTS5 accept 256 levels; each NOT counts as one.
  static let matchNegationsMax = 200

  /// Naps after which a default scope that is still being read is taken for one that waits for itself. Reading one
  /// takes microseconds.
  static let scopeNaps = 100

  /// The length of such a nap.
  static let scopeNapSeconds = 0.1

  /// Places for tables whose default scopes were read, a power of two. More tables are looked for behind a lock.
  static let readScopePlaces = 1024
}
