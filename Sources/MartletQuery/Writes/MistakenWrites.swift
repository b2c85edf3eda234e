/// Messages of the compiler for writes that do not fit. Without these the compiler only says that a tuple is no
/// `QueryExpression`.
///
/// Always true: nothing here is available, so no statement is made of it, and the compiler looks at it only if
/// nothing else fits.
extension Select {
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
