import MartletAST

/// Joins of a query that chose its columns with one of whole rows that has an order, a limit or groups.
///
/// Always true: whole rows that are joined add no columns, as a table itself adds none. Without these functions they
/// could be a chosen column as well, and the compiler could not tell which was meant.
extension SelectStatement {
  /// `JOIN other ON condition`; the column that was chosen before stays chosen.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, On: QueryExpression>(
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<QueryValue, Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, L1, L2, each L, On: QueryExpression>(
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `LEFT JOIN other ON condition`; the column that was chosen before stays chosen.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<QueryValue, Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `LEFT JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, L1, L2, each L, On: QueryExpression>(
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L), Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `RIGHT JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func rightJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
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
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional), Tables2<A.QueryOptional, B>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// `FULL JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func fullJoin<A: Table, B: Table, On: QueryExpression>(
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
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
    _ other: Select<B, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional), Tables2<A.QueryOptional, B.QueryOptional>
  >
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }
}
