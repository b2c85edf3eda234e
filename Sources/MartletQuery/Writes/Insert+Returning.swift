/// RETURNING: columns and expressions of the rows that a write changed.
///
/// Always true: columns stand without their table's name, as SQLite wants them there. Of the closures that could be
/// meant the compiler tries those of one column first, as of `select`.
extension Insert where QueryValue == Never {
  /// One column or expression, or the whole row: `returning(\.self)`.
  public func returning<E: QueryExpression>(
    @ChoiceBuilder _ columns: (Into.TableColumns) -> E
  ) -> Insert<Into, E.QueryValue> {
    returning(ColumnPlace.open { columns(Into.placedColumns(in: $0)).undirectedColumns })
  }

  /// `RETURNING a, b`: several columns or expressions of each row that was inserted or updated by it.
  public func returning<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: ((Into.TableColumns) -> (First, Second, repeat each Other))?
  ) -> Insert<Into, (First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)> {
    returning(QueryFragment.columns(columns, of: Into.placedColumns))
  }

  /// `RETURNING column`, of a key path that a variable holds.
  @_disfavoredOverload
  public func returning<E: QueryExpression>(
    _ path: KeyPath<Into.TableColumns, E>
  ) -> Insert<Into, E.QueryValue> {
    returning { $0[keyPath: path] }
  }

  /// One column or expression, whose type depends on what the statement is handed to.
  @_disfavoredOverload
  public func returning<E: QueryExpression>(_ columns: ((Into.TableColumns) -> E)?) -> Insert<Into, E.QueryValue> {
    returning(QueryFragment.columns(columns, of: Into.placedColumns))
  }

  /// The whole row.
  public func returning(_ table: Into.Type) -> Insert<Into, Into> { returning(Into.columns.columnFragments) }

  private func returning<Value>(_ columns: [QueryFragment]) -> Insert<Into, Value> {
    var parts = parts
    parts.returning = columns
    return Insert<Into, Value>(parts: parts)
  }
}

extension Update where QueryValue == Never {
  /// One column or expression, or the whole row: `returning(\.self)`.
  public func returning<E: QueryExpression>(
    @ChoiceBuilder _ columns: (Base.TableColumns) -> E
  ) -> Update<Base, E.QueryValue> {
    returning(ColumnPlace.open { columns(Base.placedColumns(in: $0)).undirectedColumns })
  }

  /// `RETURNING a, b`: several columns or expressions of each row, as they are after the update.
  public func returning<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: ((Base.TableColumns) -> (First, Second, repeat each Other))?
  ) -> Update<Base, (First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)> {
    returning(QueryFragment.columns(columns, of: Base.placedColumns))
  }

  /// `RETURNING column`, of a key path that a variable holds.
  @_disfavoredOverload
  public func returning<E: QueryExpression>(
    _ path: KeyPath<Base.TableColumns, E>
  ) -> Update<Base, E.QueryValue> {
    returning { $0[keyPath: path] }
  }

  /// One column or expression, whose type depends on what the statement is handed to.
  @_disfavoredOverload
  public func returning<E: QueryExpression>(_ columns: ((Base.TableColumns) -> E)?) -> Update<Base, E.QueryValue> {
    returning(QueryFragment.columns(columns, of: Base.placedColumns))
  }

  /// The whole row.
  public func returning(_ table: Base.Type) -> Update<Base, Base> { returning(Base.columns.columnFragments) }

  private func returning<Value>(_ columns: [QueryFragment]) -> Update<Base, Value> {
    var parts = parts
    parts.returning = columns
    return Update<Base, Value>(parts: parts)
  }
}

extension Delete where QueryValue == Never {
  /// One column or expression, or the whole row: `returning(\.self)`.
  public func returning<E: QueryExpression>(
    @ChoiceBuilder _ columns: (Base.TableColumns) -> E
  ) -> Delete<Base, E.QueryValue> {
    returning(ColumnPlace.open { columns(Base.placedColumns(in: $0)).undirectedColumns })
  }

  /// `RETURNING a, b`: several columns or expressions of each row, as they were.
  public func returning<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: ((Base.TableColumns) -> (First, Second, repeat each Other))?
  ) -> Delete<Base, (First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)> {
    returning(QueryFragment.columns(columns, of: Base.placedColumns))
  }

  /// `RETURNING column`, of a key path that a variable holds.
  @_disfavoredOverload
  public func returning<E: QueryExpression>(
    _ path: KeyPath<Base.TableColumns, E>
  ) -> Delete<Base, E.QueryValue> {
    returning { $0[keyPath: path] }
  }

  /// One column or expression, whose type depends on what the statement is handed to.
  @_disfavoredOverload
  public func returning<E: QueryExpression>(_ columns: ((Base.TableColumns) -> E)?) -> Delete<Base, E.QueryValue> {
    returning(QueryFragment.columns(columns, of: Base.placedColumns))
  }

  /// The whole row.
  public func returning(_ table: Base.Type) -> Delete<Base, Base> { returning(Base.columns.columnFragments) }

  private func returning<Value>(_ columns: [QueryFragment]) -> Delete<Base, Value> {
    var parts = parts
    parts.returning = columns
    return Delete<Base, Value>(parts: parts)
  }
}
