/// Messages of the compiler for queries that do not fit. Without these the compiler only says that a tuple is no
/// `QueryExpression`.
///
/// Always true: nothing here is available, so no statement is made of it, and the compiler looks at it only if
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

  /// Nothing calls a query. Without this, the compiler looks for `callAsFunction` in the table's own properties when a
  /// query has no such member, and version 6.3 stops with a failed assertion.
  @available(*, unavailable, message: "A query is no function.")
  public func callAsFunction() {}
}

extension Where {
  /// Nothing calls a query, as of `Select`.
  @available(*, unavailable, message: "A query is no function.")
  public func callAsFunction() {}
}
