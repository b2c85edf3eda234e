internal import MartletAST
internal import MartletValues

/// Which rows of its part a window function, one over the rows around a row, sees.
///
/// Always true: `orderBy` orders the window; `partition` cuts it into parts that the function sees one at a time, and
/// `frame` says which rows of a part it sees.
public struct WindowFrame: Sendable {
  /// Where a frame begins or ends.
  public enum Bound: Sendable {
    /// The part's first row.
    case unboundedPreceding
    /// This many rows, or groups, before.
    case preceding(Int)
    /// The row itself.
    case currentRow
    /// This many rows, or groups, behind.
    case following(Int)
    /// The part's last row.
    case unboundedFollowing
  }

  let node: FrameNode

  /// `ROWS BETWEEN start AND end`: counted in rows.
  public static func rows(_ start: Bound, _ end: Bound = .currentRow) -> WindowFrame { frame(.rows, start, end) }
  /// `RANGE BETWEEN start AND end`: counted in the unit of the one term that the window is ordered by.
  public static func range(_ start: Bound, _ end: Bound = .currentRow) -> WindowFrame { frame(.range, start, end) }
  /// `GROUPS BETWEEN start AND end`: counted in groups of rows that are equal in the order.
  public static func groups(_ start: Bound, _ end: Bound = .currentRow) -> WindowFrame { frame(.groups, start, end) }

  private static func frame(_ unit: ASTFrame.Unit, _ start: Bound, _ end: Bound) -> WindowFrame {
    WindowFrame(node: FrameNode(unit: unit, start: start.node, end: end.node))
  }
}

extension WindowFrame.Bound {
  fileprivate var node: (kind: ASTFrameBound.Kind, offset: Int) {
    switch self {
    case .unboundedPreceding: (.unboundedPreceding, 0)
    case .preceding(let count): (.preceding, count)
    case .currentRow: (.currentRow, 0)
    case .following(let count): (.following, count)
    case .unboundedFollowing: (.unboundedFollowing, 0)
    }
  }
}

private func windowed<T>(
  _ name: String, _ arguments: [Node], _ orderBy: any Expressible, _ partition: [any Expressible],
  _ frame: WindowFrame?
) -> Expression<T> {
  let window = WindowNode(partition: partition.map(\.node), order: [orderBy.node], frame: frame?.node)
  return Expression(Node(.function(FunctionNode(name: name, arguments: arguments, over: window))))
}

/// `ntile(4) OVER (ORDER BY "a")`: which of so many equal parts the row falls into, counted from 1.
public func ntile(_ size: Int, _ orderBy: any Expressible, partition: [any Expressible] = []) -> Expression<Int> {
  windowed("ntile", [size.bound], orderBy, partition, nil)
}

/// `row_number() OVER (ORDER BY "a")`: the place of the row, counted from 1.
public func rowNumber(_ orderBy: any Expressible, partition: [any Expressible] = []) -> Expression<Int> {
  windowed("row_number", [], orderBy, partition, nil)
}

/// `rank() OVER (ORDER BY "a")`: the place of the first row that is equal; it leaves gaps.
public func rank(_ orderBy: any Expressible, partition: [any Expressible] = []) -> Expression<Int> {
  windowed("rank", [], orderBy, partition, nil)
}

/// `dense_rank() OVER (ORDER BY "a")`: the place among different rows, without gaps.
public func denseRank(_ orderBy: any Expressible, partition: [any Expressible] = []) -> Expression<Int> {
  windowed("dense_rank", [], orderBy, partition, nil)
}

/// `percent_rank() OVER (ORDER BY "a")`: from 0 for the first row to 1 for the last.
public func percentRank(_ orderBy: any Expressible, partition: [any Expressible] = []) -> Expression<Double> {
  windowed("percent_rank", [], orderBy, partition, nil)
}

/// `cume_dist() OVER (ORDER BY "a")`: the share of rows that do not come later.
public func cumeDist(_ orderBy: any Expressible, partition: [any Expressible] = []) -> Expression<Double> {
  windowed("cume_dist", [], orderBy, partition, nil)
}

extension ExpressionType where UnderlyingType: ColumnType {
  /// `lag("a", 1) OVER (ORDER BY "b")`: the value so many rows before, or the default, or NULL.
  public func lag(
    offset: Int = 0, default defaultValue: (any Expressible)? = nil, _ orderBy: any Expressible,
    partition: [any Expressible] = []
  ) -> Expression<UnderlyingType.ColumnValue?> {
    shifted("lag", offset, defaultValue, orderBy, partition)
  }

  /// `lead("a", 1) OVER (ORDER BY "b")`: the value so many rows behind, or the default, or NULL.
  public func lead(
    offset: Int = 0, default defaultValue: (any Expressible)? = nil, _ orderBy: any Expressible,
    partition: [any Expressible] = []
  ) -> Expression<UnderlyingType.ColumnValue?> {
    shifted("lead", offset, defaultValue, orderBy, partition)
  }

  private func shifted<T>(
    _ name: String, _ offset: Int, _ defaultValue: (any Expressible)?, _ orderBy: any Expressible,
    _ partition: [any Expressible]
  ) -> Expression<T> {
    let offset = Node(.value(.integer(Int64(offset))))
    return windowed(name, [node, offset] + [defaultValue?.node].compactMap { $0 }, orderBy, partition, nil)
  }

  /// `first_value("a") OVER (ORDER BY "b")`
  public func firstValue(
    _ orderBy: any Expressible, partition: [any Expressible] = [], frame: WindowFrame? = nil
  ) -> Expression<UnderlyingType.ColumnValue?> {
    windowed("first_value", [node], orderBy, partition, frame)
  }

  /// `last_value("a") OVER (ORDER BY "b")`: without a frame, of the rows up to this one.
  public func lastValue(
    _ orderBy: any Expressible, partition: [any Expressible] = [], frame: WindowFrame? = nil
  ) -> Expression<UnderlyingType.ColumnValue?> {
    windowed("last_value", [node], orderBy, partition, frame)
  }

  /// `nth_value("a", 3) OVER (ORDER BY "b")`: of the frame's third row.
  public func value(
    _ index: Int, _ orderBy: any Expressible, partition: [any Expressible] = [], frame: WindowFrame? = nil
  ) -> Expression<UnderlyingType.ColumnValue?> {
    windowed("nth_value", [node, Node(.value(.integer(Int64(index))))], orderBy, partition, frame)
  }

  /// `sum("a") OVER (PARTITION BY "b" ORDER BY "c")`: an aggregate over a window, such as `price.sum`.
  public func over(
    _ orderBy: any Expressible, partition: [any Expressible] = [], frame: WindowFrame? = nil
  ) -> Expression<UnderlyingType> {
    guard case .function(var call) = node.kind else { return Expression(node) }
    call.over = WindowNode(partition: partition.map(\.node), order: [orderBy.node], frame: frame?.node)
    return Expression(Node(.function(call)))
  }
}
