/// A DELETE; with `returning`, a query of what it deleted.
///
/// Always true: it deletes rows of the scope that it began with.
public struct Delete<Base: Table, QueryValue>: Statement, Sendable, CustomStringConvertible {
  var parts: DeleteParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }
}

/// A DELETE that returns no rows.
public typealias DeleteOf<Base: Table> = Delete<Base, Never>

extension Where {
  /// `DELETE FROM ... WHERE ...`: the rows of this scope.
  public func delete() -> DeleteOf<From> {
    Delete(parts: DeleteParts(table: source, predicates: restriction))
  }
}

extension Table {
  /// `DELETE FROM ...`: every row of the default scope.
  public static func delete() -> DeleteOf<Self> { Where().delete() }
}

extension PrimaryKeyedTable {
  /// The row that has the row's key, if it is one of the default scope.
  public static func delete(_ row: Self) -> DeleteOf<Self> { Where<Self>().found(keyOf: row).delete() }
}

extension Delete where QueryValue == Never {
  /// `WHERE ...`: only rows for which these conditions hold too.
  public func `where`(@PredicateBuilder _ predicate: (Base.TableColumns) -> [QueryFragment]) -> Delete {
    changed { $0.predicates += ColumnPlace.open { predicate(Base.placedColumns(in: $0)) } }
  }

  /// `WHERE column`, for a Boolean column.
  public func `where`<E: QueryExpression>(_ path: KeyPath<Base.TableColumns, E>) -> Delete
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    changed { $0.predicates.append(Base.columns[keyPath: path].queryFragment) }
  }

  /// Which rows come first, for a limit. SQLite has it only if it was compiled with it.
  public func order(@OrderBuilder by terms: (Base.TableColumns) -> [OrderingTerm]) -> Delete {
    changed { $0.order += ColumnPlace.open { terms(Base.placedColumns(in: $0)) } }
  }

  /// The same, of one column: `order(by: \.id)`.
  public func order<E: QueryExpression>(by path: KeyPath<Base.TableColumns, E>) -> Delete {
    order { $0[keyPath: path] }
  }

  /// `LIMIT count OFFSET offset`: at most so many rows. SQLite has it only if it was compiled with it.
  public func limit(_ count: Int, offset: Int? = nil) -> Delete {
    changed { parts in
      parts.limit = count.queryFragment
      if let offset { parts.offset = offset.queryFragment }
    }
  }

  func changed(_ change: (inout DeleteParts) -> Void) -> Delete {
    var result = self
    change(&result.parts)
    return result
  }
}

extension Delete where QueryValue == Never, Base: PrimaryKeyedTable {
  /// `WHERE "id" = key`: only the row with the key.
  public func find(_ key: Base.PrimaryKey.QueryOutput) -> Delete { found(Where(isScoped: false).find(key)) }

  /// `WHERE "id" = key`, of a key that is an expression, such as a subquery.
  @_disfavoredOverload
  public func find<Key: QueryExpression>(_ key: Key) -> Delete
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == Base.PrimaryKey.QueryUnwrapped {
    found(Where(isScoped: false).find(key))
  }

  /// `WHERE "id" = key`, of a key in SQL.
  public func find(_ key: SQLQueryExpression<Base.PrimaryKey>) -> Delete { found(Where(isScoped: false).find(key)) }

  /// `WHERE "id" IN (...)`: only the rows with the keys.
  public func find(_ keys: some Sequence<Base.PrimaryKey.QueryOutput>) -> Delete {
    found(Where(isScoped: false).find(keys))
  }

  /// `WHERE "id" IN (...)`, of keys in SQL.
  @_disfavoredOverload
  public func find(_ keys: some Sequence<SQLQueryExpression<Base.PrimaryKey>>) -> Delete {
    found(Where(isScoped: false).find(keys))
  }

  /// `WHERE "id" >= key`: only the rows of a range of keys, which has no end.
  public func find(_ keys: PartialRangeFrom<Base.PrimaryKey.QueryOutput>) -> Delete
  where Base.PrimaryKey.QueryOutput: Comparable {
    found(Where(isScoped: false).find(keys))
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value of the primary key's type, or a sequence of such values.")
  public func find<Other>(_ key: Other) -> Delete { self }

  private func found(_ rows: Where<Base>) -> Delete { changed { $0.predicates += rows.predicates } }
}
