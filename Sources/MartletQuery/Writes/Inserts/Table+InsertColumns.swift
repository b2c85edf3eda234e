/// INSERT into chosen columns, from values or from a query.
///
/// Always true: each row has a value for every chosen column, which the compiler checks.
/// Rows of values for chosen columns.
@resultBuilder
public enum ValuesBuilder<Value> {
  public static func buildExpression<E: QueryExpression>(_ value: E) -> [[QueryFragment]] where E.QueryValue == Value {
    [value.columnFragments]
  }

  public static func buildExpression(_ value: Value.QueryOutput) -> [[QueryFragment]] where Value: QueryRepresentable {
    [Value.fragments(of: value)]
  }

  public static func buildExpression<each V: QueryRepresentable>(
    _ row: (repeat (each V).QueryOutput)
  ) -> [[QueryFragment]] where Value == (repeat each V) {
    var fragments: [QueryFragment] = []
    func append<W: QueryRepresentable>(_ output: W.QueryOutput, as type: W.Type) {
      fragments += W.fragments(of: output)
    }
    repeat append(each row, as: (each V).self)
    return [fragments]
  }

  /// Rows that a loop elsewhere made: `items.map { ($0.a, $0.b) }`.
  public static func buildExpression<each V: QueryRepresentable>(
    _ rows: [(repeat (each V).QueryOutput)]
  ) -> [[QueryFragment]] where Value == (repeat each V) {
    rows.map { row in
      var fragments: [QueryFragment] = []
      func append<W: QueryRepresentable>(_ output: W.QueryOutput, as type: W.Type) {
        fragments += W.fragments(of: output)
      }
      repeat append(each row, as: (each V).self)
      return fragments
    }
  }

  @_disfavoredOverload
  public static func buildExpression(_ values: [Value.QueryOutput]) -> [[QueryFragment]]
  where Value: QueryRepresentable {
    values.map { Value.fragments(of: $0) }
  }

  /// Expressions of exactly the columns' types, which tell `#bind` what it binds.
  @_disfavoredOverload
  public static func buildExpression<each E: QueryExpression>(
    _ row: (repeat each E)
  ) -> [[QueryFragment]]
  where Value == (repeat (each E).QueryValue), repeat (each E).QueryValue: QueryRepresentable {
    var fragments: [QueryFragment] = []
    for value in repeat each row { fragments += value.columnFragments }
    return [fragments]
  }

  @_disfavoredOverload
  public static func buildExpression<each V: QueryRepresentable, each E: QueryExpression>(
    _ row: (repeat each E)
  ) -> [[QueryFragment]]
  where
    Value == (repeat each V), repeat (each E).QueryValue: QueryRepresentable,
    repeat (each E).QueryValue.QueryUnwrapped == (each V).QueryUnwrapped
  {
    var fragments: [QueryFragment] = []
    for value in repeat each row { fragments += value.columnFragments }
    return [fragments]
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value for each of the columns, in their order and of their types.")
  public static func buildExpression<Other>(_ row: Other) -> [[QueryFragment]] { [] }

  public static func buildBlock(_ parts: [[QueryFragment]]...) -> [[QueryFragment]] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [[QueryFragment]]?) -> [[QueryFragment]] { part ?? [] }
  public static func buildEither(first: [[QueryFragment]]) -> [[QueryFragment]] { first }
  public static func buildEither(second: [[QueryFragment]]) -> [[QueryFragment]] { second }
  public static func buildArray(_ parts: [[[QueryFragment]]]) -> [[QueryFragment]] { parts.flatMap { $0 } }
}

extension Table {
  /// One column: `Tag.insert { $0.name } values: { "a"; "b" }`.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    @ValuesBuilder<E.QueryValue> values: () -> [[QueryFragment]]
  ) -> InsertOf<Self> {
    inserting(into: columns(Self.columns).columnFragments, .rows(values()), or: resolution)
  }

  /// Several columns: `Tag.insert { ($0.name, $0.color) } values: { ("a", 1); ("b", 2) }`.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    @ValuesBuilder<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)> values: () ->
      [[QueryFragment]]
  ) -> InsertOf<Self> {
    inserting(into: QueryFragment.columns(columns, of: Self.placedColumns), .rows(values()), or: resolution)
  }

  /// One column from a query.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select: () -> some Statement<E.QueryValue>
  ) -> InsertOf<Self> {
    inserting(into: columns(Self.columns).columnFragments, .query(select().statementFragment), or: resolution)
  }

  /// Several columns from a query.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>
  ) -> InsertOf<Self> {
    inserting(
      into: QueryFragment.columns(columns, of: Self.placedColumns), .query(select().statementFragment), or: resolution)
  }

  private static func inserting(
    into columns: [QueryFragment], _ rows: InsertParts.Source, or resolution: ConflictResolution?
  ) -> InsertOf<Self> {
    let names = columns.compactMap { $0.writtenColumn?.columnName }
    var rows = rows
    if names.count < columns.count {
      let reason = "What is computed of columns is none that an INSERT can write. Name the columns themselves."
      rows = .rows([[.bind(.invalid(QueryBindingFailure(reason)))]])
    }
    return Insert(parts: InsertParts(or: resolution, table: source, columns: names, source: rows))
  }
}
