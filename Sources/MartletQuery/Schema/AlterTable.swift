import MartletAST

/// One change of a table.
///
/// Always true: former names are strings, because no type has them any more; present names are key paths.
public struct AlterTable<Of: Table>: Statement, Sendable, CustomStringConvertible {
  public typealias QueryValue = Never

  var parts: AlterTableParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }
}

/// The changes that a table can undergo: `Reminder.alterTable.addColumn(\.priority)`.
public struct TableAlterations<Of: Table>: Sendable {
  /// `ADD COLUMN`, defined by its type. One that is NOT NULL needs a default.
  public func addColumn<Value>(_ path: KeyPath<Of.TableColumns, TableColumn<Of, Value>>) -> AlterTable<Of> {
    addColumn { $0.column(path) }
  }

  /// `ADD COLUMN`, defined by its type and the closure: `addColumn { $0.priority.default(.low) }`.
  public func addColumn<Value>(
    _ column: (TableDeclaration<Of>) -> ColumnDeclaration<Of, Value>
  ) -> AlterTable<Of> {
    let declaration = column(TableDeclaration<Of>())
    let described = Of.TableColumns.allColumns.first { $0.name == declaration.name }
    return alteration(.add(described ?? ColumnDescription(declaration.name, Value.self), declaration.changes))
  }

  /// `RENAME COLUMN`, from the name that it had.
  public func renameColumn<Value>(
    _ old: String, to path: KeyPath<Of.TableColumns, TableColumn<Of, Value>>
  ) -> AlterTable<Of> {
    alteration(.rename(old, to: Of.columns[keyPath: path].name))
  }

  /// `RENAME COLUMN`, to a name that the type does not have yet.
  public func renameColumn<Value>(
    _ path: KeyPath<Of.TableColumns, TableColumn<Of, Value>>, to new: String
  ) -> AlterTable<Of> {
    alteration(.rename(Of.columns[keyPath: path].name, to: new))
  }

  /// `DROP COLUMN`, which the type has no more.
  public func dropColumn(_ name: String) -> AlterTable<Of> { alteration(.drop(name)) }

  /// `DROP COLUMN`, which the type still has.
  public func dropColumn<Value>(_ path: KeyPath<Of.TableColumns, TableColumn<Of, Value>>) -> AlterTable<Of> {
    dropColumn(Of.columns[keyPath: path].name)
  }

  /// `RENAME TO` the table's name, from the one that it had.
  public func rename(from old: String) -> AlterTable<Of> {
    AlterTable(parts: AlterTableParts(place: SchemaPlace(Of.self, name: old), change: .renameTable(Of.tableName)))
  }

  /// `RENAME TO` another name than the type's.
  public func rename(to new: String) -> AlterTable<Of> { alteration(.renameTable(new)) }

  private func alteration(_ change: AlterTableParts.Change) -> AlterTable<Of> {
    AlterTable(parts: AlterTableParts(place: SchemaPlace(Of.self), change: change))
  }
}

extension Table {
  /// `ALTER TABLE`, of which the methods of this value say what changes.
  public static var alterTable: TableAlterations<Self> { TableAlterations() }
}

struct AlterTableParts: SchemaTree {
  enum Change: Sendable {
    case add(ColumnDescription, [ColumnChange])
    case rename(String, to: String)
    case drop(String)
    case renameTable(String)
  }

  var place: SchemaPlace
  var change: Change

  func tree(in writer: inout TreeWriter) -> ASTStatement {
    var alter = ASTAlterTable()
    alter.schema = place.schema
    alter.name = place.name
    switch change {
    case .add(let column, let changes):
      alter.addColumn = ColumnPart(column, isKey: false, changes: changes).tree(in: &writer)
    case .rename(let old, let new):
      alter.renameColumn.from = old
      alter.renameColumn.to = new
    case .drop(let name): alter.dropColumn = name
    case .renameTable(let name): alter.renameTo = name
    }
    var statement = ASTStatement()
    statement.alterTable = alter
    return statement
  }
}
