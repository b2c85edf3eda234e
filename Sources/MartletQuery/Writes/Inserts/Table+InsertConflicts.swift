/// INSERT of rows with what to do on a conflict, as labelled closures behind the rows.
///
/// Always true: each is `insert` followed by `onConflictDoUpdate` or `onConflict` of the same labels.
extension Table {
  // MARK: Whole rows

  /// Inserts rows with `ON CONFLICT DO UPDATE`, whatever is unique; the closure gets the row that could not be
  /// inserted too.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    onConflictDoUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts rows with `ON CONFLICT DO UPDATE`, whatever is unique.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    onConflictDoUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts rows with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is there, it is
  /// updated; the closure gets the row that could not be inserted too.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts rows with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index; the
  /// closure gets the row that could not be inserted too.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, where: targetPredicate, doUpdate: updates, where: predicate)
  }

  /// Inserts rows with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is there, it is
  /// updated.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts rows with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, where: targetPredicate, doUpdate: updates, where: predicate)
  }
}

extension DraftableTable {
  // MARK: Drafts

  /// Inserts drafts with `ON CONFLICT DO UPDATE`, whatever is unique; the closure gets the row that could not be
  /// inserted too.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    onConflictDoUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts drafts with `ON CONFLICT DO UPDATE`, whatever is unique.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    onConflictDoUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflictDoUpdate(updates, where: predicate)
  }

  /// Inserts drafts with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is there, it
  /// is updated; the closure gets the row that could not be inserted too.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts drafts with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index; the
  /// closure gets the row that could not be inserted too.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>, ExcludedColumns<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns, ExcludedColumns<Self>) -> [QueryFragment] = { _, _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, where: targetPredicate, doUpdate: updates, where: predicate)
  }

  /// Inserts drafts with `ON CONFLICT ("key") DO UPDATE`: if a row with the same values in these columns is there, it
  /// is updated.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, doUpdate: updates, where: predicate)
  }

  /// Inserts drafts with `ON CONFLICT ("key") WHERE ... DO UPDATE`, for the key of a partial index.
  public static func insert(
    or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft],
    @ColumnsBuilder onConflict target: (TableColumns) -> [QueryFragment],
    @PredicateBuilder where targetPredicate: (TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Self>) -> Void,
    @PredicateBuilder where predicate: (TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> InsertOf<Self> {
    insert(or: resolution, rows).onConflict(target, where: targetPredicate, doUpdate: updates, where: predicate)
  }
}
