internal import MartletValues

/// `<-`, `+=` and their like: what a column is set to.
infix operator <- : AssignmentPrecedence

/// `"a" = "b"`
public func <- <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter {
  Setter(column.node, value.node)
}
/// `"a" = "b"`
public func <- <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter {
  Setter(column.node, value.node)
}
/// `"a" = 1`
public func <- <D: ColumnType>(column: Expression<D>, value: D) -> Setter {
  Setter(column.node, value._stored.value)
}
/// `"a" = 1`
public func <- <V: Value>(column: Expression<V?>, value: V) -> Setter {
  Setter(column.node, value._stored.value)
}
/// `"a" = (SELECT …)`
public func <- <D: ColumnType>(column: Expression<D>, value: ScalarQuery<D>) -> Setter {
  Setter(column.node, value.asExpression.node)
}
/// `"a" = (SELECT …)`
public func <- <V: Value>(column: Expression<V?>, value: ScalarQuery<V>) -> Setter {
  Setter(column.node, value.asExpression.node)
}

/// `"a" = ("a" || "b")`
public func += <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == String {
  column <- column + value
}
/// `"a" = ("a" || "b")`
public func += <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == String {
  column <- column + value
}
/// `"a" = ("a" || 'b')`
public func += <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == String {
  column <- column + value
}

/// `"a" = ("a" + "b")`
public func += <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column + value
}
/// `"a" = ("a" + "b")`
public func += <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype: Number {
  column <- column + value
}
/// `"a" = ("a" + 1)`
public func += <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column + value
}

/// `"a" = ("a" - "b")`
public func -= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column - value
}
/// `"a" = ("a" - "b")`
public func -= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype: Number {
  column <- column - value
}
/// `"a" = ("a" - 1)`
public func -= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column - value
}

/// `"a" = ("a" * "b")`
public func *= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column * value
}
/// `"a" = ("a" * "b")`
public func *= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype: Number {
  column <- column * value
}
/// `"a" = ("a" * 1)`
public func *= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column * value
}

/// `"a" = ("a" / "b")`
public func /= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column / value
}
/// `"a" = ("a" / "b")`
public func /= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype: Number {
  column <- column / value
}
/// `"a" = ("a" / 1)`
public func /= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype: Number {
  column <- column / value
}

/// `"a" = ("a" % "b")`
public func %= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column % value
}
/// `"a" = ("a" % "b")`
public func %= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == Int64 {
  column <- column % value
}
/// `"a" = ("a" % 1)`
public func %= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column % value
}

/// `"a" = ("a" << "b")`
public func <<= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column << value
}
/// `"a" = ("a" << "b")`
public func <<= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == Int64 {
  column <- column << value
}
/// `"a" = ("a" << 1)`
public func <<= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column << value
}

/// `"a" = ("a" >> "b")`
public func >>= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column >> value
}
/// `"a" = ("a" >> "b")`
public func >>= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == Int64 {
  column <- column >> value
}
/// `"a" = ("a" >> 1)`
public func >>= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column >> value
}

/// `"a" = ("a" & "b")`
public func &= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column & value
}
/// `"a" = ("a" & "b")`
public func &= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == Int64 {
  column <- column & value
}
/// `"a" = ("a" & 1)`
public func &= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column & value
}

/// `"a" = ("a" | "b")`
public func |= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column | value
}
/// `"a" = ("a" | "b")`
public func |= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == Int64 {
  column <- column | value
}
/// `"a" = ("a" | 1)`
public func |= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column | value
}

/// `"a" = (~(("a" & "b")) & ("a" | "b"))`
public func ^= <D: ColumnType>(column: Expression<D>, value: Expression<D>) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column ^ value
}
/// `"a" = (~(("a" & "b")) & ("a" | "b"))`
public func ^= <V: Value>(column: Expression<V?>, value: Expression<V>) -> Setter
where V.Datatype == Int64 {
  column <- column ^ value
}
/// `"a" = (~(("a" & 1)) & ("a" | 1))`
public func ^= <D: ColumnType>(column: Expression<D>, value: D) -> Setter
where D.ColumnValue.Datatype == Int64 {
  column <- column ^ value
}

postfix operator ++
postfix operator --

/// `"a" = ("a" + 1)`
public postfix func ++ <D: ColumnType>(column: Expression<D>) -> Setter where D.ColumnValue.Datatype == Int64 {
  Setter(column.node, .infix(.add, column.node, Node(.value(.integer(1)))))
}
/// `"a" = ("a" - 1)`
public postfix func -- <D: ColumnType>(column: Expression<D>) -> Setter where D.ColumnValue.Datatype == Int64 {
  Setter(column.node, .infix(.subtract, column.node, Node(.value(.integer(1)))))
}
