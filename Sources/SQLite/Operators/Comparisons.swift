/// What `==`, `<` and their like make of columns with columns and with values.
///
/// Always true: a comparison of what may be NULL may be NULL itself, and is `Bool?`. With the value `nil`, `==` is IS
/// NULL and `!=` is IS NOT NULL, so that rows without a value are found.
private func compared<Truth>(_ symbol: Infix, _ left: Node, _ right: Node) -> Expression<Truth> {
  Expression(.infix(symbol, left, right))
}

// A value that is not nil takes `=`, which no NULL passes.
private func equality<D: ColumnType>(_ value: D, _ equal: Infix, _ same: Infix) -> Infix {
  value.isNull ? same : equal
}

/// `("a" = "b")`
public func == <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.equal, lhs.node, rhs.node)
}
/// `("a" = "b")`, NULL if the right side is.
public func == <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.equal, lhs.node, rhs.node)
}
/// `("a" = "b")`, NULL if the left side is.
public func == <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.equal, lhs.node, rhs.node)
}
/// `("a" = 1)`, or `("a" IS NULL)`.
public func == <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(equality(rhs, .equal, .is), lhs.node, rhs.bound)
}
/// `(1 = "a")`, or `(NULL IS "a")`.
public func == <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(equality(lhs, .equal, .is), lhs.bound, rhs.node)
}

/// `("a" IS "b")`: true also if both are NULL.
public func === <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.is, lhs.node, rhs.node)
}
/// `("a" IS "b")`
public func === <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.is, lhs.node, rhs.node)
}
/// `("a" IS "b")`
public func === <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.is, lhs.node, rhs.node)
}
/// `("a" IS 1)`
public func === <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(.is, lhs.node, rhs.bound)
}
/// `(1 IS "a")`
public func === <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.is, lhs.bound, rhs.node)
}

/// `("a" != "b")`
public func != <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.notEqual, lhs.node, rhs.node)
}
/// `("a" != "b")`, NULL if the right side is.
public func != <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.notEqual, lhs.node, rhs.node)
}
/// `("a" != "b")`, NULL if the left side is.
public func != <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.notEqual, lhs.node, rhs.node)
}
/// `("a" != 1)`, or `("a" IS NOT NULL)`.
public func != <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(equality(rhs, .notEqual, .isNot), lhs.node, rhs.bound)
}
/// `(1 != "a")`, or `(NULL IS NOT "a")`.
public func != <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(equality(lhs, .notEqual, .isNot), lhs.bound, rhs.node)
}

/// `("a" IS NOT "b")`: true also if one of both is NULL.
public func !== <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.isNot, lhs.node, rhs.node)
}
/// `("a" IS NOT "b")`
public func !== <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.isNot, lhs.node, rhs.node)
}
/// `("a" IS NOT "b")`
public func !== <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.isNot, lhs.node, rhs.node)
}
/// `("a" IS NOT 1)`
public func !== <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(.isNot, lhs.node, rhs.bound)
}
/// `(1 IS NOT "a")`
public func !== <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.isNot, lhs.bound, rhs.node)
}

/// `("a" > "b")`
public func > <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.greater, lhs.node, rhs.node)
}
/// `("a" > "b")`, NULL if the right side is.
public func > <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.greater, lhs.node, rhs.node)
}
/// `("a" > "b")`, NULL if the left side is.
public func > <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.greater, lhs.node, rhs.node)
}
/// `("a" > 1)`
public func > <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(.greater, lhs.node, rhs.bound)
}
/// `(1 > "a")`
public func > <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.greater, lhs.bound, rhs.node)
}

/// `("a" >= "b")`
public func >= <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.greaterOrEqual, lhs.node, rhs.node)
}
/// `("a" >= "b")`, NULL if the right side is.
public func >= <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.greaterOrEqual, lhs.node, rhs.node)
}
/// `("a" >= "b")`, NULL if the left side is.
public func >= <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.greaterOrEqual, lhs.node, rhs.node)
}
/// `("a" >= 1)`
public func >= <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(.greaterOrEqual, lhs.node, rhs.bound)
}
/// `(1 >= "a")`
public func >= <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.greaterOrEqual, lhs.bound, rhs.node)
}

/// `("a" < "b")`
public func < <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.less, lhs.node, rhs.node)
}
/// `("a" < "b")`, NULL if the right side is.
public func < <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.less, lhs.node, rhs.node)
}
/// `("a" < "b")`, NULL if the left side is.
public func < <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.less, lhs.node, rhs.node)
}
/// `("a" < 1)`
public func < <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(.less, lhs.node, rhs.bound)
}
/// `(1 < "a")`
public func < <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.less, lhs.bound, rhs.node)
}

/// `("a" <= "b")`
public func <= <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.lessOrEqual, lhs.node, rhs.node)
}
/// `("a" <= "b")`, NULL if the right side is.
public func <= <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<Bool?> {
  compared(.lessOrEqual, lhs.node, rhs.node)
}
/// `("a" <= "b")`, NULL if the left side is.
public func <= <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<Bool?> {
  compared(.lessOrEqual, lhs.node, rhs.node)
}
/// `("a" <= 1)`
public func <= <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D.Truth> {
  compared(.lessOrEqual, lhs.node, rhs.bound)
}
/// `(1 <= "a")`
public func <= <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D.Truth> {
  compared(.lessOrEqual, lhs.bound, rhs.node)
}
