/// What `&&`, `||` and `!` of conditions make.
///
/// Always true: SQLite knows true, false and NULL; a condition that may be NULL is `Bool?`, and a row whose condition
/// is NULL is not found.
private func combined<D>(_ symbol: Infix, _ left: Node, _ right: Node) -> Expression<D> {
  Expression(.infix(symbol, left, right))
}

/// `("a" AND "b")`
public func && <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue == Bool {
  combined(.and, lhs.node, rhs.node)
}
/// `("a" AND "b")`, NULL if the right side is and the left side is true.
public func && (lhs: Expression<Bool>, rhs: Expression<Bool?>) -> Expression<Bool?> {
  combined(.and, lhs.node, rhs.node)
}
/// `("a" AND "b")`, NULL if the left side is and the right side is true.
public func && (lhs: Expression<Bool?>, rhs: Expression<Bool>) -> Expression<Bool?> {
  combined(.and, lhs.node, rhs.node)
}
/// `("a" AND 1)`
public func && <D: ColumnType>(lhs: Expression<D>, rhs: Bool) -> Expression<D>
where D.ColumnValue == Bool {
  combined(.and, lhs.node, rhs.bound)
}
/// `(1 AND "a")`
public func && <D: ColumnType>(lhs: Bool, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue == Bool {
  combined(.and, lhs.bound, rhs.node)
}

/// `("a" OR "b")`
public func || <D: ColumnType>(lhs: Expression<D>, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue == Bool {
  combined(.or, lhs.node, rhs.node)
}
/// `("a" OR "b")`, NULL if the right side is and the left side is false.
public func || (lhs: Expression<Bool>, rhs: Expression<Bool?>) -> Expression<Bool?> {
  combined(.or, lhs.node, rhs.node)
}
/// `("a" OR "b")`, NULL if the left side is and the right side is false.
public func || (lhs: Expression<Bool?>, rhs: Expression<Bool>) -> Expression<Bool?> {
  combined(.or, lhs.node, rhs.node)
}
/// `("a" OR 1)`
public func || <D: ColumnType>(lhs: Expression<D>, rhs: Bool) -> Expression<D>
where D.ColumnValue == Bool {
  combined(.or, lhs.node, rhs.bound)
}
/// `(1 OR "a")`
public func || <D: ColumnType>(lhs: Bool, rhs: Expression<D>) -> Expression<D>
where D.ColumnValue == Bool {
  combined(.or, lhs.bound, rhs.node)
}

/// `NOT ("a")`
public prefix func ! <D: ColumnType>(operand: Expression<D>) -> Expression<D> where D.ColumnValue == Bool {
  Expression(Node(.prefix(.not, operand.node)))
}

/// `("a" AND "b" AND "c")`; true if there are none.
public func and(_ terms: Expression<Bool>...) -> Expression<Bool> { and(terms) }
/// `("a" AND "b" AND "c")`; true if there are none.
public func and(_ terms: [Expression<Bool>]) -> Expression<Bool> { joined(.and, terms, none: true) }
/// `("a" OR "b" OR "c")`; false if there are none.
public func or(_ terms: Expression<Bool>...) -> Expression<Bool> { or(terms) }
/// `("a" OR "b" OR "c")`; false if there are none.
public func or(_ terms: [Expression<Bool>]) -> Expression<Bool> { joined(.or, terms, none: false) }

private func joined(_ symbol: Infix, _ terms: [Expression<Bool>], none: Bool) -> Expression<Bool> {
  terms.isEmpty ? Expression(value: none) : Expression(Node(.chain(symbol, terms.map(\.node))))
}
