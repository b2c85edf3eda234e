/// The clauses of a SELECT, for queries over any number of tables.
///
/// Always true: each returns a new query and leaves the old one as it was; clauses of one kind add up.
extension SelectStatement {
  /// `WHERE ...`: the conditions of the closure, and those that the query had, all hold.
  @_disfavoredOverload
  public consuming func `where`(
    @PredicateBuilder _ predicate: (Sources.Columns) -> [QueryFragment]
  ) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.predicates += ColumnPlace.open { predicate(Sources.placedColumns(in: $0)) } }
  }

  /// `WHERE column`, for a Boolean column.
  @_disfavoredOverload
  public consuming func `where`<E: QueryExpression>(_ path: KeyPath<Sources.Columns, E>) -> Select<QueryValue, Sources>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    asSelect().changed { $0.predicates.append(Sources.columns[keyPath: path].queryFragment) }
  }

  /// `SELECT DISTINCT`: equal rows once; all of them again with false.
  public consuming func distinct(_ isDistinct: Bool = true) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.distinct = isDistinct }
  }

  // MARK: GROUP BY, HAVING

  /// `GROUP BY ...`: a row of the result for each group of rows in which these are equal.
  public consuming func group(@ColumnsBuilder by columns: (Sources.Columns) -> [QueryFragment]) -> Select<
    QueryValue, Sources
  > {
    asSelect().changed { $0.group += ColumnPlace.open { columns(Sources.placedColumns(in: $0)) } }
  }

  /// `GROUP BY column`.
  public consuming func group<E: QueryExpression>(by path: KeyPath<Sources.Columns, E>) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.group += Sources.columns[keyPath: path].columnFragments }
  }

  /// `HAVING ...`: the groups for which the conditions hold. They may hold aggregates.
  public consuming func having(
    @PredicateBuilder _ predicate: (Sources.Columns) -> [QueryFragment]
  ) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.having += ColumnPlace.open { predicate(Sources.placedColumns(in: $0)) } }
  }

  /// `HAVING column`, for a Boolean column.
  public consuming func having<E: QueryExpression>(_ path: KeyPath<Sources.Columns, E>) -> Select<QueryValue, Sources>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    asSelect().changed { $0.having.append(Sources.columns[keyPath: path].queryFragment) }
  }

  // MARK: ORDER BY, LIMIT

  /// `ORDER BY ...`: by these terms, after those that the query had.
  public consuming func order(@OrderBuilder by terms: (Sources.Columns) -> [OrderingTerm]) -> Select<
    QueryValue, Sources
  > {
    asSelect().changed { $0.order += ColumnPlace.open { terms(Sources.placedColumns(in: $0)) } }
  }

  /// `ORDER BY column`, ascending.
  public consuming func order<E: QueryExpression>(by path: KeyPath<Sources.Columns, E>) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.order += OrderingTerm.terms(of: Sources.columns[keyPath: path]) }
  }

  /// `LIMIT count OFFSET offset`: at most so many rows after the first `offset`. A negative count is no limit; nil adds
  /// none, and leaves one that the query has.
  public consuming func limit(_ count: Int?, offset: Int? = nil) -> Select<QueryValue, Sources> {
    asSelect().changed { parts in
      if let count { parts.limit = count.queryFragment }
      if let offset { parts.offset = offset.queryFragment }
    }
  }

  /// `LIMIT count`, computed by an expression that reads no column. A branch of the closure that is not taken adds no
  /// limit.
  public consuming func limit(@BoundBuilder _ count: (Sources.Columns) -> QueryFragment?) -> Select<QueryValue, Sources>
  {
    asSelect().changed { $0.limit = ColumnPlace.open { count(Sources.placedColumns(in: $0)) } ?? $0.limit }
  }

  /// `OFFSET count`: without the first rows; nil adds nothing. If there is no limit SQLite is told `LIMIT -1`.
  public consuming func offset(_ count: Int?) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.offset = count?.queryFragment ?? $0.offset }
  }

  /// `OFFSET count`, computed by an expression that reads no column.
  public consuming func offset(@BoundBuilder _ count: (Sources.Columns) -> QueryFragment?) -> Select<
    QueryValue, Sources
  > {
    asSelect().changed { $0.offset = ColumnPlace.open { count(Sources.placedColumns(in: $0)) } ?? $0.offset }
  }

  // MARK: Named windows

  /// `WINDOW "name" AS (...)`, for `over("name")`.
  public consuming func window(
    _ name: String, as window: (Sources.Columns) -> Window
  ) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.windows.append((name, ColumnPlace.open { window(Sources.placedColumns(in: $0)) })) }
  }
}

// MARK: - Columns

// The compiler tries one column first. A closure with a builder tells it what is said before what that is for; without
// one it would try every operator of several columns for a function that takes one. Where the type of a column depends
// on what the query is handed to, as that of `.low` may, the closure without a builder is tried last.

extension SelectStatement where QueryValue == Sources.Row {
  /// One column, or a whole table, or a selection.
  public consuming func select<E: QueryExpression>(
    @ChoiceBuilder _ columns: (Sources.Columns) -> E
  ) -> Select<E.QueryValue, Sources> {
    asSelect().retyped(QueryFragment.columns(columns, of: Sources.placedColumns))
  }

  /// `SELECT column`, of a key path that a variable holds.
  @_disfavoredOverload
  public func select<E: QueryExpression>(_ path: KeyPath<Sources.Columns, E>) -> Select<E.QueryValue, Sources> {
    select { $0[keyPath: path] }
  }

  /// Several columns.
  public consuming func select<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: ((Sources.Columns) -> (First, Second, repeat each Other))?
  ) -> Select<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue), Sources> {
    asSelect().retyped(QueryFragment.columns(columns, of: Sources.placedColumns))
  }

  /// One column, whose type depends on what the query is handed to.
  @_disfavoredOverload
  public consuming func select<E: QueryExpression>(_ columns: ((Sources.Columns) -> E)?) -> Select<
    E.QueryValue, Sources
  > {
    asSelect().retyped(QueryFragment.columns(columns, of: Sources.placedColumns))
  }

  /// Every column of every table; what a query returns without a `select`, for places that need one.
  public consuming func selectStar() -> Select<QueryValue, Sources> { asSelect() }
}

// Disfavoured, because a query of a whole row takes the functions above for its first choice. Closures are optional
// only so that these functions rank behind others. One function for one column and for several would also take a
// closure that returns none.

extension Select where QueryValue: QueryRepresentable {
  /// One column more.
  @_disfavoredOverload
  public consuming func select<E: QueryExpression>(
    @ChoiceBuilder _ column: (Sources.Columns) -> E
  ) -> Select<(QueryValue, E.QueryValue), Sources> {
    retyped(currentColumns + QueryFragment.columns(column, of: Sources.placedColumns))
  }

  /// Several columns more.
  @_disfavoredOverload
  public consuming func select<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: ((Sources.Columns) -> (First, Second, repeat each Other))?
  ) -> Select<(QueryValue, First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue), Sources> {
    retyped(currentColumns + QueryFragment.columns(columns, of: Sources.placedColumns))
  }
}

extension Select {
  /// One column more.
  @_disfavoredOverload
  public consuming func select<First, Second, each Other, E: QueryExpression>(
    @ChoiceBuilder _ column: (Sources.Columns) -> E
  ) -> Select<(First, Second, repeat each Other, E.QueryValue), Sources>
  where QueryValue == (First, Second, repeat each Other) {
    retyped(currentColumns + QueryFragment.columns(column, of: Sources.placedColumns))
  }

  /// Several columns more.
  @_disfavoredOverload
  public consuming func select<
    First, Second, each Other, A: QueryExpression, B: QueryExpression, each C: QueryExpression
  >(
    _ columns: ((Sources.Columns) -> (A, B, repeat each C))?
  ) -> Select<(First, Second, repeat each Other, A.QueryValue, B.QueryValue, repeat (each C).QueryValue), Sources>
  where QueryValue == (First, Second, repeat each Other) {
    retyped(currentColumns + QueryFragment.columns(columns, of: Sources.placedColumns))
  }
}
