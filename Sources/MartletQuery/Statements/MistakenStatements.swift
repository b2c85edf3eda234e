/// What the compiler says of statements that do not fit: without these it says that a tuple is no `QueryExpression`.
///
/// Always true: nothing here is available, so no statement is made of it, and the compiler looks at it only where nothing
/// else fits.

extension Statement {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "Both queries must give as many columns, of the same types and in the same order."
  )
  public func union<Other>(all: Bool = false, _ other: some Statement<Other>) -> Compound<QueryValue> {
    fatalError("because it is unavailable, nothing calls this")
  }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "Both queries must give as many columns, of the same types and in the same order."
  )
  public func intersect<Other>(_ other: some Statement<Other>) -> Compound<QueryValue> {
    fatalError("because it is unavailable, nothing calls this")
  }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "Both queries must give as many columns, of the same types and in the same order."
  )
  public func except<Other>(_ other: some Statement<Other>) -> Compound<QueryValue> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension Select {
  @_disfavoredOverload
  @available(*, unavailable, message: "Name the table before it is joined: 'Reminder.as(Other.self).all'.")
  public func `as`<Name: AliasName>(_ name: Name.Type) -> Select { self }
}

extension Table {
  @_disfavoredOverload
  @available(*, unavailable, message: "The query must give a value for each of the columns, in their order and types.")
  public static func insert<Columns, Value>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> Columns, select: () -> some Statement<Value>
  ) -> InsertOf<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says that the rows to delete are those of a query.
  @_disfavoredOverload
  @available(*, unavailable, message: "Write the condition first: 'where { … }.delete()'.")
  public static func delete<Condition>(_ condition: (TableColumns) -> Condition) -> DeleteOf<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write '.all' behind the table that is joined.")
  public static func join<B: Table, On: QueryExpression>(
    _ other: B.Type, on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(Self, B), Tables2<Self, B>> {
    fatalError("because it is unavailable, nothing calls this")
  }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write '.all' behind the table that is joined.")
  public static func leftJoin<B: Table, On: QueryExpression>(
    _ other: B.Type, on condition: (TableColumns, B.TableColumns) -> On
  ) -> Select<(Self, B.QueryOptional), Tables2<Self, B.QueryOptional>> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension TriggerOperation {
  @_disfavoredOverload
  @available(
    *, unavailable, message: "A touch sets a column of dates to the moment. Say what else it sets: '{ $0.n += 1 }'."
  )
  public static func insert<Value>(touch path: KeyPath<On.TableColumns, TableColumn<On, Value>>) -> TriggerOperation {
    fatalError("because it is unavailable, nothing calls this")
  }

  @_disfavoredOverload
  @available(
    *, unavailable, message: "A touch sets a column of dates to the moment. Say what else it sets: '{ $0.n += 1 }'."
  )
  public static func update<Value>(touch path: KeyPath<On.TableColumns, TableColumn<On, Value>>) -> TriggerOperation {
    fatalError("because it is unavailable, nothing calls this")
  }
}
