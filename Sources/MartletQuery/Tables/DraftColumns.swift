/// The columns of a draft: those of its table.
///
/// Always true: each member is the table's own column under the draft's type.
@dynamicMemberLookup
public struct DraftColumns<Base: DraftableTable>: TableDefinition {
  public typealias QueryValue = Base.Draft

  public static var allColumns: [ColumnDescription] { Base.TableColumns.allColumns }

  public let columnPlace: ColumnPlace

  /// The columns of the draft, as properties.
  public init(in place: ColumnPlace = ColumnPlace()) { columnPlace = place }

  /// A column: `$0.title`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value>>
  ) -> TableColumn<Base.Draft, Value> {
    TableColumn(Base.columns[keyPath: path].name, in: columnPlace)
  }

  /// A group of columns: `$0.timestamps`.
  public subscript<Group>(
    dynamicMember path: KeyPath<Base.TableColumns, ColumnGroup<Base, Group>>
  ) -> ColumnGroup<Base.Draft, Group> {
    ColumnGroup<Base.Draft, Group>(like: Base.columns[keyPath: path], in: columnPlace)
  }

  /// A query over the table's columns, such as a property of an extension of them.
  @_disfavoredOverload
  public subscript<E: QueryExpression>(
    dynamicMember path: KeyPath<Base.TableColumns, E>
  ) -> SQLQueryExpression<E.QueryValue> {
    SQLQueryExpression(Base.placedColumns(in: columnPlace)[keyPath: path].queryFragment)
  }
}
