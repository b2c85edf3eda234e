import MartletAST

/// The content of `OVER (...)`.
///
/// Always true: a frame's start is not after its end, which the server checks.
public struct Window: Sendable {
  var base = ""
  var partition: [QueryFragment] = []
  var order: [OrderingTerm] = []
  var frame: Frame?

  /// A window over all rows; add to it.
  public init() {}

  /// A window that extends a named one.
  public init(extending name: String) { base = name }
}

struct Frame: Sendable {
  var unit: ASTFrame.Unit
  var start: FrameBound
  var end: FrameBound?
  var exclusion: ASTFrame.Exclusion
}

/// Rows that a frame leaves out.
public enum FrameExclusion: Sendable {
  /// `EXCLUDE NO OTHERS`: none.
  case noOthers
  /// `EXCLUDE CURRENT ROW`.
  case currentRow
  /// `EXCLUDE GROUP`: the current row and those that are equal to it in the order.
  case group
  /// `EXCLUDE TIES`: those that are equal to the current row, but not itself.
  case ties

  var tree: ASTFrame.Exclusion {
    switch self {
    case .noOthers: .noOthers
    case .currentRow: .currentRow
    case .group: .group
    case .ties: .ties
    }
  }
}

/// Where a frame begins or ends.
public struct FrameBound: Sendable {
  var kind: ASTFrameBound.Kind
  var offset: QueryFragment?

  /// `UNBOUNDED PRECEDING`: the partition's first row.
  public static var unboundedPreceding: FrameBound { FrameBound(kind: .unboundedPreceding) }
  /// `CURRENT ROW`; of `range` and `groups`, with the rows that are equal to it in the order.
  public static var currentRow: FrameBound { FrameBound(kind: .currentRow) }
  /// `UNBOUNDED FOLLOWING`: the partition's last row.
  public static var unboundedFollowing: FrameBound { FrameBound(kind: .unboundedFollowing) }
}

enum WindowReference: Sendable {
  case named(String)
  case window(Window)
}
