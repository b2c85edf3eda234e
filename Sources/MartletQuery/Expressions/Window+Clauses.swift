import MartletAST

/// What a window is partitioned and ordered by, and its frame; a function over it.
///
/// Always true: clauses of one kind add up; of frames the last one counts.
extension Window {
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
    for column in repeat each expression { result.partition += column.undirectedColumns }
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

extension FrameBound {
  /// That many rows or groups before, or that much less in a `range`.
  public static func preceding(_ count: some QueryExpression) -> FrameBound {
    FrameBound(kind: .preceding, offset: count.queryFragment)
  }
  /// That many rows or groups behind, or that much more in a `range`.
  public static func following(_ count: some QueryExpression) -> FrameBound {
    FrameBound(kind: .following, offset: count.queryFragment)
  }
}

extension SQLQueryExpression {
  /// The function over a window: `$0.price.sum().over(.partition(by: $0.category))`.
  public func over(_ window: Window = Window()) -> SQLQueryExpression { over(.window(window)) }

  /// The function over a window of the query's `window(_:as:)`.
  public func over(_ name: String) -> SQLQueryExpression { over(.named(name)) }

  private func over(_ reference: WindowReference) -> SQLQueryExpression {
    guard case .function(var call) = queryFragment.node else { return .refused(Self.overOfNoCall) }
    guard call.over == nil else { return .refused("A call has one window. Say 'over' once.") }
    call.over = reference
    return SQLQueryExpression(QueryFragment(.function(call)))
  }

  private static var overOfNoCall: String {
    "SQL takes OVER behind the call of a function only. Say 'over' before what is made of the call: "
      + "'x.sum().over().cast(as:)', 'x.sum().over() + 1'. 'groupConcat' of distinct values with a separator is made "
      + "of several calls, and has no windows."
  }

  private static func refused(_ reason: String) -> SQLQueryExpression {
    SQLQueryExpression(.bind(.invalid(QueryBindingFailure(reason))))
  }
}
