/// Common tables that closures get as arguments, and recursive ones with a label of their own: WITH for those who do
/// not want to declare a type for its rows.
///
/// Always true: such a table is called `cte1` or `cte2`; its columns are those of the table whose rows it holds.
public protocol CommonTableName: AliasName {}

extension CommonTableName {
  public static var namesCommonTable: Bool { true }
}

/// `"cte1"`: the common table that a closure gets as its first argument.
public enum FirstCommonTable: CommonTableName { public static var aliasName: String { "cte1" } }
/// `"cte2"`: the common table that a closure gets as its second argument.
public enum SecondCommonTable: CommonTableName { public static var aliasName: String { "cte2" } }

/// The rows of a common table.
public typealias CommonRows<Row: Table, Name: CommonTableName> = Where<AliasedTable<Row, Name>>

extension With {
  /// `With { Item.where { $0.price > 1000 } } query: { expensive in expensive.order(by: \.price) }`.
  public init<Row: Table>(
    _ table: () -> some Statement<Row>,
    @StatementBuilder query: (CommonRows<Row, FirstCommonTable>) -> some Statement<QueryValue>
  ) {
    parts = WithParts(
      tables: [CommonTable(table(), name: FirstCommonTable.aliasName)],
      body: query(CommonRows(isScoped: false)).statementFragment)
  }

  /// Two common tables, of which the query joins one with the other.
  public init<First: Table, Second: Table>(
    _ first: () -> some Statement<First>, with second: () -> some Statement<Second>,
    @StatementBuilder query: (CommonRows<First, FirstCommonTable>, CommonRows<Second, SecondCommonTable>) ->
      some Statement<QueryValue>
  ) {
    parts = WithParts(
      tables: [
        CommonTable(first(), name: FirstCommonTable.aliasName),
        CommonTable(second(), name: SecondCommonTable.aliasName),
      ], body: query(CommonRows(isScoped: false), CommonRows(isScoped: false)).statementFragment)
  }

  /// A common table that grows from its own rows until a round finds none. Equal rows are all kept (`UNION ALL`), so
  /// that rows which lead back to themselves would be found for ever: limit the query, or count the rounds in a column.
  public init<Row: Table>(
    _ first: () -> some Statement<Row>,
    @StatementBuilder recursiveUnion next: (CommonRows<Row, FirstCommonTable>) -> some Statement<Row>,
    @StatementBuilder query: (CommonRows<Row, FirstCommonTable>) -> some Statement<QueryValue>
  ) {
    let rows = CommonRows<Row, FirstCommonTable>(isScoped: false)
    let first = first()
    var table = CommonTable(first.union(all: true, next(rows)), name: FirstCommonTable.aliasName)
    table.isNone = first.statementFragment.tree.isNone
    parts = WithParts(tables: [table], body: query(rows).statementFragment)
  }
}

/// The one statement of a closure, whose types the compiler then looks at after those of the closures before it: a
/// closure within it may read the common tables.
@resultBuilder
public enum StatementBuilder {
  /// The statement itself.
  public static func buildBlock<Query: Statement>(_ query: Query) -> Query { query }
}
