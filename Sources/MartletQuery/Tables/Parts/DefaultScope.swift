/// The clauses that every query of a table has, unless it says `unscoped`. `@Table` makes it of the type's `all`.
///
/// Always true: a query has it once, before its own clauses, as if it began with `all`. It is read when a statement is
/// built, so a scope may be made of the table's own queries without reading itself.
public struct DefaultScope: Sendable {
  /// Nil: every row.
  var parts: SelectParts?

  init(parts: SelectParts?) { self.parts = parts }

  /// Every row.
  public init() { self.init(parts: nil) }

  /// A function of the name is no scope.
  public init<each Argument, Result, Base: Table>(
    _ function: (repeat each Argument) throws -> Result, of table: Base.Type
  ) {
    self.init()
  }

  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      'all' is the table's default scope: a query of the table's own rows, such as unscoped.where { … }.order { … }. \
      Call anything else something else.
      """
  )
  /// Never compiles: what is no query of the table's rows is no default scope, and makes no SQL.
  public init<Scope, Base: Table>(_ scope: Scope, of table: Base.Type) { parts = nil }
}
