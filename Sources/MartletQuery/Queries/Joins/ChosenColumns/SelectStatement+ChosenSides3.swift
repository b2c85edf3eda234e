import MartletAST

/// Right and full joins of two tables with a query that chose its columns.
///
/// Always true: every column that was chosen so far is optional, because the join may leave out both tables.
extension SelectStatement {
  // MARK: With optional columns of the first queries

  /// The column that the joined query chose.
  @_disfavoredOverload
  public func rightJoin<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<R, Tables3<A.QueryOptional, B.QueryOptional, C>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(
      .right, JoinedColumns(select: other)
    ) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// The columns that the joined query chose.
  @_disfavoredOverload
  public func rightJoin<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(R1, R2, repeat each R), Tables3<A.QueryOptional, B.QueryOptional, C>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(
      .right, JoinedColumns(select: other)
    ) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0)) }
  }

  /// The column that each query chose.
  @_disfavoredOverload
  public consuming func rightJoin<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(QueryValue.QueryOptional, R), Tables3<A.QueryOptional, B.QueryOptional, C>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.right, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The column of the first query, and those of the second.
  @_disfavoredOverload
  public consuming func rightJoin<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(QueryValue.QueryOptional, R1, R2, repeat each R), Tables3<A.QueryOptional, B.QueryOptional, C>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.right, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of the first query, and that of the second.
  @_disfavoredOverload
  public consuming func rightJoin<
    A: Table, B: Table, C: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional, R), Tables3<A.QueryOptional, B.QueryOptional, C>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.right, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of both queries.
  @_disfavoredOverload
  public consuming func rightJoin<
    A: Table, B: Table, C: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional, R1, R2, repeat each R),
    Tables3<A.QueryOptional, B.QueryOptional, C>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.right, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  // MARK: With optional columns of all queries

  /// The column that the joined query chose.
  @_disfavoredOverload
  public consuming func fullJoin<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<R.QueryOptional, Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.full, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns that the joined query chose.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional),
    Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.full, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The column that each query chose.
  @_disfavoredOverload
  public consuming func fullJoin<A: Table, B: Table, C: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<(QueryValue.QueryOptional, R.QueryOptional), Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>>
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.full, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The column of the first query, and those of the second.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, C: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (QueryValue.QueryOptional, R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional),
    Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.full, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of the first query, and that of the second.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, C: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<R, Tables1<C>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional, R.QueryOptional),
    Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.full, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }

  /// The columns of both queries.
  @_disfavoredOverload
  public consuming func fullJoin<
    A: Table, B: Table, C: Table, L1: QueryRepresentable, L2: QueryRepresentable, each L: QueryRepresentable,
    R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<C>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns, C.TableColumns) -> On
  ) -> Select<
    (
      L1.QueryOptional, L2.QueryOptional, repeat (each L).QueryOptional, R1.QueryOptional, R2.QueryOptional,
      repeat (each R).QueryOptional
    ), Tables3<A.QueryOptional, B.QueryOptional, C.QueryOptional>
  >
  where
    Sources == Tables2<A, B>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.full, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0), C.placedColumns(in: $0))
    }
  }
}
