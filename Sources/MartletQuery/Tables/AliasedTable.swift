/// A table under another name: self-joins, the rows that an upsert wanted to insert, old and new rows of a trigger.
///
/// Always true: a row of it decodes to a row of the table itself.
public protocol AliasName {
  /// The name in the query; unless the type has another, its own name in the form of a table's: `Manager` is
  /// `managers`.
  static var aliasName: String { get }

  /// True if it names a common table, which has no other name.
  static var namesCommonTable: Bool { get }
}

extension AliasName {
  public static var aliasName: String {
    // The runtime keeps this text, while `String(describing:)` first asks the type whether it describes itself.
    let name = _typeName(Self.self, qualified: false)
    // A name is made for each column of the alias, and the letters of most names are ASCII.
    guard let first = name.utf8.first, first < 0x80 else {
      return (name.prefix(1).lowercased() + name.dropFirst()).plural
    }
    return (String(UnicodeScalar(first)).lowercased() + Substring(name.utf8.dropFirst())).plural
  }

  public static var namesCommonTable: Bool { false }
}

/// The older spelling of an `AliasName`, which says of which table it is a name.
public protocol TableAlias: AliasName {
  /// The table of which it is another name.
  associatedtype Table: MartletQuery.Table
}

/// `"reminders" AS "other"`: what `Reminder.as(Other.self)` returns.
public struct AliasedTable<Base: Table, Name: AliasName>: Table {
  public typealias TableColumns = AliasColumns<Base, Name>
  public typealias QueryUnaliased = Base.QueryUnaliased

  public static var columns: AliasColumns<Base, Name> { AliasColumns() }
  public static func placedColumns(in place: ColumnPlace) -> AliasColumns<Base, Name> { AliasColumns(in: place) }
  public static var tableName: String { Name.namesCommonTable ? Name.aliasName : Base.tableName }
  public static var schemaName: String? { Name.namesCommonTable ? nil : Base.schemaName }
  public static var tableAlias: String? { Name.namesCommonTable ? nil : Name.aliasName }
  public static var tableFragment: QueryFragment { Name.namesCommonTable ? .empty : Base.tableFragment }

  /// The table's own, under this name. The query of a common table had it already.
  public static var defaultScope: DefaultScope {
    guard !Name.namesCommonTable, let parts = Base.scopeParts else { return DefaultScope(parts: nil) }
    return DefaultScope(parts: parts.renaming(Base.self, to: Name.aliasName))
  }

  let base: Base

  public init(queryOutput: Base.QueryOutput) { base = Base(queryOutput: queryOutput) }
  public var queryOutput: Base.QueryOutput { base.queryOutput }
  public init(decoder: inout some QueryDecoder) throws { base = try Base(decoder: &decoder) }
  public var columnFragments: [QueryFragment] { base.columnFragments }
}

/// The columns of a table under another name, as properties.
@dynamicMemberLookup
public struct AliasColumns<Base: Table, Name: AliasName>: TableDefinition {
  public typealias QueryValue = AliasedTable<Base, Name>

  public static var allColumns: [ColumnDescription] { Base.TableColumns.allColumns }

  public let columnPlace: ColumnPlace

  /// The columns of the alias, as properties.
  public init(in place: ColumnPlace = ColumnPlace()) { columnPlace = place }

  /// A column, qualified by the alias: `"other"."title"`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value>>
  ) -> TableColumn<AliasedTable<Base, Name>, Value> {
    TableColumn(Base.columns[keyPath: path].name, in: columnPlace)
  }

  /// A group of columns, qualified by the alias.
  public subscript<Group>(
    dynamicMember path: KeyPath<Base.TableColumns, ColumnGroup<Base, Group>>
  ) -> ColumnGroup<AliasedTable<Base, Name>, Group> {
    ColumnGroup<AliasedTable<Base, Name>, Group>(like: Base.columns[keyPath: path], in: columnPlace)
  }

  /// An expression over the table's columns, such as a property of an extension of them.
  @_disfavoredOverload
  public subscript<E: QueryExpression>(
    dynamicMember path: KeyPath<Base.TableColumns, E>
  ) -> SQLQueryExpression<E.QueryValue> {
    let columns = Base.columns[keyPath: path].columnFragments
    return SQLQueryExpression(columns: columns.map { $0.renaming(Base.self, to: Name.aliasName, in: columnPlace) })
  }
}

extension AliasColumns {
  /// The whole row as one of the table itself, for a selection: `Pair.Columns(employee: $0, manager: $1.unaliased())`.
  public func unaliased() -> SQLQueryExpression<Base> { SQLQueryExpression(columns: columnFragments) }
}

extension OptionalColumns {
  /// The same of the optional side of a join.
  public func unaliased<Base: Table, Name: AliasName>() -> SQLQueryExpression<Base?>
  where Wrapped == AliasedTable<Base, Name> {
    SQLQueryExpression(columns: columnFragments)
  }
}

extension AliasedTable: DraftableTable where Base: DraftableTable {
  public typealias Draft = AliasDraft<Base, Name>
}

extension AliasedTable: PrimaryKeyedTable where Base: PrimaryKeyedTable {
  public typealias PrimaryKey = Base.PrimaryKey
}

extension AliasColumns: PrimaryKeyedTableDefinition where Base: PrimaryKeyedTable {
  public var primaryKey: SQLQueryExpression<Base.PrimaryKey> {
    SQLQueryExpression(
      columns: Base.columns.primaryKey.columnFragments.map {
        $0.renaming(Base.self, to: Name.aliasName, in: columnPlace)
      })
  }
}

/// A draft of a row of an alias is one of its table.
public struct AliasDraft<Base: DraftableTable, Name: AliasName>: TableDraft {
  public typealias PrimaryTable = AliasedTable<Base, Name>
  public typealias TableColumns = DraftColumns<AliasedTable<Base, Name>>

  let base: Base.Draft

  /// The draft of the table's row.
  public init(_ row: PrimaryTable) { base = Base.Draft(row.base) }
  public init(decoder: inout some QueryDecoder) throws { base = try Base.Draft(decoder: &decoder) }
  public var columnFragments: [QueryFragment] { base.columnFragments }
}

extension Table {
  /// The table under another name.
  public static func `as`<Name: AliasName>(_ name: Name.Type) -> AliasedTable<Self, Name>.Type {
    AliasedTable<Self, Name>.self
  }
}

/// The row that an upsert wanted to insert.
public enum ExcludedRow: AliasName { public static var aliasName: String { "excluded" } }
/// A trigger's row before the change.
public enum OldRow: AliasName { public static var aliasName: String { "old" } }
/// A trigger's row after the change.
public enum NewRow: AliasName { public static var aliasName: String { "new" } }

extension String {
  /// With the ending that `@Table` adds to the name of a type: `s`, `es` or `ies`.
  fileprivate var plural: String {
    guard let last = utf8.last else { return self }
    let before = utf8.dropLast().last.map { $0 | 0x20 } ?? 0
    switch last | 0x20 {
    case UInt8(ascii: "y") where before != 0 && !"aeiou".utf8.contains(before): return dropLast() + "ies"
    case UInt8(ascii: "s"), UInt8(ascii: "x"), UInt8(ascii: "z"): return self + "es"
    case UInt8(ascii: "h") where before == UInt8(ascii: "c") || before == UInt8(ascii: "s"): return self + "es"
    default: return self + "s"
    }
  }
}
