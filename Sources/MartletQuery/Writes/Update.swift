/// An UPDATE; with `returning`, a query of what it changed.
///
/// Always true: it changes the rows of the scope that it began with; without assignments it changes none.
public struct Update<Base: Table, QueryValue>: Statement, Sendable, CustomStringConvertible {
  var parts: UpdateParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }
}

/// An UPDATE that returns no rows.
public typealias UpdateOf<Base: Table> = Update<Base, Never>

extension Where {
  /// `UPDATE ... SET ... WHERE ...`: the rows of this scope. With `or`, what happens on a conflict.
  public func update(or resolution: ConflictResolution? = nil, set: (inout Updates<From>) -> Void) -> UpdateOf<From> {
    let assignments = ColumnPlace.open { place in
      var updates = Updates<From>(in: place)
      set(&updates)
      return updates.assignments
    }
    return updating(assignments, or: resolution)
  }

  func updating(_ assignments: [AssignmentPart], or resolution: ConflictResolution?) -> UpdateOf<From> {
    Update(
      parts: UpdateParts(
        or: resolution, table: source, assignments: assignments, predicates: restriction,
        firstColumn: From.TableColumns.writableColumns.first ?? "rowid"))
  }
}

extension Where {
  /// `UPDATE ... FROM`: `Reminder.update(from: RemindersList.all) { ... } where: { ... }`.
  public func update<Other: SelectStatement>(
    or resolution: ConflictResolution? = nil, from other: Other,
    set: (inout Updates<From>, Other.Sources.Columns) -> Void,
    @PredicateBuilder where predicate: (From.TableColumns, Other.Sources.Columns) -> [QueryFragment]
  ) -> UpdateOf<From> {
    updating([], or: resolution).from(other, set: set, where: predicate)
  }
}

extension Table {
  /// `UPDATE ... SET ... FROM other WHERE ...`: rows that `where` pairs with rows of another query.
  public static func update<Other: SelectStatement>(
    or resolution: ConflictResolution? = nil, from other: Other,
    set: (inout Updates<Self>, Other.Sources.Columns) -> Void,
    @PredicateBuilder where predicate: (TableColumns, Other.Sources.Columns) -> [QueryFragment]
  ) -> UpdateOf<Self> {
    Where().update(or: resolution, from: other, set: set, where: predicate)
  }

  /// `UPDATE ... SET ...`: every row of the default scope.
  public static func update(
    or resolution: ConflictResolution? = nil, set: (inout Updates<Self>) -> Void
  ) -> UpdateOf<Self> {
    Where().update(or: resolution, set: set)
  }
}

extension PrimaryKeyedTable {
  /// Writes every column of the row that has the row's key, if it is one of the default scope.
  public static func update(or resolution: ConflictResolution? = nil, _ row: Self) -> UpdateOf<Self> {
    let columns = TableColumns.allColumns
    let values = row.columnFragments
    let assignments = columns.indices.filter { !columns[$0].isPrimaryKey && !columns[$0].isGenerated }.map {
      AssignmentPart(columns: [columns[$0].name], value: values[$0])
    }
    return Where<Self>().found(keyOf: row).updating(assignments, or: resolution)
  }
}

extension Update where QueryValue == Never {
  /// `WHERE ...`: only rows for which these conditions hold too.
  public func `where`(@PredicateBuilder _ predicate: (Base.TableColumns) -> [QueryFragment]) -> Update {
    changed { $0.predicates += ColumnPlace.open { predicate(Base.placedColumns(in: $0)) } }
  }

  /// `WHERE column`, for a Boolean column.
  public func `where`<E: QueryExpression>(_ path: KeyPath<Base.TableColumns, E>) -> Update
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    changed { $0.predicates.append(Base.columns[keyPath: path].queryFragment) }
  }

  /// `UPDATE ... FROM`: assignments and filters that read another table, or several that are joined.
  public func from<Other: SelectStatement>(
    _ other: Other, set: (inout Updates<Base>, Other.Sources.Columns) -> Void,
    @PredicateBuilder where predicate: (Base.TableColumns, Other.Sources.Columns) -> [QueryFragment]
  ) -> Update {
    let joined = other.asSelect().parts.scoped.asSource(Other.Sources.self)
    let assignments = ColumnPlace.open { place in
      var updates = Updates<Base>(in: place)
      updates.assignments = parts.assignments
      set(&updates, Other.Sources.placedColumns(in: place))
      return updates.assignments
    }
    return changed { parts in
      parts.from = joined.source
      parts.joins = joined.joins
      parts.assignments = assignments.map {
        AssignmentPart(columns: $0.columns, value: joined.withoutSchemaOfRows($0.value))
      }
      let conditions = ColumnPlace.open {
        predicate(Base.placedColumns(in: $0), Other.Sources.placedColumns(in: $0))
      }
      let predicates = conditions + joined.allPredicates
      parts.predicates += predicates.map(joined.withoutSchemaOfRows)
    }
  }

  /// Which rows come first, for a limit. SQLite has it only if it was compiled with it.
  public func order(@OrderBuilder by terms: (Base.TableColumns) -> [OrderingTerm]) -> Update {
    changed { $0.order += ColumnPlace.open { terms(Base.placedColumns(in: $0)) } }
  }

  /// The same, of one column: `order(by: \.id)`.
  public func order<E: QueryExpression>(by path: KeyPath<Base.TableColumns, E>) -> Update {
    order { $0[keyPath: path] }
  }

  /// `LIMIT count OFFSET offset`: at most so many rows. SQLite has it only if it was compiled with it.
  public func limit(_ count: Int, offset: Int? = nil) -> Update {
    changed { parts in
      parts.limit = count.queryFragment
      if let offset { parts.offset = offset.queryFragment }
    }
  }

  func changed(_ change: (inout UpdateParts) -> Void) -> Update {
    var result = self
    change(&result.parts)
    return result
  }
}

extension Update where QueryValue == Never, Base: PrimaryKeyedTable {
  /// `WHERE "id" = key`: only the row with the key.
  public func find(_ key: Base.PrimaryKey.QueryOutput) -> Update { found(Where(isScoped: false).find(key)) }

  /// `WHERE "id" = key`, of a key that is an expression, such as a subquery.
  @_disfavoredOverload
  public func find<Key: QueryExpression>(_ key: Key) -> Update
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == Base.PrimaryKey.QueryUnwrapped {
    found(Where(isScoped: false).find(key))
  }

  /// `WHERE "id" = key`, of a key in SQL.
  public func find(_ key: SQLQueryExpression<Base.PrimaryKey>) -> Update { found(Where(isScoped: false).find(key)) }

  /// `WHERE "id" IN (...)`: only the rows with the keys.
  public func find(_ keys: some Sequence<Base.PrimaryKey.QueryOutput>) -> Update {
    found(Where(isScoped: false).find(keys))
  }

  /// `WHERE "id" IN (...)`, of keys in SQL.
  @_disfavoredOverload
  public func find(_ keys: some Sequence<SQLQueryExpression<Base.PrimaryKey>>) -> Update {
    found(Where(isScoped: false).find(keys))
  }

  /// `WHERE "id" >= key`: only the rows of a range of keys, which has no end.
  public func find(_ keys: PartialRangeFrom<Base.PrimaryKey.QueryOutput>) -> Update
  where Base.PrimaryKey.QueryOutput: Comparable {
    found(Where(isScoped: false).find(keys))
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value of the primary key's type, or a sequence of such values.")
  public func find<Other>(_ key: Other) -> Update { self }

  private func found(_ rows: Where<Base>) -> Update { changed { $0.predicates += rows.predicates } }
}

extension SelectParts {
  /// What UPDATE can read FROM: tables and conditions. A query that chooses among its rows becomes a subquery there.
  fileprivate func asSource<Sources: TableSources>(_ sources: Sources.Type) -> SelectParts {
    guard limit != nil || offset != nil || !group.isEmpty || !having.isEmpty else { return self }
    var parts = SelectParts()
    guard joins.isEmpty, let source else {
      let reason = "UPDATE reads a join's tables and conditions only. Make a common table of its groups or its limit."
      parts.source = source
      parts.joins = joins
      parts.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
      return parts
    }
    var rows = self
    rows.columns = Sources.First.ownColumns
    parts.source = source.asQuery(rows)
    return parts
  }
}
