/// The bounds of statements as they are built.
package enum QueryLimits {
  /// Rows of plain values that are written one by one; more travel as one parameter, so that they are one shape.
  package static let valuesRowsMax = 8

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
