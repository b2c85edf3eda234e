/// What a statement asks full-text tables for.
package struct FullTextUse: Sendable {
  /// The texts that it hands to them.
  package let patterns: Set<Pattern>
  /// Operators of the statements by which they read their texts from other tables or views.
  let contentOperators: Int
}
