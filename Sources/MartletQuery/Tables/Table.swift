import MartletAST
import MartletValues

/// A table, a view, a common table, or a group of columns, as `@Table` makes it.
///
/// Always true: the columns stand in one order everywhere: in `allColumns`, in `columnFragments` and in a row that is
/// decoded.
public protocol Table: QueryRepresentable where QueryOptional: Table {
  /// The columns as properties: what `$0` is in a closure.
  associatedtype TableColumns: TableDefinition where TableColumns.QueryValue == Self

  /// The columns, for closures: `Reminder.columns.title`.
  static var columns: TableColumns { get }
  /// The name in the database.
  static var tableName: String { get }

  /// The attached database that holds the table; nil: wherever SQLite finds it.
  static var schemaName: String? { get }

  /// What the table is called in this place of a query, where that is not its name.
  static var tableAlias: String? { get }

  /// What stands in FROM, where that is not the table's name: `"pragma_table_info('x')"`. Empty: its name.
  static var tableFragment: QueryFragment { get }

  /// The clauses that queries have unless they say `unscoped`: those of the type's `all`, where it has one, which may
  /// be any query of the table's own rows, with an order or a limit too.
  ///
  /// `@Table` writes it. Without the macro a table says `DefaultScope(all, of: Self.self)`, or `DefaultScope()` where
  /// it has no `all`; there is no default, because it could not see an `all` of another type than its own.
  static var defaultScope: DefaultScope { get }
}

extension Table {
  public static var schemaName: String? { nil }
  public static var tableAlias: String? { nil }
  public static var tableFragment: QueryFragment { .empty }

  /// The rows that queries see unless they say `unscoped`: those of the default scope. A type's own `all` is its
  /// default scope.
  public static var all: Where<Self> { Where() }

  public static var columnWidth: Int { TableColumns.allColumns.count }

  public static var membersMayBeNull: Bool { TableColumns.allColumns.contains(where: \.isOptional) }

  public var queryFragment: QueryFragment { .row(columnFragments) }

  /// Every row, whatever the default scope is.
  public static var unscoped: Where<Self> { Where(isScoped: false) }

  /// No row.
  public static var none: Where<Self> {
    var none = Where<Self>()
    none.isNone = true
    return none
  }

  /// The name that stands before a column's.
  static var qualifier: String { tableAlias ?? tableName }

  /// The schema that stands before it. What has a name of its own in the query is of no schema.
  static var qualifyingSchema: String {
    guard let schema = schemaName else { return "" }
    return tableAlias == nil && tableFragment.isEmpty ? schema : ""
  }

  /// The columns that tell each row from all others: those of the key, or the row's number where there is none, and
  /// where a part of it may be NULL. A table WITHOUT ROWID has a key without NULLs.
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

/// A table's columns as properties of one value. It stands for the whole row where it is used as an expression.
public protocol TableDefinition<QueryValue>: QueryExpression, Sendable where QueryValue: Table {
  /// Every column, groups flattened.
  static var allColumns: [ColumnDescription] { get }
}

extension TableDefinition {
  public var columnFragments: [QueryFragment] {
    Self.allColumns.map { column in
      let fragment = QueryFragment.column(column.name, of: QueryValue.self)
      return column.isBinaryJSON ? .function("json", [fragment]).named(column.name) : fragment
    }
  }

  /// A row value compares what is stored, binary JSON too.
  public var queryFragment: QueryFragment { .row(Self.allColumns.map { .column($0.name, of: QueryValue.self) }) }

  /// The row's number, which every table has that is not WITHOUT ROWID.
  public var rowid: TableColumn<QueryValue, Int> { TableColumn("rowid") }

  /// `"reminders".*`: every column that the table has in the database, also those that its type does not know.
  ///
  /// How many they are and in which order they stand is the database's, so a query of them decodes to no type: it is
  /// for `exists()`, and for raw SQL that copies rows whole.
  public var star: AllColumns<QueryValue> { AllColumns() }

  static var writableColumns: [String] { allColumns.filter { !$0.isGenerated }.map(\.name) }
}

/// One column of a table, as SQLite and the schema need to know it.
public struct ColumnDescription: Sendable {
  /// The name in the database.
  public var name: String
  /// The representation of its values.
  public var valueType: any (QueryRepresentable.Type)
  /// It is the key, or a part of it.
  public var isPrimaryKey: Bool
  /// SQLite computes it; it is read and never written.
  public var isGenerated: Bool
  /// The database fills it in where a draft does not have it.
  public var isLazyInitializable = false
  /// The way from the row's JSON to the column's value.
  var members: [JSONMember]
  /// The Swift property, after those of the groups that hold it: what a `Codable` conformance calls it.
  public var property: [String] { members.map(\.name) }
  /// Of a row's first column: some of the row's columns are called otherwise than in the groups that hold them.
  var hasNamesakes = false
  /// It is stored in SQLite's binary JSON, and read as text.
  var isBinaryJSON: Bool
  /// SQLite keeps what it computed; otherwise it computes it whenever it is read.
  public var isStored: Bool
  /// It may hold NULL.
  public var isOptional: Bool
  /// What `createTable` gives as the column's default; nil: none.
  public var defaultValue: QueryFragment?

  /// - Parameter property: where it is not the column's name.
  public init<Value: QueryRepresentable>(
    _ name: String, _ valueType: Value.Type, primaryKey: Bool = false, generated: Bool = false, stored: Bool = false,
    default defaultValue: QueryFragment? = nil, property: String? = nil
  ) {
    self.name = name
    self.valueType = valueType
    members = [JSONMember(name: property ?? name)]
    isPrimaryKey = primaryKey
    isGenerated = generated
    isBinaryJSON = Value.QueryUnwrapped.isBinaryJSON
    isStored = stored
    isOptional = Value.self == Value.QueryOptional.self
    self.defaultValue = defaultValue
  }
}

/// A table with columns that the database can fill in.
public protocol DraftableTable: Table {
  /// A row that need not have its key, or what else the database fills in, yet.
  associatedtype Draft: TableDraft where Draft.PrimaryTable == Self
}

/// A table whose rows a key tells apart.
public protocol PrimaryKeyedTable: DraftableTable where TableColumns: PrimaryKeyedTableDefinition {
  /// What the key's value is.
  associatedtype PrimaryKey: QueryRepresentable where PrimaryKey == TableColumns.PrimaryColumn.QueryValue
}

/// The columns of a table that has a key.
public protocol PrimaryKeyedTableDefinition<QueryValue>: TableDefinition {
  /// The column or group that `primaryKey` is.
  associatedtype PrimaryColumn: QueryExpression where PrimaryColumn.QueryValue: QueryRepresentable
  /// A column, or the group of columns of a composite key.
  var primaryKey: PrimaryColumn { get }
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
}

extension TableDraft where PrimaryTable: PrimaryKeyedTable {
  /// The row with the key, as a draft.
  public static func find(_ key: PrimaryTable.PrimaryKey.QueryOutput) -> Where<Self> { Where().find(key) }

  /// The rows with the keys, as drafts.
  public static func find(_ keys: some Sequence<PrimaryTable.PrimaryKey.QueryOutput>) -> Where<Self> {
    Where().find(keys)
  }

  static var primaryKeyFragment: QueryFragment { TableColumns.allColumns.primaryKeyFragment(of: Self.self) }
}

extension Where where From: TableDraft, From.PrimaryTable: PrimaryKeyedTable {
  /// The row with the key, as a draft.
  public func find(_ key: From.PrimaryTable.PrimaryKey.QueryOutput) -> Where {
    var result = self
    let value = From.PrimaryTable.PrimaryKey.fragment(of: key)
    result.predicates.append(From.PrimaryTable.PrimaryKey.isKey(value, From.primaryKeyFragment))
    return result
  }

  /// The rows with the keys, as drafts.
  public func find(_ keys: some Sequence<From.PrimaryTable.PrimaryKey.QueryOutput>) -> Where {
    var result = self
    let values = keys.map { From.PrimaryTable.PrimaryKey.fragment(of: $0) }
    result.predicates.append(From.PrimaryTable.PrimaryKey.membership(.in, From.primaryKeyFragment, values))
    return result
  }

}

extension Where where From: TableDraft {
  /// A scope of the drafts' table: `Reminder.Draft.all.incomplete`.
  public subscript(dynamicMember path: KeyPath<From.PrimaryTable.Type, Where<From.PrimaryTable>>) -> Where {
    let scope = From.PrimaryTable.self[keyPath: path]
    var result = Where(isScoped: scope.isScoped)
    result.predicates = scope.predicates
    result.hint = scope.hint
    result.isNone = scope.isNone
    return result.narrowed(by: self)
  }
}
