/// Statements that make, change and drop tables and views.
///
/// Always true: each returns a statement, which `Connection.run` runs. Asked for a `String`, it is its text.
extension SchemaType {
  func schema(_ tree: some PrintedStatement) -> SchemaStatement { SchemaStatement(tree: tree) }

  /// `DROP TABLE "users"`, or `DROP VIEW`.
  public func drop(ifExists: Bool = false) -> SchemaStatement {
    let kind: DropTree.Kind = Self.identifier == View.identifier ? .view : .table
    return schema(DropTree(kind: kind, object: clauses.from, ifExists: ifExists))
  }

  @_disfavoredOverload
  public func drop(ifExists: Bool = false) -> String { (drop(ifExists: ifExists) as SchemaStatement).sql }
}

extension Table {
  /// `CREATE TABLE "users" (…)`
  ///
  /// - Parameters:
  ///   - temporary: of the connection, and gone with it.
  ///   - ifNotExists: nothing is done if there is a table of this name.
  ///   - withoutRowid: rows are kept under their key, which the table must have.
  public func create(
    temporary: Bool = false, ifNotExists: Bool = false, withoutRowid: Bool = false, block: (TableBuilder) -> Void
  ) -> SchemaStatement {
    let builder = TableBuilder()
    block(builder)
    return schema(
      CreateTableTree(
        table: clauses.from, isTemporary: temporary, ifNotExists: ifNotExists, isWithoutRowid: withoutRowid,
        columns: builder.columns, constraints: builder.constraints))
  }

  @_disfavoredOverload
  public func create(
    temporary: Bool = false, ifNotExists: Bool = false, withoutRowid: Bool = false, block: (TableBuilder) -> Void
  ) -> String {
    (create(temporary: temporary, ifNotExists: ifNotExists, withoutRowid: withoutRowid, block: block)
      as SchemaStatement).sql
  }

  /// `CREATE TABLE "archive" AS SELECT …`: a table of the query's rows, without any constraint.
  public func create(
    _ query: any QueryType, temporary: Bool = false, ifNotExists: Bool = false
  ) -> SchemaStatement {
    schema(
      CreateTableTree(
        table: clauses.from, isTemporary: temporary, ifNotExists: ifNotExists, query: query.clauses))
  }

  @_disfavoredOverload
  public func create(_ query: any QueryType, temporary: Bool = false, ifNotExists: Bool = false) -> String {
    (create(query, temporary: temporary, ifNotExists: ifNotExists) as SchemaStatement).sql
  }

  /// `ALTER TABLE "users" RENAME TO "people"`
  public func rename(_ to: Table) -> SchemaStatement {
    schema(AlterTableTree(table: clauses.from, change: .rename(to.clauses.from.name)))
  }

  @_disfavoredOverload
  public func rename(_ to: Table) -> String { (rename(to) as SchemaStatement).sql }

  // MARK: - Columns

  /// `ALTER TABLE "users" ADD COLUMN "a" TEXT NOT NULL DEFAULT ('b')`. A column that is not optional needs a default,
  /// which the rows that are there get.
  public func addColumn<V: Value>(
    _ name: Expression<V>, check: (any Condition)? = nil, defaultValue: V
  ) -> SchemaStatement {
    adding(name) {
      $0.check = check?.node
      $0.defaultValue = defaultValue.bound
    }
  }

  /// `ALTER TABLE "users" ADD COLUMN "a" TEXT DEFAULT ('b')`
  public func addColumn<V: Value>(
    _ name: Expression<V?>, check: (any Condition)? = nil, defaultValue: V? = nil
  ) -> SchemaStatement {
    adding(name) {
      $0.check = check?.node
      $0.defaultValue = defaultValue?.bound
    }
  }

  /// `ALTER TABLE "users" ADD COLUMN "a" INTEGER NOT NULL REFERENCES "b" ("id")`. SQLite takes it only while foreign
  /// keys are not enforced.
  public func addColumn<V: Value>(
    _ name: Expression<V>, unique: Bool = false, check: (any Condition)? = nil, references table: any QueryType,
    _ other: Expression<V>
  ) -> SchemaStatement where V.Datatype == Int64 {
    referring(name, unique, check, table, other.node)
  }

  /// `ALTER TABLE "users" ADD COLUMN "a" INTEGER REFERENCES "b" ("id")`
  public func addColumn<V: Value>(
    _ name: Expression<V?>, unique: Bool = false, check: (any Condition)? = nil, references table: any QueryType,
    _ other: Expression<V>
  ) -> SchemaStatement where V.Datatype == Int64 {
    referring(name, unique, check, table, other.node)
  }

  /// `ALTER TABLE "users" ADD COLUMN "a" TEXT NOT NULL DEFAULT ('b') COLLATE NOCASE`
  public func addColumn<V: Value>(
    _ name: Expression<V>, check: (any Condition)? = nil, defaultValue: V, collate: Collation
  ) -> SchemaStatement where V.Datatype == String {
    adding(name) {
      $0.check = check?.node
      $0.defaultValue = defaultValue.bound
      $0.collation = collate
    }
  }

  /// `ALTER TABLE "users" ADD COLUMN "a" TEXT COLLATE NOCASE`
  public func addColumn<V: Value>(
    _ name: Expression<V?>, check: (any Condition)? = nil, defaultValue: V? = nil, collate: Collation
  ) -> SchemaStatement where V.Datatype == String {
    adding(name) {
      $0.check = check?.node
      $0.defaultValue = defaultValue?.bound
      $0.collation = collate
    }
  }

  private func referring<D: ColumnType>(
    _ name: Expression<D>, _ unique: Bool, _ check: (any Condition)?, _ table: any QueryType, _ other: Node
  ) -> SchemaStatement {
    adding(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.references = (table.clauses.from, other)
    }
  }

  private func adding<D: ColumnType>(
    _ name: Expression<D>, _ change: (inout ColumnClause) -> Void
  ) -> SchemaStatement {
    var definition = ColumnClause(name)
    change(&definition)
    return schema(AlterTableTree(table: clauses.from, change: .add(definition)))
  }

  // MARK: - Indexes

  /// `CREATE INDEX "index_users_on_email" ON "users" ("email")`, for the rows of the query's filter.
  public func createIndex(
    _ columns: any Expressible..., unique: Bool = false, ifNotExists: Bool = false
  ) -> SchemaStatement {
    createIndex(columns, unique: unique, ifNotExists: ifNotExists)
  }

  /// The same with an array.
  public func createIndex(
    _ columns: [any Expressible], unique: Bool = false, ifNotExists: Bool = false
  ) -> SchemaStatement {
    schema(
      CreateIndexTree(
        table: clauses.from, name: indexName(columns), columns: columns.map(\.node), isUnique: unique,
        ifNotExists: ifNotExists, filter: clauses.filter))
  }

  @_disfavoredOverload
  public func createIndex(
    _ columns: any Expressible..., unique: Bool = false, ifNotExists: Bool = false
  ) -> String {
    createIndex(columns, unique: unique, ifNotExists: ifNotExists).sql
  }

  /// `DROP INDEX "index_users_on_email"`
  public func dropIndex(_ columns: any Expressible..., ifExists: Bool = false) -> SchemaStatement {
    dropIndex(columns, ifExists: ifExists)
  }

  /// The same with an array.
  public func dropIndex(_ columns: [any Expressible], ifExists: Bool = false) -> SchemaStatement {
    let index = QuerySource(name: indexName(columns), database: clauses.from.database)
    return schema(DropTree(kind: .index, object: index, ifExists: ifExists))
  }

  @_disfavoredOverload
  public func dropIndex(_ columns: any Expressible..., ifExists: Bool = false) -> String {
    dropIndex(columns, ifExists: ifExists).sql
  }

  /// `index_users_on_email`: letters, digits and underscores of the table and the columns.
  private func indexName(_ columns: [any Expressible]) -> String {
    let words = ["index", clauses.from.name, "on"] + columns.map { $0.asSQL() }
    var name = ""
    for character in words.joined(separator: " ").lowercased() where character != "\"" {
      let isPlain = "a"..."z" ~= character || "0"..."9" ~= character
      name.append(isPlain ? character : "_")
    }
    return name
  }
}

extension View {
  /// `CREATE VIEW "people" AS SELECT …`
  public func create(
    _ query: any QueryType, temporary: Bool = false, ifNotExists: Bool = false
  ) -> SchemaStatement {
    schema(
      CreateViewTree(view: clauses.from, isTemporary: temporary, ifNotExists: ifNotExists, query: query.clauses))
  }

  @_disfavoredOverload
  public func create(_ query: any QueryType, temporary: Bool = false, ifNotExists: Bool = false) -> String {
    (create(query, temporary: temporary, ifNotExists: ifNotExists) as SchemaStatement).sql
  }
}

extension VirtualTable {
  /// `ALTER TABLE "mails" RENAME TO "emails"`
  public func rename(_ to: VirtualTable) -> SchemaStatement {
    schema(AlterTableTree(table: clauses.from, change: .rename(to.clauses.from.name)))
  }

  @_disfavoredOverload
  public func rename(_ to: VirtualTable) -> String { (rename(to) as SchemaStatement).sql }
}
