/// One change of a table.
enum SchemaChange: Sendable {
  case addColumn(ColumnDefinition)
  case dropColumn(String)
  case renameColumn(String, String)
  case addIndex(IndexDefinition, ifNotExists: Bool)
  case dropIndex(String, ifExists: Bool)
}

extension SchemaChanger {
  /// What `alter` hands to its closure: the changes of the table, in their order.
  public final class AlterTableDefinition {
    let name: String
    private(set) var changes: [SchemaChange] = []

    init(name: String) { self.name = name }

    /// Adds a column. One that is not nullable needs a default, which the rows that are there get; the key cannot be
    /// added.
    public func add(column: ColumnDefinition) { changes.append(.addColumn(column)) }

    /// Adds an index.
    public func add(index: IndexDefinition, ifNotExists: Bool = false) {
      changes.append(.addIndex(index, ifNotExists: ifNotExists))
    }

    /// Drops a column, and the indexes of it alone.
    public func drop(column: String) { changes.append(.dropColumn(column)) }

    /// Drops an index.
    public func drop(index: String, ifExists: Bool = false) { changes.append(.dropIndex(index, ifExists: ifExists)) }

    /// Gives a column another name.
    public func rename(column: String, to: String) { changes.append(.renameColumn(column, to)) }
  }

  /// What `create` hands to its closure: the columns and indexes of the table.
  public final class CreateTableDefinition {
    let name: String
    private(set) var columns: [ColumnDefinition] = []
    private(set) var indexes: [(index: IndexDefinition, ifNotExists: Bool)] = []

    init(name: String) { self.name = name }

    /// Adds a column.
    public func add(column: ColumnDefinition) { columns.append(column) }

    /// Adds a column of the expression's name and type.
    public func add<T: Value>(expression: Expression<T>) { add(expression, nullable: false) }

    /// Adds a column of the expression's name and type, which may be NULL.
    public func add<T: Value>(expression: Expression<T?>) { add(expression, nullable: true) }

    private func add<D: ColumnType>(_ expression: Expression<D>, nullable: Bool) {
      add(
        column: ColumnDefinition(
          name: expression.node.columnName ?? "", type: ColumnDefinition.Affinity(D.ColumnValue.declaredDatatype),
          nullable: nullable))
    }

    /// Adds an index.
    public func add(index: IndexDefinition, ifNotExists: Bool = false) { indexes.append((index, ifNotExists)) }
  }
}
