import MartletAST

/// Columns of the first table of a join by their key paths: `.join(…) { … }.order(by: \.title)`.
///
/// Always true: a key path means a column of the first table; of the others a closure tells.
extension SelectStatement where Sources: SeveralTables {
  /// `WHERE column`, for a Boolean column of the first table.
  @_disfavoredOverload
  public consuming func `where`<E: QueryExpression>(
    _ path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<QueryValue, Sources>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    asSelect().changed { $0.predicates.append(Sources.First.columns[keyPath: path].queryFragment) }
  }

  /// `GROUP BY column` of the first table.
  @_disfavoredOverload
  public consuming func group<E: QueryExpression>(
    by path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.group += Sources.First.columns[keyPath: path].columnFragments }
  }

  /// `HAVING column`, for a Boolean column of the first table.
  @_disfavoredOverload
  public consuming func having<E: QueryExpression>(
    _ path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<QueryValue, Sources>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    asSelect().changed { $0.having.append(Sources.First.columns[keyPath: path].queryFragment) }
  }

  /// `ORDER BY column` of the first table, ascending.
  @_disfavoredOverload
  public consuming func order<E: QueryExpression>(
    by path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<QueryValue, Sources> {
    asSelect().changed { $0.order += OrderingTerm.terms(of: Sources.First.columns[keyPath: path]) }
  }
}

/// Sources of several tables, which are joined.
public protocol SeveralTables: TableSources {}
extension Tables2: SeveralTables {}
extension Tables3: SeveralTables {}
extension Tables4: SeveralTables {}
extension Tables5: SeveralTables {}
extension Tables6: SeveralTables {}

extension Select {
  /// The query, of which no row is left. What is made of it has no effect.
  public var none: Select { changed { $0.isNone = true } }
}

extension SelectStatement where Sources: SeveralTables, QueryValue == Sources.Row {
  /// A column of the first table.
  @_disfavoredOverload
  public consuming func select<E: QueryExpression>(
    _ path: KeyPath<Sources.First.TableColumns, E>
  ) -> Select<E.QueryValue, Sources> {
    asSelect().retyped(Sources.First.columns[keyPath: path].columnFragments)
  }
}
