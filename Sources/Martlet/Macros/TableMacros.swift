public import MartletQuery

/// Makes a struct a table. Its stored properties are the columns, in their order; `id` is the key.
///
/// ```swift
/// @Table struct Reminder {
///   let id: Int
///   var title = ""
///   var isCompleted = false
/// }
/// ```
///
/// Makes a `Codable` enum a kind of JSON document whose cases queries reach by key paths:
/// `$0.kind.jsonExtract(\.note)`.
///
/// Always true: what a macro cannot express can be written by hand: docs/QUERY.md has a table and a selection that are,
/// and `Tests/MartletTests/Expansions` shows what each macro expands to.
///
/// - Parameters:
///   - name: The table's name; without it the type's, in lower camel case, with `s`, `es` or
///     `ies` at its end: `remindersLists`, `boxes`, `categories`, and also `persons` and `settingses`.
///   - schema: The attached database that holds it.
///   - lazyInitializable: The database can fill in every column that cannot be NULL, so a draft need not have them;
///     `@Column(lazyInitializable: false)` takes a column out.
@attached(
  member, names: named(TableColumns), named(Columns), named(Selection), named(Draft), named(ColumnTypes),
  named(QueryColumn), named(OptionalQueryColumn), named(columns), named(placedColumns), named(tableName),
  named(schemaName),
  named(defaultScope), named(columnWidth), named(columnFragments), named(caseColumns), named(init(decoder:)))
@attached(
  extension,
  conformances: Table, QueryRepresentable, QueryExpression, QueryDecodable, DraftableTable, PrimaryKeyedTable,
  EnumTable,
  names: named(init(decoder:)), named(checkColumns))
public macro Table(_ name: String? = nil, schema: String? = nil, lazyInitializable: Bool = false) =
  #externalMacro(module: "MartletMacros", type: "TableMacro")

/// Makes a struct the rows of a query, of a common table or a group of columns; makes an enum a group of columns of
/// which a row holds one case.
///
/// `Row.Columns(title: $0.title)` is such a row in a query: it takes one expression for each property.
@attached(
  member, names: named(TableColumns), named(Columns), named(Selection), named(ColumnTypes), named(QueryColumn),
  named(OptionalQueryColumn), named(columns), named(placedColumns), named(tableName), named(defaultScope),
  named(columnWidth), named(columnFragments),
  named(caseColumns), named(init(decoder:)))
@attached(
  extension, conformances: Table, QueryRepresentable, QueryExpression, QueryDecodable, EnumTable,
  names: named(init(decoder:)), named(checkColumns))
public macro Selection(_ name: String? = nil) = #externalMacro(module: "MartletMacros", type: "SelectionMacro")

/// Whether SQLite stores what it computes for a column.
public enum GeneratedColumnStorage: Sendable {
  /// Computed whenever it is read.
  case virtual
  /// Computed when the row is written, and kept.
  case stored
}

/// What the database calls a property, and whether it is the key.
///
/// - Parameters:
///   - name: The column's name; without it the property's.
///   - primaryKey: Whether it is the key. Without it the property called `id` is.
///   - generated: SQLite computes the column: it is read and never written.
///   - lazyInitializable: The database fills it in, so a draft need not have it.
@attached(peer)
public macro Column(
  _ name: String? = nil, primaryKey: Bool = false, generated: GeneratedColumnStorage? = nil,
  lazyInitializable: Bool = false
) = #externalMacro(module: "MartletMacros", type: "MarkerMacro")

/// How the database stores a property.
///
/// - Parameter representation: `Date.UnixTimeRepresentation.self`, `[String].JSONRepresentation.self`, one of yours.
@attached(peer)
public macro Column<Representation: QueryRepresentable>(
  _ name: String? = nil, as representation: Representation.Type, primaryKey: Bool = false,
  generated: GeneratedColumnStorage? = nil, lazyInitializable: Bool = false
) = #externalMacro(module: "MartletMacros", type: "MarkerMacro")

/// A group of columns; the attribute may be left out.
@attached(peer)
public macro Columns(primaryKey: Bool = false) = #externalMacro(module: "MartletMacros", type: "MarkerMacro")

/// A property that is no column.
@attached(peer)
public macro Ephemeral() = #externalMacro(module: "MartletMacros", type: "MarkerMacro")

/// Stands beside `@Selection` above enums in programs that were written with a library of case paths; it adds nothing.
@attached(peer)
public macro CasePathable() = #externalMacro(module: "MartletMacros", type: "MarkerMacro")
