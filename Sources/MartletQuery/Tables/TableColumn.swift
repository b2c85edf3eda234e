import MartletValues

/// A single column.
///
/// Always true: it is qualified by what the table is called in this place of the query.
public struct TableColumn<Root: Table, Value: QueryRepresentable>: ComputedExpression, Sendable {
  public typealias QueryValue = Value

  /// The name in the database.
  public let name: String

  /// The closure that it was handed to.
  @usableFromInline let place: ColumnPlace

  /// The column with the name.
  @inlinable
  public init(_ name: String) { self.init(name, in: ColumnPlace()) }

  /// The column with the name, as a closure gets it.
  @inlinable
  public init(_ name: String, in place: ColumnPlace) {
    self.name = name
    self.place = place
  }

  public var queryFragment: QueryFragment { .column(name, of: Root.self, in: place) }

  /// Binary JSON is selected as text.
  public var columnFragments: [QueryFragment] {
    guard Value.QueryUnwrapped.isBinaryJSON else { return [queryFragment] }
    return [.function("json", [queryFragment])]
  }
}

/// A column that SQLite computes: it is read as any other, and an update cannot set it.
public struct GeneratedColumn<Root: Table, Value: QueryRepresentable>: ComputedExpression, Sendable {
  public typealias QueryValue = Value

  /// The name in the database.
  public let name: String

  /// The closure that it was handed to.
  @usableFromInline let place: ColumnPlace

  /// The column with the name.
  @inlinable
  public init(column name: String, in place: ColumnPlace = ColumnPlace()) {
    self.name = name
    self.place = place
  }

  public var queryFragment: QueryFragment { .column(name, of: Root.self, in: place) }
}

/// `"reminders".*`: whatever columns the table has in the database. What `star` returns.
public struct AllColumns<Root: Table>: QueryExpression, Sendable {
  /// Untyped: how many columns there are is only known at run time.
  public typealias QueryValue = Never

  var place = ColumnPlace()

  public var queryFragment: QueryFragment { QueryFragment(.star(table: Root.qualifier, place: place)) }
}

/// Several columns that form one value: `$0.timestamps.createdAt`.
@dynamicMemberLookup
public struct ColumnGroup<Root: Table, Values: Table>: QueryExpression, Sendable {
  public typealias QueryValue = Values

  /// Its name in the table that holds it; empty if it has none.
  let name: String

  /// How many columns of the group called `name` are before it. A group within a group has the name of the outer one.
  var offset = 0

  /// The closure that it was handed to.
  let place: ColumnPlace

  /// The group; its columns know their names.
  public init() { self.init(named: "") }

  init(named name: String, in place: ColumnPlace = ColumnPlace()) {
    self.name = name
    self.place = place
  }

  public var columnFragments: [QueryFragment] {
    zip(columns, Values.TableColumns.allColumns).map { column, description in
      description.isBinaryJSON ? .function("json", [column]).named(description.name) : column
    }
  }

  /// A row value compares what is stored, binary JSON too.
  public var queryFragment: QueryFragment { .row(columns) }

  private var columns: [QueryFragment] { columnNames.map { .column($0, of: Root.self, in: place) } }

  /// A column of the group: `$0.timestamps.createdAt`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Values.TableColumns, TableColumn<Values, Value>>
  ) -> TableColumn<Root, Value> {
    TableColumn(columnName(Values.columns[keyPath: path].name), in: place)
  }

  /// A group within the group.
  public subscript<Inner>(
    dynamicMember path: KeyPath<Values.TableColumns, ColumnGroup<Values, Inner>>
  ) -> ColumnGroup<Root, Inner> {
    inner(path)
  }

  /// The same group, of a type that may be nil: where an optional group or the other side of `union` has that type.
  public func asOptional() -> SQLQueryExpression<Values.QueryOptional> { SQLQueryExpression(columns: columnFragments) }

  /// Nothing calls a group. Without this, the compiler looks for `callAsFunction` among the columns of every group when
  /// a program writes `$1.unknown()` of an optional side of a join, and version 6.3 stops with a failed assertion.
  @available(*, unavailable, message: "A group of columns is no function.")
  public func callAsFunction() {}
}

extension ColumnDescription {
  /// The columns of a group, for a table's `allColumns`. Of an optional group, each may be NULL.
  ///
  /// - Parameter property: what the group is called in the table's type; without it, JSON made of a row holds the
  ///   group's columns beside the others.
  public static func group<Values: Table>(
    _ type: Values.Type, primaryKey: Bool = false, property: String? = nil
  ) -> [ColumnDescription] {
    Values.TableColumns.allColumns.map { column in
      var column = column
      column.isPrimaryKey = primaryKey
      column.hasNamesakes = false
      // The initial value in the group's type may differ in the table that holds it.
      column.defaultValue = nil
      if let property { column.members.insert(JSONMember(name: property, of: type), at: 0) }
      if Values.self == Values.QueryOptional.self { column.isOptional = true }
      return column
    }
  }
}
