/// RETURNING: columns and expressions of the rows that a write changed.
///
/// Always true: columns stand without their table's name, as SQLite wants them there.

extension Insert where QueryValue == Never {
  /// One column or expression, or the whole row: `returning(\.self)`.
  public func returning<E: QueryExpression>(_ columns: (Into.TableColumns) -> E) -> Insert<Into, E.QueryValue> {
    returning(columns(Into.columns).columnFragments)
  }

  /// `RETURNING a, b`: several columns or expressions of each row that was inserted or updated by it.
  public func returning<each E: QueryExpression>(
    _ columns: (Into.TableColumns) -> (repeat each E)
  ) -> Insert<Into, (repeat (each E).QueryValue)> {
    var fragments: [QueryFragment] = []
    for expression in repeat each columns(Into.columns) { fragments += expression.columnFragments }
    return returning(fragments)
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
  public func returning<E: QueryExpression>(_ columns: (Base.TableColumns) -> E) -> Update<Base, E.QueryValue> {
    returning(columns(Base.columns).columnFragments)
  }

  /// `RETURNING a, b`: several columns or expressions of each row, as they are after the update.
  public func returning<each E: QueryExpression>(
    _ columns: (Base.TableColumns) -> (repeat each E)
  ) -> Update<Base, (repeat (each E).QueryValue)> {
    var fragments: [QueryFragment] = []
    for expression in repeat each columns(Base.columns) { fragments += expression.columnFragments }
    return returning(fragments)
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
  public func returning<E: QueryExpression>(_ columns: (Base.TableColumns) -> E) -> Delete<Base, E.QueryValue> {
    returning(columns(Base.columns).columnFragments)
  }

  /// `RETURNING a, b`: several columns or expressions of each row, as they were.
  public func returning<each E: QueryExpression>(
    _ columns: (Base.TableColumns) -> (repeat each E)
  ) -> Delete<Base, (repeat (each E).QueryValue)> {
    var fragments: [QueryFragment] = []
    for expression in repeat each columns(Base.columns) { fragments += expression.columnFragments }
    return returning(fragments)
  }

  /// The whole row.
  public func returning(_ table: Base.Type) -> Delete<Base, Base> { returning(Base.columns.columnFragments) }

  private func returning<Value>(_ columns: [QueryFragment]) -> Delete<Base, Value> {
    var parts = parts
    parts.returning = columns
    return Delete<Base, Value>(parts: parts)
  }
}
