public import MartletDatabase
internal import MartletQuery
internal import MartletValues

/// Typed statements of this module in a closure of `DatabaseQueue`, `DatabasePool` or `RemoteDatabase`, beside those of
/// the builder and in the same transaction.
///
/// Always true: they throw what that database throws: `RequestError`, and `QueryError` for a value that a row does not
/// have.
extension Database {
  /// Inserts rows. Returns the number of the last one.
  @discardableResult
  public func run(_ query: Insert) throws -> Int64 {
    try run(query.node.serialized)
    return lastInsertRowID
  }

  /// Changes rows, or inserts a query's. Returns how many.
  @discardableResult
  public func run(_ query: Update) throws -> Int {
    try run(query.node.serialized)
    return changesCount
  }

  /// Deletes rows. Returns how many.
  @discardableResult
  public func run(_ query: Delete) throws -> Int {
    try run(query.node.serialized)
    return changesCount
  }

  /// Changes the schema.
  public func run(_ statement: SchemaStatement) throws { try run(statement.node.serialized) }

  /// The rows of a query.
  public func prepare(_ query: any QueryType) throws -> [Row] { try rows(of: query.clauses, limit: .max) }

  /// The first row, or nil if there is none.
  public func pluck(_ query: any QueryType) throws -> Row? {
    var clauses = query.clauses
    clauses.limit = 1
    return try rows(of: clauses, limit: 1).first
  }

  /// The value of a query such as `users.count`. Throws `QueryError` if it is NULL or there is no row.
  public func scalar<V: Value>(_ query: ScalarQuery<V>) throws -> V {
    guard let value: V = try value(of: query.node) else {
      throw QueryError.unexpectedNullValue(name: query.asSQL())
    }
    return value
  }

  /// The value of a query; nil if it is NULL or there is no row.
  public func scalar<V: Value>(_ query: ScalarQuery<V?>) throws -> V? { try value(of: query.node) }

  private func rows(of clauses: QueryClauses, limit: Int) throws -> [Row] {
    let shape = QueryShape(clauses)
    let values = try rows(of: shape.serialized)
    defer { values.finish() }
    var rows: [Row] = []
    var layout: RowLayout?
    while rows.count < limit, let row = try values.next() {
      let known = layout ?? shape.layout(values.columns.map { ResultColumn(name: $0.name, table: $0.table) })
      layout = known
      rows.append(Row(known, RowBlock(row), 0))
    }
    return rows
  }

  private func value<V: Value>(of node: Node) throws -> V? {
    let rows = try rows(of: node.serialized)
    defer { rows.finish() }
    guard let stored = try rows.next()?.first, stored != .null else { return nil }
    return try V.value(from: _StoredValue(value: stored)) { node.sql }
  }
}
