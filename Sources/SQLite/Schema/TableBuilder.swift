/// What `create` hands to its closure: the columns and constraints of the table that is made.
///
/// ```swift
/// users.create { t in                      // CREATE TABLE "users" (
///   t.column(id, primaryKey: true)         //   "id" INTEGER PRIMARY KEY NOT NULL,
///   t.column(email, unique: true)          //   "email" TEXT NOT NULL UNIQUE,
///   t.column(name)                         //   "name" TEXT
/// }                                        // )
/// ```
///
/// Always true: a column is NOT NULL unless its expression's type is optional.
public final class TableBuilder {
  /// What `foreignKey` says of rows that point to others.
  public typealias Dependency = ForeignKeyAction

  private(set) var columns: [ColumnClause] = []
  private(set) var constraints: [TableConstraint] = []

  init() {}

  private func add<D: ColumnType>(_ name: Expression<D>, _ change: (inout ColumnClause) -> Void) {
    var definition = ColumnClause(name)
    change(&definition)
    columns.append(definition)
  }

  // MARK: - Columns

  /// `"a" TEXT NOT NULL UNIQUE CHECK (…)`
  public func column<D: ColumnType>(_ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil) {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
    }
  }

  /// `"a" TEXT NOT NULL DEFAULT ('b')`
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil, defaultValue: D
  ) {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.defaultValue = defaultValue.bound
    }
  }

  /// `"a" TEXT NOT NULL DEFAULT (lower('B'))`
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil, defaultValue: Expression<D>
  ) {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.defaultValue = defaultValue.node
    }
  }

  /// `"a" TEXT DEFAULT (lower('B'))`
  public func column<V: Value>(
    _ name: Expression<V?>, unique: Bool = false, check: (any Condition)? = nil, defaultValue: Expression<V>
  ) {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.defaultValue = defaultValue.node
    }
  }

  // MARK: - Keys

  /// `"id" INTEGER PRIMARY KEY NOT NULL`
  public func column<V: Value>(
    _ name: Expression<V>, primaryKey: Bool, check: (any Condition)? = nil, defaultValue: Expression<V>? = nil
  ) {
    add(name) {
      $0.primaryKey = primaryKey ? .default : nil
      $0.check = check?.node
      $0.defaultValue = defaultValue?.node
    }
  }

  /// `"id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL`
  public func column<V: Value>(_ name: Expression<V>, primaryKey: PrimaryKey, check: (any Condition)? = nil)
  where V.Datatype == Int64 {
    add(name) {
      $0.primaryKey = primaryKey
      $0.check = check?.node
    }
  }

  // MARK: - References

  /// `"user_id" INTEGER NOT NULL REFERENCES "users" ("id")`
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil, references table: any QueryType,
    _ other: Expression<D.ColumnValue>
  ) where D.ColumnValue.Datatype == Int64 {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.references = (table.clauses.from, other.node)
    }
  }

  /// `"user_id" INTEGER NOT NULL REFERENCES "users"`: to the key of that table.
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil, references table: any QueryType
  ) where D.ColumnValue.Datatype == Int64 {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.references = (table.clauses.from, nil)
    }
  }

  // MARK: - Collations

  /// `"a" TEXT NOT NULL COLLATE NOCASE`
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil, collate: Collation
  ) where D.ColumnValue.Datatype == String {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.collation = collate
    }
  }

  /// `"a" TEXT NOT NULL DEFAULT ('b') COLLATE NOCASE`
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil, defaultValue: D, collate: Collation
  ) where D.ColumnValue.Datatype == String {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.defaultValue = defaultValue.bound
      $0.collation = collate
    }
  }

  /// `"a" TEXT NOT NULL DEFAULT (lower('B')) COLLATE NOCASE`
  public func column<D: ColumnType>(
    _ name: Expression<D>, unique: Bool = false, check: (any Condition)? = nil,
    defaultValue: Expression<D.ColumnValue>, collate: Collation
  ) where D.ColumnValue.Datatype == String {
    add(name) {
      $0.isUnique = unique
      $0.check = check?.node
      $0.defaultValue = defaultValue.node
      $0.collation = collate
    }
  }

  // MARK: - Constraints of the table

  /// `PRIMARY KEY ("a", "b")`
  public func primaryKey(_ column: any Expressible, _ more: any Expressible...) {
    constraints.append(.primaryKey(([column] + more).map(\.node)))
  }

  /// `UNIQUE ("a", "b")`
  public func unique(_ columns: any Expressible...) { unique(columns) }

  /// `UNIQUE ("a", "b")`
  public func unique(_ columns: [any Expressible]) { constraints.append(.unique(columns.map(\.node))) }

  /// `CHECK (("a" > 0))`
  public func check(_ condition: any Condition) { constraints.append(.check(condition.node)) }

  /// `FOREIGN KEY ("a") REFERENCES "users" ("id") ON UPDATE CASCADE ON DELETE SET NULL`
  public func foreignKey<D: ColumnType>(
    _ column: Expression<D>, references table: any QueryType, _ other: Expression<D.ColumnValue>,
    update: Dependency? = nil, delete: Dependency? = nil
  ) {
    foreignKey([column.node], table, [other.node], update, delete)
  }

  /// `FOREIGN KEY ("a", "b") REFERENCES "c" ("d", "e")`
  public func foreignKey<A: ColumnType, B: ColumnType>(
    _ composite: (Expression<A>, Expression<B>), references table: any QueryType,
    _ other: (Expression<A.ColumnValue>, Expression<B.ColumnValue>), update: Dependency? = nil,
    delete: Dependency? = nil
  ) {
    foreignKey([composite.0.node, composite.1.node], table, [other.0.node, other.1.node], update, delete)
  }

  /// `FOREIGN KEY ("a", "b", "c") REFERENCES "d" ("e", "f", "g")`
  public func foreignKey<A: ColumnType, B: ColumnType, C: ColumnType>(
    _ composite: (Expression<A>, Expression<B>, Expression<C>), references table: any QueryType,
    _ other: (Expression<A.ColumnValue>, Expression<B.ColumnValue>, Expression<C.ColumnValue>),
    update: Dependency? = nil, delete: Dependency? = nil
  ) {
    foreignKey(
      [composite.0.node, composite.1.node, composite.2.node], table, [other.0.node, other.1.node, other.2.node],
      update, delete)
  }

  private func foreignKey(
    _ columns: [Node], _ table: any QueryType, _ others: [Node], _ update: Dependency?, _ delete: Dependency?
  ) {
    constraints.append(
      .foreignKey(columns, table: table.clauses.from, references: others, update: update, delete: delete))
  }
}
