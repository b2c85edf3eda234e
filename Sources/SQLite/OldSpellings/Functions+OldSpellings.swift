// Functions as SQLite.swift had them for Swift 1.2: free, with the expression last.
//
// Always true: each is deprecated, and says what is written today.

/// `("a" LIKE 'b%')`
@available(*, deprecated, message: "Write `email.like(pattern)`.")
public func like<D: ColumnType>(_ pattern: String, _ expression: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue.Datatype == String {
  expression.like(pattern)
}

/// `("a" GLOB 'b*')`
@available(*, deprecated, message: "Write `email.glob(pattern)`.")
public func glob<D: ColumnType>(_ pattern: String, _ expression: Expression<D>) -> Expression<D.Truth>
where D.ColumnValue.Datatype == String {
  expression.glob(pattern)
}

/// `("a" MATCH 'b')`
@available(*, deprecated, message: "Write `subject.match(query)`.")
public func match<D: ColumnType>(_ expression: Expression<D>, _ query: String) -> Expression<D.Truth>
where D.ColumnValue.Datatype == String {
  expression.match(query)
}

/// `("emails" MATCH 'b')`
@available(*, deprecated, message: "Write `emails.match(query)`.")
public func match(_ table: VirtualTable, _ query: String) -> Expression<Bool> {
  table.match(query)
}

/// `("a" COLLATE NOCASE)`
@available(*, deprecated, message: "Write `name.collate(collation)`.")
public func collate<D: ColumnType>(_ collation: Collation, _ expression: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  expression.collate(collation)
}

/// `lower("a")`
@available(*, deprecated, message: "Write `name.lowercaseString`.")
public func lower<D: ColumnType>(_ expression: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  expression.lowercaseString
}

/// `upper("a")`
@available(*, deprecated, message: "Write `name.uppercaseString`.")
public func upper<D: ColumnType>(_ expression: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  expression.uppercaseString
}

/// `trim("a")`
@available(*, deprecated, message: "Write `name.trim()`.")
public func trim<D: ColumnType>(_ expression: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  expression.trim()
}

/// `ltrim("a")`
@available(*, deprecated, message: "Write `name.ltrim()`.")
public func ltrim<D: ColumnType>(_ expression: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  expression.ltrim()
}

/// `rtrim("a")`
@available(*, deprecated, message: "Write `name.rtrim()`.")
public func rtrim<D: ColumnType>(_ expression: Expression<D>) -> Expression<D>
where D.ColumnValue.Datatype == String {
  expression.rtrim()
}

/// `length("a")`
@available(*, deprecated, message: "Write `name.length`.")
public func length(_ expression: Expression<String>) -> Expression<Int> {
  expression.length
}

/// `("a" IN (1, 2))`
@available(*, deprecated, message: "Write `[1, 2].contains(id)`.")
public func contains<V: Value, C: Collection>(_ values: C, _ column: Expression<V>) -> Expression<Bool>
where C.Element == V {
  values.contains(column)
}

/// `("a" IN (1, 2))`, NULL if the column is.
@available(*, deprecated, message: "Write `[1, 2].contains(id)`.")
public func contains<V: Value, C: Collection>(_ values: C, _ column: Expression<V?>) -> Expression<Bool?>
where C.Element == V {
  values.contains(column)
}

/// `count("a")`
@available(*, deprecated, message: "Write `id.count`.")
public func count<D: ColumnType>(_ expression: Expression<D>) -> Expression<Int> {
  expression.count
}

/// `count(DISTINCT "a")`
@available(*, deprecated, message: "Write `id.distinct.count`.")
public func count<D: ColumnType>(distinct expression: Expression<D>) -> Expression<Int> {
  expression.distinct.count
}

/// `avg("a")`
@available(*, deprecated, message: "Write `balance.average`.")
public func average<D: ColumnType>(_ expression: Expression<D>) -> Expression<Double?>
where D.ColumnValue.Datatype: Number {
  expression.average
}

/// `sum("a")`
@available(*, deprecated, message: "Write `balance.sum`.")
public func sum<D: ColumnType>(_ expression: Expression<D>) -> Expression<D.ColumnValue?>
where D.ColumnValue.Datatype: Number {
  expression.sum
}

/// `total("a")`
@available(*, deprecated, message: "Write `balance.total`.")
public func total<D: ColumnType>(_ expression: Expression<D>) -> Expression<Double>
where D.ColumnValue.Datatype: Number {
  expression.total
}
