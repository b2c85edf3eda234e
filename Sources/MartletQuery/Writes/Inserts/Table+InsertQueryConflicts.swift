/// INSERT of a query's rows into chosen columns, with what to do on a conflict as labelled closures.
///
/// Always true: each is `insert` followed by `onConflictDoUpdate` or `onConflict` of the same labels.
extension Table {
  // MARK: One column

  /// Inserts a query's rows with `ON CONFLICT DO UPDATE`, whatever is unique; the closure gets the row that could not
  /// be inserted too.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    onConflictDoUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT DO UPDATE`, whatever is unique.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    onConflictDoUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is
  /// there, it is updated; the closure gets the row that could not be inserted too.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index;
  /// the closure gets the row that could not be inserted too.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(
      target, where: targetPredicate, doUpdate: updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is
  /// there, it is updated.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index.
  public static func insert<E: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> E,
    select query: () -> some Statement<E.QueryValue>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(
      target, where: targetPredicate, doUpdate: updates, where: predicate)
  }

  // MARK: Several columns

  /// Inserts a query's rows with `ON CONFLICT DO UPDATE`, whatever is unique; the closure gets the row that could not
  /// be inserted too.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    onConflictDoUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT DO UPDATE`, whatever is unique.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    onConflictDoUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is
  /// there, it is updated; the closure gets the row that could not be inserted too.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index;
  /// the closure gets the row that could not be inserted too.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(
      target, where: targetPredicate, doUpdate: updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is
  /// there, it is updated.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts a query's rows with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index.
  public static func insert<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    select query: () -> some Statement<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)>,
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, columns, select: query).onConflict(
      target, where: targetPredicate, doUpdate: updates, where: predicate)
  }
}
