/// What `%`, shifts, `&`, `|`, `^` and `~` of integers make.
///
/// Always true: SQLite has no exclusive or; `a ^ b` is written with the operators that it has.
private func combined<D>(_ symbol: Infix, _ left: Node, _ right: Node) -> Expression<D> {
  Expression(.infix(symbol, left, right))
}

/// `("a" % "b")`
public func % <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.modulo, lhs.node, rhs.node)
}
/// `("a" % "b")`, NULL if the right side is.
public func % <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.modulo, lhs.node, rhs.node)
}
/// `("a" % "b")`, NULL if the left side is.
public func % <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.modulo, lhs.node, rhs.node)
}
/// `("a" % 1)`
public func % <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.modulo, lhs.node, rhs.bound)
}
/// `(1 % "a")`
public func % <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.modulo, lhs.bound, rhs.node)
}

/// `("a" << "b")`
public func << <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.shiftLeft, lhs.node, rhs.node)
}
/// `("a" << "b")`, NULL if the right side is.
public func << <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.shiftLeft, lhs.node, rhs.node)
}
/// `("a" << "b")`, NULL if the left side is.
public func << <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.shiftLeft, lhs.node, rhs.node)
}
/// `("a" << 1)`
public func << <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.shiftLeft, lhs.node, rhs.bound)
}
/// `(1 << "a")`
public func << <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.shiftLeft, lhs.bound, rhs.node)
}

/// `("a" >> "b")`
public func >> <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.shiftRight, lhs.node, rhs.node)
}
/// `("a" >> "b")`, NULL if the right side is.
public func >> <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.shiftRight, lhs.node, rhs.node)
}
/// `("a" >> "b")`, NULL if the left side is.
public func >> <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.shiftRight, lhs.node, rhs.node)
}
/// `("a" >> 1)`
public func >> <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.shiftRight, lhs.node, rhs.bound)
}
/// `(1 >> "a")`
public func >> <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.shiftRight, lhs.bound, rhs.node)
}

/// `("a" & "b")`
public func & <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.bitAnd, lhs.node, rhs.node)
}
/// `("a" & "b")`, NULL if the right side is.
public func & <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.bitAnd, lhs.node, rhs.node)
}
/// `("a" & "b")`, NULL if the left side is.
public func & <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.bitAnd, lhs.node, rhs.node)
}
/// `("a" & 1)`
public func & <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.bitAnd, lhs.node, rhs.bound)
}
/// `(1 & "a")`
public func & <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.bitAnd, lhs.bound, rhs.node)
}

/// `("a" | "b")`
public func | <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.bitOr, lhs.node, rhs.node)
}
/// `("a" | "b")`, NULL if the right side is.
public func | <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.bitOr, lhs.node, rhs.node)
}
/// `("a" | "b")`, NULL if the left side is.
public func | <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == Int64 {
  combined(.bitOr, lhs.node, rhs.node)
}
/// `("a" | 1)`
public func | <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.bitOr, lhs.node, rhs.bound)
}
/// `(1 | "a")`
public func | <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  combined(.bitOr, lhs.bound, rhs.node)
}

private func exclusiveOr<D>(_ left: Node, _ right: Node) -> Expression<D> {
  combined(.bitAnd, Node(.prefix(.bitNot, .infix(.bitAnd, left, right))), .infix(.bitOr, left, right))
}

/// `(~(("a" & "b")) & ("a" | "b"))`
public func ^ <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  exclusiveOr(lhs.node, rhs.node)
}
/// `(~(("a" & "b")) & ("a" | "b"))`, NULL if the right side is.
public func ^ <V: Value>(lhs: Expression<V>, rhs: Expression<V?>) -> Expression<V?>
where V.Datatype == Int64 {
  exclusiveOr(lhs.node, rhs.node)
}
/// `(~(("a" & "b")) & ("a" | "b"))`, NULL if the left side is.
public func ^ <V: Value>(lhs: Expression<V?>, rhs: Expression<V>) -> Expression<V?>
where V.Datatype == Int64 {
  exclusiveOr(lhs.node, rhs.node)
}
/// `(~(("a" & 1)) & ("a" | 1))`
public func ^ <D: ColumnType>(lhs: Expression<D>, rhs: D) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  exclusiveOr(lhs.node, rhs.bound)
}
/// `(~((1 & "a")) & (1 | "a"))`
public func ^ <D: ColumnType>(lhs: D, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == Int64 {
  exclusiveOr(lhs.bound, rhs.node)
}

/// `~("a")`
public prefix func ~ <D: ColumnType>(operand: Expression<D>) -> Expression<D> where D.ColumnValue.Datatype == Int64 {
  Expression(Node(.prefix(.bitNot, operand.node)))
}
