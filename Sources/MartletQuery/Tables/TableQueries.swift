/// Queries that begin with a table itself: `Reminder.where { ... }`, `Reminder.select(\.title)`.
///
/// Always true: each is the method of the same name on the table's default scope.
extension Table {
  public static func `where`(@PredicateBuilder _ predicate: (TableColumns) -> [QueryFragment]) -> Where<Self> {
    Where().where(predicate)
  }

  public static func `where`<E: QueryExpression>(_ path: KeyPath<TableColumns, E>) -> Where<Self>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    Where().where(path)
  }

  public static func select<E: QueryExpression>(
    _ columns: (TableColumns) -> E
  ) -> Select<E.QueryValue, Tables1<Self>> {
    Where<Self>().select(columns)
  }

  public static func select<each E: QueryExpression>(
    _ columns: (TableColumns) -> (repeat each E)
  ) -> Select<(repeat (each E).QueryValue), Tables1<Self>> {
    Where<Self>().select(columns)
  }

  public static func selectStar() -> SelectOf<Self> { Where().asSelect }

  public static func distinct(_ isDistinct: Bool = true) -> SelectOf<Self> { Where().distinct(isDistinct) }

  public static func group(@ColumnsBuilder by columns: (TableColumns) -> [QueryFragment]) -> SelectOf<Self> {
    Where().group(by: columns)
  }

  public static func group<E: QueryExpression>(by path: KeyPath<TableColumns, E>) -> SelectOf<Self> {
    Where().group(by: path)
  }

  public static func having(@PredicateBuilder _ predicate: (TableColumns) -> [QueryFragment]) -> SelectOf<Self> {
    Where().having(predicate)
  }

  public static func order(@OrderBuilder by terms: (TableColumns) -> [OrderingTerm]) -> SelectOf<Self> {
    Where().order(by: terms)
  }

  public static func order<E: QueryExpression>(by path: KeyPath<TableColumns, E>) -> SelectOf<Self> {
    Where().order(by: path)
  }

  public static func limit(_ count: Int, offset: Int? = nil) -> SelectOf<Self> {
    Where().limit(count, offset: offset)
  }

  public static func limit(_ count: (TableColumns) -> some QueryExpression<Int>) -> SelectOf<Self> {
    Where().limit(count)
  }

  public static func offset(_ count: Int) -> SelectOf<Self> { Where().offset(count) }

  public static func count() -> Select<Int, Tables1<Self>> { Where<Self>().count() }

  public static func count<E: QueryExpression>(filter: (TableColumns) -> E) -> Select<Int, Tables1<Self>>
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    Where<Self>().count(filter: filter)
  }

  public static func exists() -> SQLQueryExpression<Bool> { Where<Self>().exists() }
}

extension PrimaryKeyedTable {
  public static func find(_ key: PrimaryKey.QueryOutput) -> Where<Self> { Where().find(key) }

  @_disfavoredOverload
  public static func find<Key: QueryExpression>(_ key: Key) -> Where<Self>
  where Key.QueryValue: QueryRepresentable, Key.QueryValue.QueryUnwrapped == PrimaryKey.QueryUnwrapped {
    Where().find(key)
  }

  public static func find(_ keys: some Sequence<PrimaryKey.QueryOutput>) -> Where<Self> { Where().find(keys) }
}
