/// What `+`, `-`, `*` and `/` of numbers make, and `+` of texts.
///
/// Always true: a result is NULL if one side is. SQLite divides integers as Swift does, and returns NULL for a division
/// by 0.
private func combined<D>(_ symbol: Infix, _ left: Node, _ right: Node) -> Expression<D> {
  Expression(.infix(symbol, left, right))
}

/// `("a" || "b")`
public func + <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  combined(.concatenate, lhs.node, rhs.node)
}
/// `("a" || "b")`, NULL if the right side is.
public func + <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == String {
  combined(.concatenate, lhs.node, rhs.node)
}
/// `("a" || "b")`, NULL if the left side is.
public func + <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == String {
  combined(.concatenate, lhs.node, rhs.node)
}
/// `("a" || 'b')`
public func + <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == String {
  combined(.concatenate, lhs.node, rhs.bound)
}
/// `('b' || "a")`
public func + <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  combined(.concatenate, lhs.bound, rhs.node)
}

/// `("a" + "b")`
public func + <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.add, lhs.node, rhs.node)
}
/// `("a" + "b")`, NULL if the right side is.
public func + <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype: Number {
  combined(.add, lhs.node, rhs.node)
}
/// `("a" + "b")`, NULL if the left side is.
public func + <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype: Number {
  combined(.add, lhs.node, rhs.node)
}
/// `("a" + 1)`
public func + <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.add, lhs.node, rhs.bound)
}
/// `(1 + "a")`
public func + <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.add, lhs.bound, rhs.node)
}

/// `("a" - "b")`
public func - <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.subtract, lhs.node, rhs.node)
}
/// `("a" - "b")`, NULL if the right side is.
public func - <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype: Number {
  combined(.subtract, lhs.node, rhs.node)
}
/// `("a" - "b")`, NULL if the left side is.
public func - <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype: Number {
  combined(.subtract, lhs.node, rhs.node)
}
/// `("a" - 1)`
public func - <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.subtract, lhs.node, rhs.bound)
}
/// `(1 - "a")`
public func - <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.subtract, lhs.bound, rhs.node)
}

/// `("a" * "b")`
public func * <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.multiply, lhs.node, rhs.node)
}
/// `("a" * "b")`, NULL if the right side is.
public func * <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype: Number {
  combined(.multiply, lhs.node, rhs.node)
}
/// `("a" * "b")`, NULL if the left side is.
public func * <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype: Number {
  combined(.multiply, lhs.node, rhs.node)
}
/// `("a" * 1)`
public func * <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.multiply, lhs.node, rhs.bound)
}
/// `(1 * "a")`
public func * <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.multiply, lhs.bound, rhs.node)
}

/// `("a" / "b")`
public func / <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.divide, lhs.node, rhs.node)
}
/// `("a" / "b")`, NULL if the right side is.
public func / <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype: Number {
  combined(.divide, lhs.node, rhs.node)
}
/// `("a" / "b")`, NULL if the left side is.
public func / <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype: Number {
  combined(.divide, lhs.node, rhs.node)
}
/// `("a" / 1)`
public func / <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.divide, lhs.node, rhs.bound)
}
/// `(1 / "a")`
public func / <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype: Number {
  combined(.divide, lhs.bound, rhs.node)
}

/// `-("a")`
public prefix func - <D: ColumnType>(operand: Expression<D>) -> Expression<D> where D.ColumnValue.Datatype: Number {
  Expression(Node(.prefix(.negate, operand.node)))
}
