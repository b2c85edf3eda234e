import MartletAST

/// Joins of 3 tables with another one.
///
/// Always true: the joined query's conditions and order are those of the whole query; a side that a join may leave out
/// has optional columns from there on.
extension SelectStatement {
  /// `JOIN other ON condition`: pairs of rows for which the condition holds.
  public consuming func join<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>>
  where
    Sources == Tables3<A, B, C>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<QueryValue, Tables4<A, B, C, D>>
  where Sources == Tables3<A, B, C>, On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    joined(.inner, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `LEFT JOIN other ON condition`: every row so far; nil if no row of the other table matches.
  public consuming func leftJoin<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<(A, B, C, D.QueryOptional), Tables4<A, B, C, D.QueryOptional>>
  where
    Sources == Tables3<A, B, C>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `LEFT JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<QueryValue, Tables4<A, B, C, D.QueryOptional>>
  where Sources == Tables3<A, B, C>, On.QueryValue: QueryRepresentable, On.QueryValue.QueryUnwrapped == Bool {
    joined(.left, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `RIGHT JOIN other ON condition`: every row of the other table; nil if no row so far matches. SQLite 3.39.
  public consuming func rightJoin<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<
    (A.QueryOptional, B.QueryOptional, C.QueryOptional, D),
    Tables4<A.QueryOptional, B.QueryOptional, C.QueryOptional, D>
  >
  where
    Sources == Tables3<A, B, C>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `RIGHT JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func rightJoin<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<QueryValue.QueryOptional, Tables4<A.QueryOptional, B.QueryOptional, C.QueryOptional, D>>
  where
    Sources == Tables3<A, B, C>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `RIGHT JOIN other ON condition`; the columns that were chosen before stay chosen, and are optional.
  @_disfavoredOverload
  public consuming func rightJoin<
    A: Table, B: Table, C: Table, D: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional),
    Tables4<A.QueryOptional, B.QueryOptional, C.QueryOptional, D>
  >
  where
    Sources == Tables3<A, B, C>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `FULL JOIN other ON condition`: every row of each side; nil if no row of the other side matches. SQLite 3.39.
  public consuming func fullJoin<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<
    (A.QueryOptional, B.QueryOptional, C.QueryOptional, D.QueryOptional),
    Tables4<A.QueryOptional, B.QueryOptional, C.QueryOptional, D.QueryOptional>
  >
  where
    Sources == Tables3<A, B, C>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `FULL JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func fullJoin<A: Table, B: Table, C: Table, D: Table, On: QueryExpression>(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<QueryValue.QueryOptional, Tables4<A.QueryOptional, B.QueryOptional, C.QueryOptional, D.QueryOptional>>
  where
    Sources == Tables3<A, B, C>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `FULL JOIN other ON condition`; the columns that were chosen before stay chosen, and are optional.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, C: Table, D: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: some JoinableStatement<D>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional),
    Tables4<A.QueryOptional, B.QueryOptional, C.QueryOptional, D.QueryOptional>
  >
  where
    Sources == Tables3<A, B, C>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0), D.placedColumns(in: $0))
    }
  }

  /// `CROSS JOIN other`: each row with each, in this order of the tables.
  public consuming func crossJoin<A: Table, B: Table, C: Table, D: Table>(_ other: some JoinableStatement<D>) -> Select<
    (A, B, C, D), Tables4<A, B, C, D>
  >
  where Sources == Tables3<A, B, C>, QueryValue == Sources.Row {
    joined(.cross, other, on: nil)
  }

  /// `CROSS JOIN other`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func crossJoin<A: Table, B: Table, C: Table, D: Table>(_ other: some JoinableStatement<D>) -> Select<
    QueryValue, Tables4<A, B, C, D>
  >
  where Sources == Tables3<A, B, C> {
    joined(.cross, other, on: nil)
  }
}
