import MartletAST

/// Joins of queries that chose their columns: `A.select { ($0.a, $0.b) }.join(B.select { ($0.c, $0.d) }) { … }`.
///
/// Always true: the columns of the result are those that the first query chose, and then those of the second, side by
/// side. A query that chose none adds none. The side that a join may leave out has optional ones.
extension SelectStatement {
  /// The column that the joined query chose.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<R, Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0))
    }
  }

  /// The columns that the joined query chose.
  @_disfavoredOverload
  public consuming func join<
    A: Table, B: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<B>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(R1, R2, repeat each R), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0))
    }
  }

  /// The column that each query chose.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(QueryValue, R), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0))
    }
  }

  /// The column of the first query, and those of the second.
  @_disfavoredOverload
  public consuming func join<
    A: Table, B: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<B>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(QueryValue, R1, R2, repeat each R), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0))
    }
  }

  /// The columns of the first query, and that of the second.
  @_disfavoredOverload
  public consuming func join<A: Table, B: Table, L1, L2, each L, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L, R), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0))
    }
  }

  /// The columns of both queries.
  @_disfavoredOverload
  public consuming func join<
    A: Table, B: Table, L1, L2, each L, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<B>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L, R1, R2, repeat each R), Tables2<A, B>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.inner, JoinedColumns(select: other)) {
      condition(A.placedColumns(in: $0), B.placedColumns(in: $0))
    }
  }

  // MARK: With optional columns of the second query

  /// The column that the joined query chose.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<R.QueryOptional, Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.left, JoinedColumns(select: other)) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// The columns that the joined query chose.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<B>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional), Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, QueryValue == Sources.Row, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    unchosen.joined(.left, JoinedColumns(select: other)) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// The column that each query chose.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(QueryValue, R.QueryOptional), Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// The column of the first query, and those of the second.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable, On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<B>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<
    (QueryValue, R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional), Tables2<A, B.QueryOptional>
  >
  where
    Sources == Tables1<A>, QueryValue: QueryRepresentable, On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// The columns of the first query, and that of the second.
  @_disfavoredOverload
  public consuming func leftJoin<A: Table, B: Table, L1, L2, each L, R: QueryRepresentable, On: QueryExpression>(
    _ other: Select<R, Tables1<B>>, @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<(L1, L2, repeat each L, R.QueryOptional), Tables2<A, B.QueryOptional>>
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// The columns of both queries.
  @_disfavoredOverload
  public consuming func leftJoin<
    A: Table, B: Table, L1, L2, each L, R1: QueryRepresentable, R2: QueryRepresentable, each R: QueryRepresentable,
    On: QueryExpression
  >(
    _ other: Select<(R1, R2, repeat each R), Tables1<B>>,
    @ChoiceBuilder on condition: (A.TableColumns, B.TableColumns) -> On
  ) -> Select<
    (L1, L2, repeat each L, R1.QueryOptional, R2.QueryOptional, repeat (each R).QueryOptional),
    Tables2<A, B.QueryOptional>
  >
  where
    Sources == Tables1<A>, QueryValue == (L1, L2, repeat each L), On.QueryValue: QueryRepresentable,
    On.QueryValue.QueryUnwrapped == Bool
  {
    choosing.joined(.left, JoinedColumns(select: other)) { condition(A.placedColumns(in: $0), B.placedColumns(in: $0)) }
  }

  /// With its columns named, so that those of another query come after them.
  var choosing: Select<QueryValue, Sources> {
    var select = asSelect()
    select.parts.columns = select.currentColumns
    return select
  }
}

/// A query over one table with columns of its own, on its way into a join.
struct JoinedColumns<Value, Joined: Table>: JoinableStatement {
  var select: Select<Value, Tables1<Joined>>
  var joinedParts: JoinedQuery {
    var parts = select.parts
    parts.columns = select.currentColumns
    return JoinedQuery(parts: parts)
  }
}
