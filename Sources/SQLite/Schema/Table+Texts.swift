/// `ALTER TABLE … ADD COLUMN` as a text, if a program asks for one: `let sql: String = users.addColumn(age)`.
///
/// Always true: each is the text of the statement of the same name.
extension Table {
  @_disfavoredOverload
  public func addColumn<V: Value>(
    _ name: Expression<V>, check: (any Condition)? = nil, defaultValue: V
  ) -> String {
    (addColumn(name, check: check, defaultValue: defaultValue) as SchemaStatement).sql
  }

  @_disfavoredOverload
  public func addColumn<V: Value>(
    _ name: Expression<V?>, check: (any Condition)? = nil, defaultValue: V? = nil
  ) -> String {
    (addColumn(name, check: check, defaultValue: defaultValue) as SchemaStatement).sql
  }

  @_disfavoredOverload
  public func addColumn<V: Value>(
    _ name: Expression<V>, unique: Bool = false, check: (any Condition)? = nil, references table: any QueryType,
    _ other: Expression<V>
  ) -> String where V.Datatype == Int64 {
    (addColumn(name, unique: unique, check: check, references: table, other) as SchemaStatement).sql
  }

  @_disfavoredOverload
  public func addColumn<V: Value>(
    _ name: Expression<V?>, unique: Bool = false, check: (any Condition)? = nil, references table: any QueryType,
    _ other: Expression<V>
  ) -> String where V.Datatype == Int64 {
    (addColumn(name, unique: unique, check: check, references: table, other) as SchemaStatement).sql
  }

  @_disfavoredOverload
  public func addColumn<V: Value>(
    _ name: Expression<V>, check: (any Condition)? = nil, defaultValue: V, collate: Collation
  ) -> String where V.Datatype == String {
    (addColumn(name, check: check, defaultValue: defaultValue, collate: collate) as SchemaStatement).sql
  }

  @_disfavoredOverload
  public func addColumn<V: Value>(
    _ name: Expression<V?>, check: (any Condition)? = nil, defaultValue: V? = nil, collate: Collation
  ) -> String where V.Datatype == String {
    (addColumn(name, check: check, defaultValue: defaultValue, collate: collate) as SchemaStatement).sql
  }
}
