import MartletAST

/// Joins of two tables, of which columns were chosen, with a query of whole rows that has an order, a limit or groups.
///
/// Always true: whole rows that are joined add no columns, as a table itself adds none. Without these functions they
/// could be a chosen column as well, and the compiler could not tell which was meant.
extension SelectStatement {
  /// `JOIN other ON condition`; the column that was chosen before stays chosen.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<QueryValue, Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, C: Table, L1, L2, each L, On: QueryExpression>(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L), Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.inner, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `LEFT JOIN other ON condition`; the column that was chosen before stays chosen.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<QueryValue, Tables3<A, B, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `LEFT JOIN other ON condition`; the columns that were chosen before stay chosen.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, C: Table, L1, L2, each L, On: QueryExpression>(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L), Tables3<A, B, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.left, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `RIGHT JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func rightJoin<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<QueryValue.QueryOptional, Tables3<A.QueryOptional, B.QueryOptional, C>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `RIGHT JOIN other ON condition`; the columns that were chosen before stay chosen, and are optional.
  @_disfavoredOverload
  public consuming func rightJoin<
    A: Table, B: Table, C: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional), Tables3<A.QueryOptional, B.QueryOptional, C>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.right, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `FULL JOIN other ON condition`; the column that was chosen before stays chosen, and is optional.
  @_disfavoredOverload
  public consuming func fullJoin<A: Table, B: Table, C: Table, On: QueryExpression>(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<QueryValue.QueryOptional, Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// `FULL JOIN other ON condition`; the columns that were chosen before stay chosen, and are optional.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, C: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<C, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional),
    Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    joined(.full, other) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }
}
