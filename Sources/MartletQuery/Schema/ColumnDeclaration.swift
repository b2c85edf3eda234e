public import Foundation
import MartletAST
import MartletValues

/// A line of `createTable { t in ... }` about one column: `t.title.default("").unique()`.
///
/// Always true: a default, a key, a collation or NOT NULL that is said here takes the place of the type's; uniqueness,
/// checks and references add up.
public struct ColumnDeclaration<Root: Table, Value: QueryRepresentable>: Sendable {
  let name: String
  var changes: [ColumnChange] = []

  /// The column as its type alone declares it.
  init(_ name: String) { self.name = name }

  private func adding(_ change: ColumnChange) -> Self {
    var result = self
    result.changes.append(change)
    return result
  }

  private func adding(_ constraint: ColumnConstraintPart, named name: String?) -> Self {
    adding(.constraint(constraint, name: name))
  }

  /// Another SQL type than the Swift type's own: `VARCHAR(20)`, `ANY`. A STRICT table takes INTEGER, REAL, TEXT, BLOB
  /// and ANY.
  public func type(_ sqlType: String) -> Self { adding(.type(sqlType)) }

  /// `NOT NULL`, which a column that is not optional has anyway, and what happens to a NULL.
  public func notNull(onConflict resolution: ConflictResolution? = nil, named name: String? = nil) -> Self {
    adding(.notNull(resolution), named: name)
  }

  /// `PRIMARY KEY`, which the type's own key is already, with what more there is to say about it.
  ///
  /// - Parameters:
  ///   - autoincrement: never uses the number of a deleted row again. Of integers only.
  ///   - descending: keeps the key's index from the last to the first. An integer key is then no row's number.
  public func primaryKey(
    autoincrement: Bool = false, descending: Bool = false, onConflict resolution: ConflictResolution? = nil,
    named name: String? = nil
  ) -> Self {
    adding(.primaryKey(autoincrement: autoincrement, descending: descending, resolution), named: name)
  }

  /// `UNIQUE`
  public func unique(onConflict resolution: ConflictResolution? = nil, named name: String? = nil) -> Self {
    adding(.unique(resolution), named: name)
  }

  /// `DEFAULT 'x'`: a value, in the column's representation.
  public func `default`(_ value: Value.QueryOutput, named name: String? = nil) -> Self {
    adding(.default(Value.fragment(of: value)), named: name)
  }

  /// `DEFAULT (uuid())`: an expression, computed for each row.
  @_disfavoredOverload
  public func `default`<E: QueryExpression>(_ expression: E, named name: String? = nil) -> Self
  where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Value.QueryUnwrapped {
    adding(.default(expression.queryFragment), named: name)
  }

  /// No default, although the property begins with a literal.
  public func withoutDefault() -> Self { adding(.withoutDefault) }

  /// `CHECK (…)`: what must hold in every row, or be NULL.
  public func check<E: QueryExpression>(
    named name: String? = nil, _ condition: (TableColumn<Root, Value>) -> E
  ) -> Self where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Bool {
    adding(.check(condition(TableColumn(self.name)).queryFragment), named: name)
  }

  /// `COLLATE "NOCASE"`: how the column's texts compare and sort.
  public func collate(_ collation: Collation) -> Self { adding(.collation(collation.rawValue), named: nil) }

  /// `GENERATED ALWAYS AS (…)`: computed from other columns, when it is read or, `stored`, when the row is written.
  public func generated<E: QueryExpression>(
    stored: Bool? = nil, as expression: (Root.TableColumns) -> E
  ) -> Self where E.QueryValue: QueryRepresentable, E.QueryValue.QueryUnwrapped == Value.QueryUnwrapped {
    adding(.generated(expression(Root.columns).queryFragment, stored: stored), named: nil)
  }

  /// `REFERENCES "table"("column")`: the value is that of a row there, or NULL.
  public func references<Other: Table, OtherValue>(
    _ table: Other.Type, _ column: KeyPath<Other.TableColumns, TableColumn<Other, OtherValue>>,
    onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil, deferrable: ForeignKeyDeferral? = nil,
    named name: String? = nil
  ) -> Self where OtherValue.QueryUnwrapped == Value.QueryUnwrapped {
    let key = ForeignKeyPart(
      table: Other.tableName, columns: [Other.columns[keyPath: column].name], onDelete: onDelete, onUpdate: onUpdate,
      deferral: deferrable)
    return adding(.references(key), named: name)
  }

  /// `REFERENCES "table"("id")`: the key of a row there.
  public func references<Other: PrimaryKeyedTable>(
    _ table: Other.Type, onDelete: ForeignKeyAction? = nil, onUpdate: ForeignKeyAction? = nil,
    deferrable: ForeignKeyDeferral? = nil, named name: String? = nil
  ) -> Self where Other.PrimaryKey.QueryUnwrapped == Value.QueryUnwrapped {
    let key = ForeignKeyPart(
      table: Other.tableName, columns: Other.TableColumns.allColumns.filter(\.isPrimaryKey).map(\.name),
      onDelete: onDelete, onUpdate: onUpdate, deferral: deferrable)
    return adding(.references(key), named: name)
  }
}

/// One part of a column's declaration.
enum ColumnChange: Sendable {
  case type(String)
  case constraint(ColumnConstraintPart, name: String?)
  case withoutDefault
}

/// The columns of a group, each of which can be declared.
@dynamicMemberLookup
public struct ColumnGroupDeclaration<Root: Table, Group: Table>: Sendable {
  /// The group as the table has it: it knows what the table calls its columns, of which two groups may have equal ones.
  let group: ColumnGroup<Root, Group>

  /// A column of the group: `t.timestamps.createdAt`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Group.TableColumns, TableColumn<Group, Value>>
  ) -> ColumnDeclaration<Root, Value> {
    ColumnDeclaration(group.columnName(Group.columns[keyPath: path].name))
  }

  /// A group within the group.
  public subscript<Inner: Table>(
    dynamicMember path: KeyPath<Group.TableColumns, ColumnGroup<Group, Inner>>
  ) -> ColumnGroupDeclaration<Root, Inner> {
    ColumnGroupDeclaration<Root, Inner>(group: group.inner(path))
  }
}

// MARK: - Values that SQLite makes itself

extension QueryExpression where Self == SQLQueryExpression<Foundation.UUID> {
  /// `uuid()`: a new one for each row. A function of Martlet's engine; SQLite alone has none.
  public static func uuid() -> SQLQueryExpression<Foundation.UUID> { .function("uuid") }
}

extension QueryExpression where Self == SQLQueryExpression<Foundation.Date> {
  /// `CURRENT_TIMESTAMP`: the date and time in UTC, to the second.
  public static var currentTimestamp: SQLQueryExpression<Foundation.Date> { .keyword(.currentTimestamp) }

  /// `CURRENT_DATE`: midnight of the day in UTC.
  public static var currentDate: SQLQueryExpression<Foundation.Date> { .keyword(.currentDate) }
}

extension QueryExpression where Self == SQLQueryExpression<String> {
  /// `CURRENT_TIME`: `HH:MM:SS` in UTC.
  public static var currentTime: SQLQueryExpression<String> { .keyword(.currentTime) }
}

extension SQLQueryExpression {
  static func keyword(_ keyword: ASTLiteral.Keyword) -> Self {
    var literal = ASTLiteral()
    literal.keyword = keyword
    return Self(QueryFragment(.literal(literal)))
  }
}
