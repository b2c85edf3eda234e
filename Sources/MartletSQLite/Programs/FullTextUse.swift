/// What a statement asks full-text tables for.
package struct FullTextUse: Sendable {
  /// The texts that it hands to them.
  package let patterns: Set<Pattern>
  /// Operators of the statements by which they read their texts from other tables or views.
  let contentOperators: Int
  /// What cutting a text into words costs where it costs most, in parts of an operator.
  let wordParts: Int

  /// A small statement that asks it takes no longer than others.
  var isCheap: Bool { contentOperators == 0 && wordParts <= SQLiteLimits.wordParts }
}
