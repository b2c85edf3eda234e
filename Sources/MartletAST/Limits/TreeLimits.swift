internal import MartletValues

/// The bounds of trees and of rendering that nobody sets.
enum TreeLimits {
  /// Operands of a group: a longer chain is written in groups, each in parentheses, so that the depth stays small.
  static let chainOperandsMax = 100

  /// Nodes of a tree that are counted with the messages of each: more than fit into any message, and few enough that
  /// the product does not overflow.
  static let countedNodesMax = 1 << 32

  /// The most messages that lie between two nodes that count as nesting: Call, Over, Window, Frame, FrameBound and the
  /// expression below it.
  private static let messagesPerLevel = 6

  /// How deep messages may lie within one another in any tree that a server can be set to take.
  static let messageDepthMax = (nestingMax + 1) * messagesPerLevel

  /// The most levels of nesting that a server can be set to take.
  private static let nestingMax = 1_000

  /// How deep messages may lie within one another.
  static func messageDepth(_ limits: Limits) -> Int {
    (min(max(1, limits.nestingMax), nestingMax) + 1) * messagesPerLevel
  }
}
