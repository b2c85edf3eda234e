/// A table, a view, a common table, or a group of columns, as `@Table` makes it.
///
/// Always true: the columns stand in one order everywhere: in `allColumns`, in `columnFragments` and in a row that is
/// decoded.
public protocol Table: QueryRepresentable where QueryOptional: Table {
  /// The columns as properties: what `$0` is in a closure.
  associatedtype TableColumns: TableDefinition where TableColumns.QueryValue == Self

  /// The columns, for closures: `Reminder.columns.title`.
  static var columns: TableColumns { get }
  /// The columns as a closure gets them. `@Table` writes it; without it they are `columns`.
  static func placedColumns(in place: ColumnPlace) -> TableColumns
  /// The name in the database.
  static var tableName: String { get }

  /// The attached database that holds the table; nil: wherever SQLite finds it.
  static var schemaName: String? { get }

  /// The table's alias in this place of a query, if it has one.
  static var tableAlias: String? { get }

  /// The source in FROM, if it is not the table's name: `"pragma_table_info('x')"`. Empty: its name.
  static var tableFragment: QueryFragment { get }

  /// The clauses that queries have unless they say `unscoped`: those of the type's `all`, if it has one, which may
  /// be any query of the table's own rows, with an order or a limit too.
  ///
  /// Where `all` reads its own table once more, it says `unscoped` behind the table's name: without, it would need
  /// itself. Such a query is refused when a statement is built. A join, `count()` or `With` of the own table in a
  /// `static let all` of an extension waits for itself, which ends the program with a sentence that says so.
  ///
  ///     extension Page {
  ///       enum Copy: AliasName {}
  ///       static let all = unscoped.where { $0.version.eq(Page.as(Copy.self).unscoped.select { $0.version.max() }) }
  ///     }
  ///
  /// `@Table` writes it. Without the macro, a table returns `DefaultScope(all, of: Self.self)`, or `DefaultScope()` if
  /// it has no `all`; there is no default implementation, because it could not see an `all` of another type than its
  /// own.
  static var defaultScope: DefaultScope { get }
}

extension Table {
  public static func placedColumns(in place: ColumnPlace) -> TableColumns { columns }

  public static var schemaName: String? { nil }
  public static var tableAlias: String? { nil }
  public static var tableFragment: QueryFragment { .empty }

  public static var columnWidth: Int { TableColumns.allColumns.count }

  public static var membersMayBeNull: Bool { TableColumns.allColumns.contains(where: \.isOptional) }

  public static var sortsAsStored: Bool { TableColumns.allColumns.allSatisfy { $0.valueType.sortsAsStored } }

  public var queryFragment: QueryFragment { .row(columnFragments) }

  /// The name before that of a column.
  static var qualifier: String { tableAlias ?? tableName }

  /// The schema before that name. A table with a name of its own in the query has no schema.
  static var qualifyingSchema: String {
    guard let schema = schemaName else { return "" }
    return tableAlias == nil && tableFragment.isEmpty ? schema : ""
  }

  /// The columns that tell each row from all others: those of the key, or the row's number if there is none, and
  /// if a part of it may be NULL. A table WITHOUT ROWID has a key without NULLs.
  static var rowKeyNames: [String] {
    let key = TableColumns.allColumns.filter(\.isPrimaryKey)
    return key.isEmpty || key.contains(where: \.isOptional) ? ["rowid"] : key.map(\.name)
  }

  static var source: SourceFragment {
    let fragment = tableFragment
    return SourceFragment(
      schema: schemaName, name: tableName, alias: tableAlias, fragment: fragment.isEmpty ? nil : fragment)
  }
}

/// A table with columns that the database can fill in.
public protocol DraftableTable: Table {
  /// A row that need not have its key, or what else the database fills in, yet.
  associatedtype Draft: TableDraft where Draft.PrimaryTable == Self
}

/// A table whose rows a key tells apart.
public protocol PrimaryKeyedTable<PrimaryKey>: DraftableTable where TableColumns: PrimaryKeyedTableDefinition {
  /// What the key's value is.
  associatedtype PrimaryKey: QueryRepresentable where PrimaryKey == TableColumns.PrimaryColumn.QueryValue
}

/// A row of a table before it has its key.
public protocol TableDraft: Table {
  /// The table whose row it becomes.
  associatedtype PrimaryTable: DraftableTable

  /// The row as a draft, its key included.
  init(_ row: PrimaryTable)
}

extension TableDraft {
  public static var tableName: String { PrimaryTable.tableName }
  public static var schemaName: String? { PrimaryTable.schemaName }
  public static var tableAlias: String? { PrimaryTable.tableAlias }
  public static var tableFragment: QueryFragment { PrimaryTable.tableFragment }
  public static var defaultScope: DefaultScope { PrimaryTable.defaultScope }
}

extension TableDraft where TableColumns == DraftColumns<PrimaryTable> {
  public static var columns: DraftColumns<PrimaryTable> { DraftColumns() }

  public static func placedColumns(in place: ColumnPlace) -> DraftColumns<PrimaryTable> { DraftColumns(in: place) }
}

/// An enum whose cases are columns, as `@Table` of an enum makes it.
///
/// Always true: whether a row is a case is asked of that case's columns: one of them is not NULL.
public protocol EnumTable: Table {
  /// The columns of each case.
  static var caseColumns: [[ColumnDescription]] { get }
}
