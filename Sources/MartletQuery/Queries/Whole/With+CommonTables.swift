/// Common tables that closures get as arguments, and recursive ones with a label of their own: WITH for those who do
/// not want to declare a type for its rows.
///
/// Always true: such a table is called `cte1` or `cte2`, within the closure of another `With` `cte1_2` or `cte2_2`, so
/// that both tables can be read there. Its columns are those of the table whose rows it holds.
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
    let rows = CommonRows<Row, FirstCommonTable>.ofThisLevel()
    parts = WithParts(
      tables: [CommonTable(table(), name: rows.source.name)],
      body: CommonTableLevel.within { query(rows).statementFragment })
  }

  /// Two common tables, of which the query joins one with the other.
  public init<First: Table, Second: Table>(
    _ first: () -> some Statement<First>, with second: () -> some Statement<Second>,
    @StatementBuilder query: (CommonRows<First, FirstCommonTable>, CommonRows<Second, SecondCommonTable>) ->
      some Statement<QueryValue>
  ) {
    let (one, other) = (
      CommonRows<First, FirstCommonTable>.ofThisLevel(), CommonRows<Second, SecondCommonTable>.ofThisLevel()
    )
    parts = WithParts(
      tables: [CommonTable(first(), name: one.source.name), CommonTable(second(), name: other.source.name)],
      body: CommonTableLevel.within { query(one, other).statementFragment })
  }

  /// A common table that grows from its own rows until a round finds none. Equal rows are all kept (`UNION ALL`), so
  /// that rows which lead back to themselves would be found for ever: limit the query, or count the rounds in a column.
  public init<Row: Table>(
    _ first: () -> some Statement<Row>,
    @StatementBuilder recursiveUnion next: (CommonRows<Row, FirstCommonTable>) -> some Statement<Row>,
    @StatementBuilder query: (CommonRows<Row, FirstCommonTable>) -> some Statement<QueryValue>
  ) {
    let rows = CommonRows<Row, FirstCommonTable>.ofThisLevel()
    let first = first()
    var table = CommonTable(
      CommonTableLevel.within { first.union(all: true, next(rows)) }, name: rows.source.name)
    table.isNone = first.statementFragment.tree.isNone
    parts = WithParts(tables: [table], body: CommonTableLevel.within { query(rows).statementFragment })
  }
}

/// The one statement of a closure, whose types the compiler then looks at after those of the closures before it: a
/// closure within it may read the common tables.
@resultBuilder
public enum StatementBuilder {
  /// The statement itself.
  public static func buildBlock<Query: Statement>(_ query: Query) -> Query { query }
}
