/// Where a text comes from that a statement hands to a full-text table, as its program shows.
package enum PatternSource: Hashable, Sendable {
  case constant(String)
  /// The value that is bound to the parameter of this number.
  case parameter(Int)
  /// Put together from these, each of them as long as it is, or shorter.
  case joined(constants: [String], parameters: [Int])
  /// What `martlet_pattern` has looked at, and nothing was done to it since.
  case checked
  /// From a table, or from a function that may make more of what it gets.
  case unknown

  /// A text that is put together from both.
  static func joined(_ first: Set<PatternSource>, _ second: Set<PatternSource>) -> PatternSource {
    var (constants, parameters): ([String], [Int]) = ([], [])
    for source in Array(first) + Array(second) {
      switch source {
      case .constant(let text): constants.append(text)
      case .parameter(let number): parameters.append(number)
      case .joined(let more, let others):
        constants += more
        parameters += others
      // A part that is harmless by itself may be one of a NEAR.
      case .checked, .unknown: return .unknown
      }
    }
    guard constants.count + parameters.count <= SQLiteLimits.patternPartsMax else { return .unknown }
    return .joined(constants: constants, parameters: parameters)
  }
}

/// A text that a statement hands to a full-text table.
package struct Pattern: Hashable, Sendable {
  package let source: PatternSource
  /// The table is one of FTS3 or FTS4.
  let isForOldTable: Bool

  /// Nobody knows what the statement does.
  static let unfollowed = Pattern(source: .unknown, isForOldTable: false)
}
