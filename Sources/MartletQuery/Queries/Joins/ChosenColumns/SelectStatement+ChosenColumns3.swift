import MartletAST

/// Joins of two tables with a query that chose its columns.
///
/// Always true: its columns stand behind those that were chosen so far, of which there may be none.
extension SelectStatement {
  /// The column that the joined query chose.
  @_disfavoredOverload
  public func join<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<R, Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(
      .inner, JoinedColumns(select: other)
    ) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// The columns that the joined query chose.
  @_disfavoredOverload
  public func join<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(R1, R2, repeat each R), Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(
      .inner, JoinedColumns(select: other)
    ) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// The column that each query chose.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(QueryValue, R), Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The column of the first query, and those of the second.
  @_disfavoredOverload
  public consuming func join<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(QueryValue, R1, R2, repeat each R), Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of the first query, and that of the second.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, C: Table, L1, L2, each L, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L, R), Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of both queries.
  @_disfavoredOverload
  public consuming func join<
    A: Table, B: Table, C: Table, L1, L2, each L, R1: QueryRepresentable, R2: QueryRepresentable,
    each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L, R1, R2, repeat each R), Tables3<A, B, C>>
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  // MARK: With optional columns of the last query

  /// The column that the joined query chose.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<R.QueryOptional, Tables3<A, B, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.left, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns that the joined query chose.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional), Tables3<A, B, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.left, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The column that each query chose.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(QueryValue, R.QueryOptional), Tables3<A, B, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The column of the first query, and those of the second.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (QueryValue, R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional), Tables3<A, B, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of the first query, and that of the second.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, C: Table, L1, L2, each L, R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L, R.QueryOptional), Tables3<A, B, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of both queries.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, C: Table, L1, L2, each L, R1: QueryRepresentable, R2: QueryRepresentable,
    each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (L1, L2, repeat each L, R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional),
    Tables3<A, B, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }
}
