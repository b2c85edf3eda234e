import MartletAST

/// What stands in the parentheses of `OVER (...)`.
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

  /// `PARTITION BY expression, ...`: the function starts anew in each partition.
  public static func partition<each E: QueryExpression>(by expression: repeat each E) -> Window {
    Window().partition(by: repeat each expression)
  }

  /// `ORDER BY term, ...` within each partition; `asc()` and `desc()` say the direction.
  public static func order<each E: QueryExpression>(by term: repeat each E) -> Window {
    Window().order(by: repeat each term)
  }

  /// Adds to `PARTITION BY`.
  public func partition<each E: QueryExpression>(by expression: repeat each E) -> Window {
    var result = self
    for column in repeat each expression { result.partition += column.columnFragments }
    return result
  }

  /// Adds to `ORDER BY`.
  public func order<each E: QueryExpression>(by term: repeat each E) -> Window {
    var result = self
    for column in repeat each term { result.order += OrderingTerm.terms(of: column) }
    return result
  }

  /// `ROWS BETWEEN start AND end`.
  public func rows(_ start: FrameBound, _ end: FrameBound? = nil, exclude: FrameExclusion? = nil) -> Window {
    framed(.rows, start, end, exclude)
  }

  /// `RANGE BETWEEN start AND end`: bounds in units of the one term that the window is ordered by.
  public func range(_ start: FrameBound, _ end: FrameBound? = nil, exclude: FrameExclusion? = nil) -> Window {
    framed(.range, start, end, exclude)
  }

  /// `GROUPS BETWEEN start AND end`: bounds in groups of rows that are equal in the order.
  public func groups(_ start: FrameBound, _ end: FrameBound? = nil, exclude: FrameExclusion? = nil) -> Window {
    framed(.groups, start, end, exclude)
  }

  private func framed(
    _ unit: ASTFrame.Unit, _ start: FrameBound, _ end: FrameBound?, _ exclusion: FrameExclusion?
  ) -> Window {
    var result = self
    result.frame = Frame(unit: unit, start: start, end: end, exclusion: exclusion?.tree ?? .unspecified)
    return result
  }
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

  /// That many rows or groups before, or that much less in a `range`.
  public static func preceding(_ count: some QueryExpression) -> FrameBound {
    FrameBound(kind: .preceding, offset: count.queryFragment)
  }
  /// That many rows or groups behind, or that much more in a `range`.
  public static func following(_ count: some QueryExpression) -> FrameBound {
    FrameBound(kind: .following, offset: count.queryFragment)
  }
}

enum WindowReference: Sendable {
  case named(String)
  case window(Window)
}

extension SQLQueryExpression {
  /// The function over a window: `$0.price.sum().over(.partition(by: $0.category))`.
  public func over(_ window: Window = Window()) -> SQLQueryExpression { over(.window(window)) }

  /// The function over a window of the query's `window(_:as:)`.
  public func over(_ name: String) -> SQLQueryExpression { over(.named(name)) }

  private func over(_ reference: WindowReference) -> SQLQueryExpression {
    guard case .function(var call) = queryFragment.node else { return self }
    call.over = reference
    return SQLQueryExpression(QueryFragment(.function(call)))
  }
}

// MARK: - Window functions

/// `row_number()`: the row's place in its partition, counted from 1.
public func rowNumber() -> SQLQueryExpression<Int> { .function("row_number") }
/// `rank()`: the place of the first row that is equal in the order; it leaves gaps.
public func rank() -> SQLQueryExpression<Int> { .function("rank") }
/// `dense_rank()`: the place among different rows, without gaps.
public func denseRank() -> SQLQueryExpression<Int> { .function("dense_rank") }
/// `percent_rank()`: from 0 for the first row to 1 for the last.
public func percentRank() -> SQLQueryExpression<Double> { .function("percent_rank") }
/// `cume_dist()`: the share of rows that do not come later, above 0 and up to 1.
public func cumeDist() -> SQLQueryExpression<Double> { .function("cume_dist") }
/// `ntile(groups)`: the number, from 1, of the group that the row falls into when the partition is cut into `groups`
/// equal parts.
public func ntile(_ groups: Int) -> SQLQueryExpression<Int> { .function("ntile", groups.queryFragment) }

extension QueryExpression where QueryValue: QueryRepresentable {
  /// The value `offset` rows before.
  public func lag(_ offset: Int = 1) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("lag", queryFragment, offset.queryFragment)
  }

  /// The value `offset` rows before, or `value` where there is none.
  public func lag(_ offset: Int = 1, default value: QueryValue.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .function("lag", queryFragment, offset.queryFragment, QueryValue.fragment(of: value))
  }

  /// The value `offset` rows after.
  public func lead(_ offset: Int = 1) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("lead", queryFragment, offset.queryFragment)
  }

  /// The value `offset` rows after, or `value` where there is none.
  public func lead(_ offset: Int = 1, default value: QueryValue.QueryOutput) -> SQLQueryExpression<QueryValue> {
    .function("lead", queryFragment, offset.queryFragment, QueryValue.fragment(of: value))
  }

  /// The value of the frame's first row; nil where the frame is empty.
  public func firstValue() -> SQLQueryExpression<QueryValue.QueryOptional> { .function("first_value", queryFragment) }
  /// The value of the frame's last row, which is the current one where the window says no frame; nil where it is empty.
  public func lastValue() -> SQLQueryExpression<QueryValue.QueryOptional> { .function("last_value", queryFragment) }

  /// The value of the frame's n-th row, counted from 1.
  public func nthValue(_ row: Int) -> SQLQueryExpression<QueryValue.QueryOptional> {
    .function("nth_value", queryFragment, row.queryFragment)
  }
}
