/// Whether a property of a table is a column or a group of columns, as its type decides: what lets a macro, which
/// knows types by their text only, write both in one way.
///
/// Always true: a plain value is a `TableColumn`, a `Table` a `ColumnGroup`; tables say so in a typealias of their own,
/// which hides the one for every other type.
extension QueryRepresentable {
  /// What a property of this type is in the columns of a table.
  public typealias QueryColumn<Root: Table> = TableColumn<Root, Self>

  /// What an optional property of this type is in the columns of a table.
  public typealias OptionalQueryColumn<Root: Table> = TableColumn<Root, Self?>
}

extension TableColumn {
  @inlinable
  public init(column name: String) { self.init(name) }
}

extension ColumnGroup {
  /// A group has no name in the database; its columns stand between the others.
  public init(column name: String) { self.init() }
}

extension ColumnDescription {
  /// One column.
  public static func columns<Value: QueryRepresentable>(
    _ name: String, of type: Value.Type, primaryKey: Bool = false, generated: Bool = false
  ) -> [ColumnDescription] {
    [ColumnDescription(name, type, primaryKey: primaryKey, generated: generated)]
  }

  /// The columns of a group.
  public static func columns<Values: Table>(
    _ name: String, of type: Values.Type, primaryKey: Bool = false, generated: Bool = false
  ) -> [ColumnDescription] {
    group(type, primaryKey: primaryKey)
  }
}
