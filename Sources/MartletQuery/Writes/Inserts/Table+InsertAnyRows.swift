/// Collects rows of several kinds for one INSERT: whole rows, drafts, and rows of expressions, such as
/// `Reminder.Columns(title: $0.title, …)`.
///
/// Always true: all of them are rows of the table. If one of them has a key, or another value that the table could fill
/// in, the others have NULL there; for an INTEGER PRIMARY KEY the table fills in even that.
@resultBuilder
public enum AnyRowsBuilder<Base: Table> {
  public static func buildExpression<E: QueryExpression>(_ row: E) -> [[QueryFragment]] where E.QueryValue == Base {
    [row.columnFragments.map(\.unnamed)]
  }

  public static func buildExpression(_ rows: [Base]) -> [[QueryFragment]] { rows.map(\.columnFragments) }

  public static func buildExpression<E: QueryExpression>(_ draft: E) -> [[QueryFragment]]
  where Base: DraftableTable, E.QueryValue == Base.Draft {
    [draft.columnFragments.map(\.unnamed)]
  }

  public static func buildExpression(_ drafts: [Base.Draft]) -> [[QueryFragment]] where Base: DraftableTable {
    drafts.map(\.columnFragments)
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "This is no row of the table. Write rows of it, or drafts of them.")
  public static func buildExpression<Other>(_ other: Other) -> [[QueryFragment]] { [] }

  public static func buildBlock(_ parts: [[QueryFragment]]...) -> [[QueryFragment]] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [[QueryFragment]]?) -> [[QueryFragment]] { part ?? [] }
  public static func buildEither(first: [[QueryFragment]]) -> [[QueryFragment]] { first }
  public static func buildEither(second: [[QueryFragment]]) -> [[QueryFragment]] { second }
  public static func buildArray(_ parts: [[[QueryFragment]]]) -> [[QueryFragment]] { parts.flatMap { $0 } }
}

extension Table {
  /// Rows of several kinds: whole rows, drafts, and rows of expressions, `Reminder.Columns(…)`.
  @_disfavoredOverload
  public static func insert(
    or resolution: ConflictResolution? = nil, @AnyRowsBuilder<Self> _ rows: () -> [[QueryFragment]]
  ) -> InsertOf<Self> {
    inserting(rows(), or: resolution)
  }
}

// MARK: - ON CONFLICT DO NOTHING

extension Table {
  /// Inserts rows with `ON CONFLICT ("key") DO NOTHING`: a row whose values in these columns are there already is left
  /// out; with a condition for the key of a partial index.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).leaving(target(columns), targetPredicate(columns))
  }

  /// Inserts values of one column with `ON CONFLICT ("key") DO NOTHING`.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    @ValuesBuilder<E.QueryValue> values: () -> [[QueryFragment]],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, values: values).leaving(target(Self.columns), targetPredicate(Self.columns))
  }

  /// Inserts values of several columns with `ON CONFLICT ("key") DO NOTHING`.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    @ValuesBuilder<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)> values: () ->
      [[QueryFragment]],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, values: values).leaving(target(Self.columns), targetPredicate(Self.columns))
  }

  /// Inserts a query's rows into one column with `ON CONFLICT ("key") DO NOTHING`.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).leaving(target(Self.columns), targetPredicate(Self.columns))
  }

  /// Inserts a query's rows into several columns with `ON CONFLICT ("key") DO NOTHING`.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).leaving(target(Self.columns), targetPredicate(Self.columns))
  }
}

extension DraftableTable {
  /// Inserts drafts with `ON CONFLICT ("key") DO NOTHING`: a row whose values in these columns are there already is
  /// left out.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).leaving(target(columns), targetPredicate(columns))
  }
}

extension Insert where QueryValue == Never {
  /// On a conflict of these columns: leaves the row that is there.
  fileprivate func leaving(_ target: [QueryFragment], _ predicates: [QueryFragment]) -> Insert {
    var result = self
    result.parts.upserts.append(UpsertPart(on: target, where: predicates))
    return result
  }
}
