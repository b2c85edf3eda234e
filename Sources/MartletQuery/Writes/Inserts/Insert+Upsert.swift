/// The columns of the row that was to be inserted.
public typealias ExcludedColumns<Base: Table> = AliasColumns<Base, ExcludedRow>

extension Insert where QueryValue == Never {
  /// On any conflict: changes the row that is there. An empty closure does nothing instead.
  public func onConflictDoUpdate(
    _ updates: (inout Updates<Into>, ExcludedColumns<Into>) -> Void,
    @PredicateBuilder where predicate: (Into.TableColumns, ExcludedColumns<Into>) -> [QueryFragment] = { _, _ in [] }
  ) -> Insert {
    adding(UpsertPart(), updates, predicate)
  }

  /// On any conflict: changes the row that is there, without the one that could not be inserted. An empty closure does
  /// nothing instead.
  public func onConflictDoUpdate(
    _ updates: (inout Updates<Into>) -> Void,
    @PredicateBuilder where predicate: (Into.TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> Insert {
    adding(UpsertPart(), { row, _ in updates(&row) }, { row, _ in predicate(row) })
  }

  /// On any conflict: leaves the row that is there.
  public func onConflictDoNothing() -> Insert {
    var result = self
    result.parts.upserts.append(UpsertPart())
    return result
  }

  /// On a conflict of these columns, which some unique index must have: changes the row that is there.
  public func onConflict(
    @ColumnsBuilder _ columns: (Into.TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Into>, ExcludedColumns<Into>) -> Void,
    @PredicateBuilder where predicate: (Into.TableColumns, ExcludedColumns<Into>) -> [QueryFragment] = { _, _ in [] }
  ) -> Insert {
    adding(UpsertPart(on: ColumnPlace.open { columns(Into.placedColumns(in: $0)) }), updates, predicate)
  }

  /// On a conflict of these columns, without the row that could not be inserted.
  public func onConflict(
    @ColumnsBuilder _ columns: (Into.TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Into>) -> Void,
    @PredicateBuilder where predicate: (Into.TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> Insert {
    adding(
      UpsertPart(on: ColumnPlace.open { columns(Into.placedColumns(in: $0)) }), { row, _ in updates(&row) },
      { row, _ in predicate(row) })
  }

  /// On a conflict in a partial unique index, which has these columns and this filter.
  public func onConflict(
    @ColumnsBuilder _ columns: (Into.TableColumns) -> [QueryFragment],
    @PredicateBuilder where target: (Into.TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Into>, ExcludedColumns<Into>) -> Void,
    @PredicateBuilder where predicate: (Into.TableColumns, ExcludedColumns<Into>) -> [QueryFragment] = { _, _ in [] }
  ) -> Insert {
    adding(
      UpsertPart(
        on: ColumnPlace.open { columns(Into.placedColumns(in: $0)) },
        where: ColumnPlace.open { target(Into.placedColumns(in: $0)) }), updates, predicate)
  }

  /// On a conflict in a partial unique index, without the row that could not be inserted.
  public func onConflict(
    @ColumnsBuilder _ columns: (Into.TableColumns) -> [QueryFragment],
    @PredicateBuilder where target: (Into.TableColumns) -> [QueryFragment],
    doUpdate updates: (inout Updates<Into>) -> Void,
    @PredicateBuilder where predicate: (Into.TableColumns) -> [QueryFragment] = { _ in [] }
  ) -> Insert {
    adding(
      UpsertPart(
        on: ColumnPlace.open { columns(Into.placedColumns(in: $0)) },
        where: ColumnPlace.open { target(Into.placedColumns(in: $0)) }), { row, _ in updates(&row) },
      { row, _ in predicate(row) })
  }

  /// On a conflict of these columns: leaves the row that is there.
  public func onConflictDoNothing(@ColumnsBuilder _ columns: (Into.TableColumns) -> [QueryFragment]) -> Insert {
    var result = self
    result.parts.upserts.append(UpsertPart(on: ColumnPlace.open { columns(Into.placedColumns(in: $0)) }))
    return result
  }

  private func adding(
    _ part: UpsertPart, _ updates: (inout Updates<Into>, ExcludedColumns<Into>) -> Void,
    _ predicate: (Into.TableColumns, ExcludedColumns<Into>) -> [QueryFragment]
  ) -> Insert {
    var part = part
    part.assignments = ColumnPlace.open { place in
      var row = Updates<Into>(in: place)
      updates(&row, ExcludedColumns<Into>(in: place))
      return row.assignments
    }
    // If nothing is assigned, the condition decides nothing, and DO NOTHING takes none.
    if !part.assignments.isEmpty {
      part.predicates = ColumnPlace.open {
        predicate(Into.placedColumns(in: $0), ExcludedColumns<Into>(in: $0))
      }
    }
    var result = self
    result.parts.upserts.append(part)
    return result
  }
}

extension PrimaryKeyedTable {
  /// Inserts rows; if a row's key is there already, writes every other column of the row. What no draft says, and the
  /// database fills in, stays as it is.
  public static func upsert(@RowsBuilder<Draft> _ rows: () -> [Draft]) -> InsertOf<Self> {
    upserting(inserting(rows().map(\.columnFragments), or: nil))
  }

  /// Inserts whole rows, or rows of several kinds; if a row's key is there already, writes every other column of the
  /// row. What one of the rows says, all of them write.
  @_disfavoredOverload
  public static func upsert(@AnyRowsBuilder<Self> _ rows: () -> [[QueryFragment]]) -> InsertOf<Self> {
    upserting(inserting(rows(), or: nil))
  }

  private static func upserting(_ insert: InsertOf<Self>) -> InsertOf<Self> {
    var insert = insert
    let columns = TableColumns.allColumns
    let key = columns.filter(\.isPrimaryKey).map { QueryFragment.column($0.name, of: Self.self) }
    // Without a key in the rows there can be no conflict over one.
    guard insert.parts.columns.contains(where: { name in key.contains { $0.columnName == name } }) else {
      return insert
    }
    let written = Set(insert.parts.columns)
    let assignments = columns.filter { !$0.isPrimaryKey && written.contains($0.name) }.map { column in
      AssignmentPart(columns: [column.name], value: .column(column.name, table: ExcludedRow.aliasName))
    }
    insert.parts.upserts.append(UpsertPart(target: key, assignments: assignments))
    return insert
  }
}
