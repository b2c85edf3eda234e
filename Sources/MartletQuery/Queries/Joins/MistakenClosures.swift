/// Messages of the compiler for closures that leave out a table of a join. Without these the compiler says that a tuple
/// has no such member, or that it expects another number of arguments.
///
/// Always true: nothing here is available, so no statement is made of it, and the compiler looks at it only if nothing
/// else fits. Queries of one and of two tables have none of it: there these would be taken for what is meant by a
/// closure that has all its arguments, and another mistake.
extension Select where Sources: ManyJoinedSources {
  // MARK: One argument, of the first table

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func `where`<Result>(
    _ closure: (Sources.First.TableColumns) -> Result
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func group<Result>(
    by closure: (Sources.First.TableColumns) -> Result
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func having<Result>(
    _ closure: (Sources.First.TableColumns) -> Result
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func select<E: QueryExpression>(
    _ closure: (Sources.First.TableColumns) -> E
  ) -> Select<E.QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func select<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ closure: (Sources.First.TableColumns) -> (First, Second, repeat each Other)
  ) -> Select<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue), Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

// MARK: - One argument, of another table

// The closures are optional only so that these rank behind those above.

extension Select where Sources: ManyJoinedSources {
  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func `where`<Result>(
    _ closure: ((Sources.Second.TableColumns) -> Result)?
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func group<Result>(
    by closure: ((Sources.Second.TableColumns) -> Result)?
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func having<Result>(
    _ closure: ((Sources.Second.TableColumns) -> Result)?
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func select<E: QueryExpression>(
    _ closure: ((Sources.Second.TableColumns) -> E)?
  ) -> Select<E.QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension Select where Sources: ManyJoinedSources {
  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func `where`<Result>(
    _ closure: ((Sources.Third.TableColumns) -> Result)??
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func group<Result>(
    by closure: ((Sources.Third.TableColumns) -> Result)??
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func having<Result>(
    _ closure: ((Sources.Third.TableColumns) -> Result)??
  ) -> Select<QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each table of the join in the closure: '{ reminders, lists, tags in … }'.")
  public func select<E: QueryExpression>(
    _ closure: ((Sources.Third.TableColumns) -> E)??
  ) -> Select<E.QueryValue, Sources> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

// MARK: - One argument for several columns

extension SelectStatement {
  /// Says what is missing.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name each column of the query in the closure: '{ title, count in … }'.")
  public func map<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable, Result>(
    _ transform: (SQLQueryExpression<First>) -> Result
  ) -> Select<QueryValue, Sources> where QueryValue == (First, Second, repeat each Other) {
    fatalError("because it is unavailable, nothing calls this")
  }
}
