/// A table on the optional side of a join: every column may be NULL, and the whole row nil.
///
/// Always true: it is the same table under the same name; only the types of its columns differ.
extension Optional: Table where Wrapped: Table {
  public typealias TableColumns = OptionalColumns<Wrapped>

  public static var columns: OptionalColumns<Wrapped> { OptionalColumns() }
  public static func placedColumns(in place: ColumnPlace) -> OptionalColumns<Wrapped> { OptionalColumns(in: place) }
  public static var tableName: String { Wrapped.tableName }
  public static var schemaName: String? { Wrapped.schemaName }
  public static var tableAlias: String? { Wrapped.tableAlias }
  public static var tableFragment: QueryFragment { Wrapped.tableFragment }
  public static var defaultScope: DefaultScope { Wrapped.defaultScope }
}

/// The columns of a table of which a join may have found no row, as properties.
@dynamicMemberLookup
public struct OptionalColumns<Wrapped: Table>: TableDefinition {
  public typealias QueryValue = Wrapped?

  public static var allColumns: [ColumnDescription] { Wrapped.TableColumns.allColumns }

  public let columnPlace: ColumnPlace

  /// The columns of the optional side, as properties.
  public init(in place: ColumnPlace = ColumnPlace()) { columnPlace = place }

  /// The row's number; NULL if the join found no row.
  public var rowid: TableColumn<Wrapped?, Int?> { TableColumn("rowid", in: columnPlace) }

  /// A column, which may be NULL here: `$1.title`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Wrapped.TableColumns, TableColumn<Wrapped, Value>>
  ) -> TableColumn<Wrapped?, Value.QueryOptional> {
    TableColumn(Wrapped.columns[keyPath: path].name, in: columnPlace)
  }

  /// A group of columns, which may be NULL here: `$1.timestamps`.
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Wrapped.TableColumns, ColumnGroup<Wrapped, Group>>
  ) -> ColumnGroup<Wrapped?, Group.QueryOptional> {
    ColumnGroup<Wrapped?, Group.QueryOptional>(like: Wrapped.columns[keyPath: path], in: columnPlace)
  }

  /// An expression over the table's columns, such as a property of an extension of them.
  @_disfavoredOverload
  public subscript<E: QueryExpression>(
    dynamicMember path: KeyPath<Wrapped.TableColumns, E>
  ) -> SQLQueryExpression<E.QueryValue.QueryOptional> where E.QueryValue: QueryRepresentable {
    let expression = Wrapped.placedColumns(in: columnPlace)[keyPath: path]
    let columns = expression.columnFragments
    return columns.count == 1 ? SQLQueryExpression(expression.queryFragment) : SQLQueryExpression(columns: columns)
  }
}

extension OptionalColumns {
  /// Whether the join found a row: a column that is never NULL in one, the key's if it can be, is not NULL; or any
  /// column, of a table in which each may be NULL.
  var isPresent: QueryFragment {
    let columns = zip(columnFragments, Self.allColumns)
    let never = columns.filter { !$0.1.isOptional }
    let mark = never.first { $0.1.isPrimaryKey } ?? never.first
    return QueryFragment.isPresent(mark.map { [$0.0] } ?? columns.map(\.0))
  }
}

extension OptionalColumns {
  /// What `transform` makes of the row that the join found; NULL if it found none.
  public func map<Result: QueryExpression>(
    _ transform: (Wrapped.TableColumns) -> Result
  ) -> SQLQueryExpression<Result.QueryValue.QueryOptional> where Result.QueryValue: QueryRepresentable {
    SQLQueryExpression(
      isPresent.lifting(
        transform(Wrapped.placedColumns(in: columnPlace)).queryFragment, of: columnFragments, where: isPresent))
  }
}

extension ColumnGroup {
  /// What `transform` makes of an optional group; NULL if all its columns are NULL.
  public func map<Group: Table, Result: QueryExpression>(
    _ transform: (SQLQueryExpression<Group>) -> Result
  ) -> SQLQueryExpression<Result.QueryValue.QueryOptional>
  where Values == Group?, Result.QueryValue: QueryRepresentable {
    let result = transform(SQLQueryExpression(columns: columnFragments)).queryFragment
    let isPresent = QueryFragment.isPresent(columnFragments)
    return SQLQueryExpression(queryFragment.lifting(result, of: columnFragments, where: isPresent))
  }
}

extension OptionalColumns: PrimaryKeyedTableDefinition where Wrapped: PrimaryKeyedTable {
  public var primaryKey: SQLQueryExpression<Wrapped.PrimaryKey.QueryOptional> {
    SQLQueryExpression(columns: Wrapped.placedColumns(in: columnPlace).primaryKey.columnFragments)
  }
}
