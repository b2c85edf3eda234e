import MartletAST

/// Joins of 1 table with another one.
///
/// Always true: the joined query's conditions and order are those of the whole query; a side that a join may leave out
/// has optional columns from there on.
extension SelectStatement {
  /// `JOIN other ON condition`: pairs of rows for which the condition holds.
  public consuming func join<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(A, B), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<QueryValue, Tables2<A, B>>
  where Sources == Tables1<A>, On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    joined(.inner, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `LEFT JOIN other ON condition`: every row so far; nil if no row of the other table matches.
  public consuming func leftJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(A, B.QueryOptional), Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `LEFT JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<QueryValue, Tables2<A, B.QueryOptional>>
  where Sources == Tables1<A>, On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    joined(.left, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `RIGHT JOIN other ON condition`: every row of the other table; nil if no row so far matches. SQLite 3.39.
  public consuming func rightJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(A.QueryOptional, B), Tables2<A.QueryOptional, B>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `RIGHT JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func rightJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<QueryValue.QueryOptional, Tables2<A.QueryOptional, B>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `RIGHT JOIN other ON condition`; the columns that were chosen before stay chosen, and are optional.
  @_disfavoredOverload
  public consuming func rightJoin<
    A: Table, B: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable, On: QueryExpression
  >(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional), Tables2<A.QueryOptional, B>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `FULL JOIN other ON condition`: every row of each side; nil if no row of the other side matches. SQLite 3.39.
  public consuming func fullJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(A.QueryOptional, B.QueryOptional), Tables2<A.QueryOptional, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `FULL JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func fullJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<QueryValue.QueryOptional, Tables2<A.QueryOptional, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `FULL JOIN other ON condition`; the columns that were chosen before stay chosen, and are optional.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable, On: QueryExpression
  >(
    _ other: some JoinableStatement<B>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional), Tables2<A.QueryOptional, B.QueryOptional>
  >
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `CROSS JOIN other`: each row with each, in this order of the tables.
  public consuming func crossJoin<A: Table, B: Table>(_ other: some JoinableStatement<B>) -> Select<
    (A, B), Tables2<A, B>
  >
  where Sources == Tables1<A>, QueryValue == Sources.Row {
    joined(.cross, other, on: nil)
  }

  /// `CROSS JOIN other`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func crossJoin<A: Table, B: Table>(_ other: some JoinableStatement<B>) -> Select<
    QueryValue, Tables2<A, B>
  >
  where Sources == Tables1<A> {
    joined(.cross, other, on: nil)
  }

  /// Says what to write.
  @_disfavoredOverload
  @available(*, unavailable, message: "Choose the columns behind a cross join: a.crossJoin(B.all).select { … }.")
  public func crossJoin<A: Table, B: Table, Value>(_ other: Select<Value, Tables1<B>>) -> Select<(A, B), Tables2<A, B>>
  where Sources == Tables1<A> {
    fatalError("because it is unavailable, nothing calls this")
  }
}
