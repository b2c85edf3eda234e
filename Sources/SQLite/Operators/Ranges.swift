/// Whether an expression lies within a range: `"a" BETWEEN 1 AND 5`.
///
/// Always true: with an optional column the result is NULL if the column is, here and in the other functions `~=`.
public func ~= <D: ColumnType>(lhs: ClosedRange<D.ColumnValue>, rhs: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue: Comparable {
  Expression(Node(.between(rhs.node, lhs.lowerBound.bound, lhs.upperBound.bound)))
}

/// `"a" >= 1 AND "a" < 5`
public func ~= <D: ColumnType>(lhs: Range<D.ColumnValue>, rhs: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue: Comparable {
  Expression(
    bare(.and, bare(.greaterOrEqual, rhs.node, lhs.lowerBound.bound), bare(.less, rhs.node, lhs.upperBound.bound)))
}

/// `"a" <= 5`
public func ~= <D: ColumnType>(lhs: PartialRangeThrough<D.ColumnValue>, rhs: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue: Comparable {
  Expression(bare(.lessOrEqual, rhs.node, lhs.upperBound.bound))
}

/// `"a" < 5`
public func ~= <D: ColumnType>(lhs: PartialRangeUpTo<D.ColumnValue>, rhs: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue: Comparable {
  Expression(bare(.less, rhs.node, lhs.upperBound.bound))
}

/// `"a" >= 1`
public func ~= <D: ColumnType>(lhs: PartialRangeFrom<D.ColumnValue>, rhs: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue: Comparable {
  Expression(bare(.greaterOrEqual, rhs.node, lhs.lowerBound.bound))
}

// Without parentheses around it, as people read a range.
private func bare(_ symbol: Infix, _ left: Node, _ right: Node) -> Node {
  Node(.infix(symbol, left, right, isWrapped: false))
}
