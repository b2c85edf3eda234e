/// A table's columns as properties of one value. It stands for the whole row if it is used as an expression.
public protocol TableDefinition<QueryValue>: QueryExpression, Sendable where QueryValue: Table {
  /// Every column, groups flattened.
  static var allColumns: [ColumnDescription] { get }

  /// The closure that they were handed to. `@Table` writes it; without one, a query within another one of the same
  /// table cannot be told to have read the outer one's row.
  var columnPlace: ColumnPlace { get }
}

extension TableDefinition {
  public var columnPlace: ColumnPlace { ColumnPlace() }

  public var columnFragments: [QueryFragment] {
    Self.allColumns.map { column in
      let fragment = QueryFragment.column(column.name, of: QueryValue.self, in: columnPlace)
      return column.isBinaryJSON ? .function("json", [fragment]).named(column.name) : fragment
    }
  }

  /// A row value compares what is stored, binary JSON too.
  public var queryFragment: QueryFragment {
    .row(Self.allColumns.map { .column($0.name, of: QueryValue.self, in: columnPlace) })
  }

  /// The row's number, which every table has that is not WITHOUT ROWID.
  public var rowid: TableColumn<QueryValue, Int> { TableColumn("rowid", in: columnPlace) }

  /// `"reminders".*`: every column that the table has in the database, also those that its type does not know.
  ///
  /// Their number and order are the database's, so a query of them decodes to no type: it is
  /// for `exists()`, and for raw SQL that copies rows whole.
  public var star: AllColumns<QueryValue> { AllColumns(place: columnPlace) }

  static var writableColumns: [String] { allColumns.filter { !$0.isGenerated }.map(\.name) }
}

/// The columns of a table that has a key.
public protocol PrimaryKeyedTableDefinition<QueryValue>: TableDefinition {
  /// The column or group that `primaryKey` is.
  associatedtype PrimaryColumn: QueryExpression where PrimaryColumn.QueryValue: QueryRepresentable
  /// A column, or the group of columns of a composite key.
  var primaryKey: PrimaryColumn { get }
}

extension QueryExpression where QueryValue: Table {
  /// Its columns under their own names: a group within the rows of a selection.
  public func columnFragments(named name: String) -> [QueryFragment] {
    zip(eachColumn, QueryValue.TableColumns.allColumns).map { $0.named($1.name) }
  }
}
