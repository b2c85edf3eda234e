import MartletValues

/// The table whose columns and constraints are declared: `t` in `createTable { t in ... }`.
///
/// Always true: the table's columns are those of its type, whatever is declared.
@dynamicMemberLookup
public struct TableDeclaration<Of: Table>: Sendable {
  /// A column: `t.title.default("").collate(.nocase)`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Of.TableColumns, TableColumn<Of, Value>>
  ) -> ColumnDeclaration<Of, Value> {
    column(path)
  }

  /// A column that SQLite computes: `t.total.generated { $0.price * $0.amount }`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Of.TableColumns, GeneratedColumn<Of, Value>>
  ) -> ColumnDeclaration<Of, Value> {
    ColumnDeclaration(Of.columns[keyPath: path].name)
  }

  /// The columns of a group: `t.timestamps.createdAt`.
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Of.TableColumns, ColumnGroup<Of, Group>>
  ) -> ColumnGroupDeclaration<Of, Group> {
    ColumnGroupDeclaration<Of, Group>(group: Of.columns[keyPath: path])
  }

  /// A column that is called like one of the methods here.
  public func column<Value>(
    _ path: KeyPath<Of.TableColumns, TableColumn<Of, Value>>
  ) -> ColumnDeclaration<Of, Value> {
    ColumnDeclaration(Of.columns[keyPath: path].name)
  }

  /// `PRIMARY KEY ("a", "b" DESC)`, in place of the type's own key.
  public func primaryKey(
    named name: String? = nil, onConflict resolution: ConflictResolution? = nil,
    @OrderBuilder _ columns: (Of.TableColumns) -> [OrderingTerm]
  ) -> TableElement {
    TableElement(name, .primaryKey(columns(Of.columns), resolution))
  }

  /// `UNIQUE ("a", "b")`
  public func unique(
    named name: String? = nil, onConflict resolution: ConflictResolution? = nil,
    @OrderBuilder _ columns: (Of.TableColumns) -> [OrderingTerm]
  ) -> TableElement {
    TableElement(name, .unique(columns(Of.columns), resolution))
  }

  /// `CHECK (…)`: what must hold in every row, or be NULL.
  public func check(
    named name: String? = nil, @PredicateBuilder _ condition: (Of.TableColumns) -> [QueryFragment]
  ) -> TableElement {
    TableElement(name, .check(condition(Of.columns)))
  }

  /// `FOREIGN KEY ("a", "b") REFERENCES "other"("c", "d")`, with columns of equal types.
  public func foreignKey<each E: QueryExpression, Other: Table, each F: QueryExpression>(
    named name: String? = nil, _ columns: (Of.TableColumns) -> (repeat each E), references table: Other.Type,
    _ others: (Other.TableColumns) -> (repeat each F), onDelete: ForeignKeyAction? = nil,
    onUpdate: ForeignKeyAction? = nil, deferrable: ForeignKeyDeferral? = nil
  ) -> TableElement
  where
    repeat (each E).QueryValue: QueryRepresentable, repeat (each F).QueryValue: QueryRepresentable,
    repeat (each E).QueryValue.QueryUnwrapped == (each F).QueryValue.QueryUnwrapped
  {
    var own: [QueryFragment] = []
    for column in repeat each columns(Of.columns) { own += column.columnFragments }
    var referenced: [QueryFragment] = []
    for column in repeat each others(Other.columns) { referenced += column.columnFragments }
    let key = ForeignKeyPart(
      table: Other.tableName, columns: referenced.compactMap(\.columnName), onDelete: onDelete, onUpdate: onUpdate,
      deferral: deferrable)
    return TableElement(name, .foreignKey(own, key))
  }
}

/// One line of a table's declaration.
public struct TableElement: Sendable {
  enum Kind: Sendable {
    case column(String, [ColumnChange])
    case constraint(TableConstraintPart)
  }

  var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  init(_ name: String?, _ constraint: TableConstraintPart.Kind) {
    kind = .constraint(TableConstraintPart(name: name, kind: constraint))
  }
}

/// Declarations of columns and constraints, with `if`, `switch` and `for` among them.
@resultBuilder
public enum TableBuilder {
  public static func buildExpression<Root: Table, Value>(_ column: ColumnDeclaration<Root, Value>) -> [TableElement] {
    [TableElement(.column(column.name, column.changes))]
  }

  public static func buildExpression(_ element: TableElement) -> [TableElement] { [element] }

  /// Says what a table is made of.
  @_disfavoredOverload
  @available(
    *, unavailable, message: "Write a column or a constraint, which is a call: 't.unique { $0.name }'."
  )
  public static func buildExpression<Other>(_ other: Other) -> [TableElement] { [] }

  public static func buildBlock(_ parts: [TableElement]...) -> [TableElement] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [TableElement]?) -> [TableElement] { part ?? [] }
  public static func buildEither(first: [TableElement]) -> [TableElement] { first }
  public static func buildEither(second: [TableElement]) -> [TableElement] { second }
  public static func buildArray(_ parts: [[TableElement]]) -> [TableElement] { parts.flatMap { $0 } }
}
