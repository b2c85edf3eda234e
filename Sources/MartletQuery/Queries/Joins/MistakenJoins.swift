/// Messages of the compiler for joins of a third or fourth table whose closure leaves out one of those before it.
/// Without these the compiler says that it expects another number of arguments, and doubts what stands in the closure.
///
/// Always true: nothing here is available, so no statement is made of it, and the compiler looks at it only if nothing
/// else fits. The joins of one table with another have none of it.

// The closures are optional only so that these functions rank behind one another: the first table's is meant first.

extension SelectStatement {
  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags in … }', or '$0', '$1' and '$2'."
  )
  public func join<A: Table, B: Table, C: Table, Result>(
    _ other: some JoinableStatement<C>, on condition: (A.TableColumns, C.TableColumns) -> Result
  ) -> Select<(A, B, C), Tables3<A, B, C>>
  where Sources == Tables2<A, B> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags in … }', or '$0', '$1' and '$2'."
  )
  public func join<A: Table, B: Table, C: Table, Result>(
    _ other: some JoinableStatement<C>, on condition: ((B.TableColumns, C.TableColumns) -> Result)?
  ) -> Select<(A, B, C), Tables3<A, B, C>>
  where Sources == Tables2<A, B> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags in … }', or '$0', '$1' and '$2'."
  )
  public func leftJoin<A: Table, B: Table, C: Table, Result>(
    _ other: some JoinableStatement<C>, on condition: (A.TableColumns, C.TableColumns) -> Result
  ) -> Select<(A, B, C.QueryOptional), Tables3<A, B, C.QueryOptional>>
  where Sources == Tables2<A, B> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags in … }', or '$0', '$1' and '$2'."
  )
  public func leftJoin<A: Table, B: Table, C: Table, Result>(
    _ other: some JoinableStatement<C>, on condition: ((B.TableColumns, C.TableColumns) -> Result)?
  ) -> Select<(A, B, C.QueryOptional), Tables3<A, B, C.QueryOptional>>
  where Sources == Tables2<A, B> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags, users in … }', or '$0' to '$3'."
  )
  public func join<A: Table, B: Table, C: Table, D: Table, Result>(
    _ other: some JoinableStatement<D>, on condition: (A.TableColumns, D.TableColumns) -> Result
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>>
  where Sources == Tables3<A, B, C> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags, users in … }', or '$0' to '$3'."
  )
  public func join<A: Table, B: Table, C: Table, D: Table, Result>(
    _ other: some JoinableStatement<D>, on condition: ((B.TableColumns, D.TableColumns) -> Result)?
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>>
  where Sources == Tables3<A, B, C> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags, users in … }', or '$0' to '$3'."
  )
  public func join<A: Table, B: Table, C: Table, D: Table, Result>(
    _ other: some JoinableStatement<D>, on condition: ((C.TableColumns, D.TableColumns) -> Result)??
  ) -> Select<(A, B, C, D), Tables4<A, B, C, D>>
  where Sources == Tables3<A, B, C> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags, users in … }', or '$0' to '$3'."
  )
  public func leftJoin<A: Table, B: Table, C: Table, D: Table, Result>(
    _ other: some JoinableStatement<D>, on condition: (A.TableColumns, D.TableColumns) -> Result
  ) -> Select<(A, B, C, D.QueryOptional), Tables4<A, B, C, D.QueryOptional>>
  where Sources == Tables3<A, B, C> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags, users in … }', or '$0' to '$3'."
  )
  public func leftJoin<A: Table, B: Table, C: Table, D: Table, Result>(
    _ other: some JoinableStatement<D>, on condition: ((B.TableColumns, D.TableColumns) -> Result)?
  ) -> Select<(A, B, C, D.QueryOptional), Tables4<A, B, C, D.QueryOptional>>
  where Sources == Tables3<A, B, C> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what is missing.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The closure has an argument for each table so far: '{ reminders, lists, tags, users in … }', or '$0' to '$3'."
  )
  public func leftJoin<A: Table, B: Table, C: Table, D: Table, Result>(
    _ other: some JoinableStatement<D>, on condition: ((C.TableColumns, D.TableColumns) -> Result)??
  ) -> Select<(A, B, C, D.QueryOptional), Tables4<A, B, C, D.QueryOptional>>
  where Sources == Tables3<A, B, C> {
    fatalError("because it is unavailable, nothing calls this")
  }
}
