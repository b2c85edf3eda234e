/// What the compiler says of statements that do not fit: without these it says that a tuple is no `QueryExpression`.
///
/// Always true: nothing here is available, so no statement is made of it, and the compiler looks at it only where
/// nothing else fits.

extension Statement {
  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Both queries must give the same types of columns, in the same order.")
  public func union<Other>(all: Bool = false, _ other: some Statement<Other>) -> Compound<QueryValue> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Both queries must give the same types of columns, in the same order.")
  public func intersect<Other>(_ other: some Statement<Other>) -> Compound<QueryValue> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Both queries must give the same types of columns, in the same order.")
  public func except<Other>(_ other: some Statement<Other>) -> Compound<QueryValue> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension Select {
  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Name the table before it is joined: 'Reminder.as(Other.self).all'.")
  public func `as`<Name: AliasName>(_ name: Name.Type) -> Select { self }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Write 'Row.where { $0.id.in(query.select(\\.id)) }.update { … }' instead.")
  public func update(
    or resolution: ConflictResolution? = nil, set: (inout Updates<Sources.First>) -> Void
  ) -> UpdateOf<Sources.First> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Write 'Row.where { $0.id.in(query.select(\\.id)) }.delete()' instead.")
  public func delete() -> DeleteOf<Sources.First> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Nothing calls a query. Without this, where a query has no such member, the compiler looks for `callAsFunction`
  /// among all that the table keeps, and version 6.3 stops with a failed assertion.
  @available(*, unavailable, message: "A query is no function.")
  public func callAsFunction() {}
}

extension Where {
  /// Nothing calls a query, as of `Select`.
  @available(*, unavailable, message: "A query is no function.")
  public func callAsFunction() {}
}

extension Table {
  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "The query must give a value of the right type for each of the columns.")
  public static func insert<Columns, Value>(
    or resolution: ConflictResolution? = nil, _ columns: (TableColumns) -> Columns, select: () -> some Statement<Value>
  ) -> InsertOf<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "Write the condition first: 'where { … }.delete()'.")
  public static func delete<Condition>(_ condition: (TableColumns) -> Condition) -> DeleteOf<Self> {
    fatalError("because it is unavailable, nothing calls this")
  }
}

extension TriggerOperation {
  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "A touch sets a date. Say what else it sets: '{ $0.n += 1 }'.")
  public static func insert<Value>(touch path: KeyPath<On.TableColumns, TableColumn<On, Value>>) -> TriggerOperation {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// Says what does not fit.
  @_disfavoredOverload
  @available(*, unavailable, message: "A touch sets a date. Say what else it sets: '{ $0.n += 1 }'.")
  public static func update<Value>(touch path: KeyPath<On.TableColumns, TableColumn<On, Value>>) -> TriggerOperation {
    fatalError("because it is unavailable, nothing calls this")
  }
}
