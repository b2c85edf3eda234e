/// Queries that begin with a table itself: `Reminder.where { ... }`, `Reminder.select(\.title)`.
///
/// Always true: each is the method of the same name on the table's default scope.
extension Table {
  /// The rows that queries see unless they say `unscoped`: those of the default scope. A type's own `all` is its
  /// default scope.
  public static var all: Where<Self> { Where() }

  /// Every row, whatever the default scope is.
  public static var unscoped: Where<Self> { Where(isScoped: false) }

  /// No row.
  public static var none: Where<Self> {
    var none = Where<Self>()
    none.isNone = true
    return none
  }

  /// `SELECT ... WHERE ...`: the rows for which all conditions of the closure hold.
  public static func `where`(@PredicateBuilder _ predicate: (TableColumns) -> [QueryFragment]) -> Where<Self> {
    Where().where(predicate)
  }

  /// `SELECT ... WHERE column`, for a Boolean column.
  public static func `where`<E: QueryExpression>(_ path: KeyPath<TableColumns, E>) -> Where<Self>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    Where().where(path)
  }

  /// `SELECT column`, of one column, a whole table, or a selection.
  public static func select<E: QueryExpression>(
    @ChoiceBuilder _ columns: (TableColumns) -> E
  ) -> Select<E.QueryValue, Tables1<Self>> {
    Where<Self>().select(columns)
  }

  /// `SELECT column`, of a key path that a variable holds. What is written in place is one of the closures beside it.
  @_disfavoredOverload
  public static func select<E: QueryExpression>(
    _ path: KeyPath<TableColumns, E>
  ) -> Select<E.QueryValue, Tables1<Self>> {
    Where<Self>().select { $0[keyPath: path] }
  }

  /// `SELECT a, b`, of several columns.
  public static func select<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    _ columns: ((TableColumns) -> (First, Second, repeat each Other))?
  ) -> Select<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue), Tables1<Self>> {
    Where<Self>().select(columns)
  }

  /// `SELECT column`, of one column whose type depends on what the query is handed to.
  @_disfavoredOverload
  public static func select<E: QueryExpression>(
    _ columns: ((TableColumns) -> E)?
  ) -> Select<E.QueryValue, Tables1<Self>> {
    Where<Self>().select(columns)
  }

  /// `SELECT` of every column.
  public static func selectStar() -> SelectOf<Self> { Where().asSelect() }

  /// `SELECT DISTINCT`: equal rows once.
  public static func distinct(_ isDistinct: Bool = true) -> SelectOf<Self> { Where().distinct(isDistinct) }

  /// `GROUP BY ...`: a row for each group of rows in which these are equal.
  public static func group(@ColumnsBuilder by columns: (TableColumns) -> [QueryFragment]) -> SelectOf<Self> {
    Where().group(by: columns)
  }

  /// `GROUP BY column`.
  public static func group<E: QueryExpression>(by path: KeyPath<TableColumns, E>) -> SelectOf<Self> {
    Where().group(by: path)
  }

  /// `HAVING ...`: of all rows as one group, if the conditions hold.
  public static func having(@PredicateBuilder _ predicate: (TableColumns) -> [QueryFragment]) -> SelectOf<Self> {
    Where().having(predicate)
  }

  /// `HAVING column`, for a Boolean column: of all rows as one group.
  public static func having<E: QueryExpression>(_ path: KeyPath<TableColumns, E>) -> SelectOf<Self>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    Where().having(path)
  }

  /// `ORDER BY ...`.
  public static func order(@OrderBuilder by terms: (TableColumns) -> [OrderingTerm]) -> SelectOf<Self> {
    Where().order(by: terms)
  }

  /// `ORDER BY column`, ascending.
  public static func order<E: QueryExpression>(by path: KeyPath<TableColumns, E>) -> SelectOf<Self> {
    Where().order(by: path)
  }

  /// `LIMIT count OFFSET offset`; nil adds nothing.
  public static func limit(_ count: Int?, offset: Int? = nil) -> SelectOf<Self> {
    Where().limit(count, offset: offset)
  }

  /// `LIMIT count`, computed by an expression that reads no column.
  public static func limit(@BoundBuilder _ count: (TableColumns) -> QueryFragment?) -> SelectOf<Self> {
    Where().limit(count)
  }

  /// `OFFSET count`: without the first rows; nil adds nothing.
  public static func offset(_ count: Int?) -> SelectOf<Self> { Where().offset(count) }

  /// `OFFSET count`, computed by an expression that reads no column.
  public static func offset(@BoundBuilder _ count: (TableColumns) -> QueryFragment?) -> SelectOf<Self> {
    Where().offset(count)
  }

  /// `SELECT count(*)`.
  public static func count() -> Select<Int, Tables1<Self>> { Where<Self>().count() }

  /// `SELECT count(*) FILTER (WHERE condition)`.
  public static func count<E: QueryExpression>(filter: (TableColumns) -> E) -> Select<Int, Tables1<Self>>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().count(filter: filter)
  }

  /// `EXISTS (SELECT ...)`: whether there is any row.
  public static func exists() -> SQLQueryExpression<Bool> { Where<Self>().exists() }
}

extension PrimaryKeyedTable {
  /// `WHERE "id" = key`: the row with the key.
  public static func find(_ key: PrimaryKey.QueryOutput) -> Where<Self> { Where().find(key) }

  /// `WHERE "id" = key`, of a key that is an expression.
  @_disfavoredOverload
  public static func find<Key: QueryExpression>(_ key: Key) -> Where<Self>
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == PrimaryKey.QueryUnwrapped {
    Where().find(key)
  }

  /// `WHERE "id" = key`, of a key in SQL: `Reminder.find(#sql("last_insert_rowid()"))`.
  public static func find(_ key: SQLQueryExpression<PrimaryKey>) -> Where<Self> { Where().find(key) }

  /// `WHERE "id" IN (...)`: the rows with the keys, which travel as one parameter.
  public static func find(_ keys: some Sequence<PrimaryKey.QueryOutput>) -> Where<Self> { Where().find(keys) }

  /// `WHERE "id" IN (...)`, of keys in SQL.
  @_disfavoredOverload
  public static func find(_ keys: some Sequence<SQLQueryExpression<PrimaryKey>>) -> Where<Self> { Where().find(keys) }

  @_disfavoredOverload
  @available(*, unavailable, message: "Write a value of the primary key's type, or a sequence of such values.")
  public static func find<Other>(_ key: Other) -> Where<Self> { Where() }
}
