/// How long one step of a statement may take.
///
/// Always true: SQLite can end a statement between two steps only, so what is slow is looked at more often, and what no
/// look can help stays off the event loops.
package enum StatementPace: Int, Sendable, Comparable {
  /// A step takes no more than a few copies of its longest value.
  case ordinary
  /// A step takes some milliseconds if values are long.
  case slow
  /// A step takes seconds, if a statement is made to be slow.
  case long

  package static func < (left: StatementPace, right: StatementPace) -> Bool { left.rawValue < right.rawValue }
}
