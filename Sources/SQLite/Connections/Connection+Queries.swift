internal import MartletDatabase
internal import MartletQuery

/// Queries and writes of the typed layer.
extension Connection {
  /// The rows of a query, which runs when they are asked for, and again each time. Throws `Result` if it cannot be
  /// compiled. What fails while rows are read ends the program; `prepareRowIterator` throws it.
  public func prepare(_ query: any QueryType) throws -> AnySequence<Row> {
    let clauses = query.clauses
    // A server tells what is wrong when it runs the query. A file is asked to compile it: a query that has begun would
    // keep the connection at what it saw then, where it could not write after another process had.
    let first = isRemote ? try exclusively { FirstRows(try rows(of: clauses), self) } : nil
    if first == nil { try compile(Node(.statement(clauses))) }
    return AnySequence { [self] in
      if let rows = first?.take() { return AnyIterator { rows.next() } }
      do {
        let rows = try rows(of: clauses)
        return AnyIterator { rows.next() }
      } catch {
        // It ends here because a sequence cannot throw, and ending the rows early would hide some.
        fatalError("\(error) Use `prepareRowIterator` where this can happen.")
      }
    }
  }

  /// The rows of a query, one by one, each of which may throw `Result`.
  public func prepareRowIterator(_ query: any QueryType) throws -> RowIterator { try rows(of: query.clauses) }

  private func rows(of clauses: QueryClauses) throws -> RowIterator {
    let shape = QueryShape(clauses)
    return try RowIterator(self, { shape.serialized }, shape: shape.layout) {
      Statement(failed: Node(.statement(clauses)), $0)
    }
  }

  /// The rows of SQL that the program wrote, one by one.
  public func prepareRowIterator(_ statement: String, bindings: (any Binding)?...) throws -> RowIterator {
    try prepare(statement, bindings).prepareRowIterator()
  }

  /// The first row, or nil if there is none. Throws `Result`.
  public func pluck(_ query: any QueryType) throws -> Row? {
    var clauses = query.clauses
    clauses.limit = 1
    return try rows(of: clauses).failableNext()
  }

  // MARK: - Values

  /// The value of a query such as `users.count`. Throws `QueryError` if it is NULL or there is no row.
  public func scalar<V: Value>(_ query: ScalarQuery<V>) throws -> V { try required(query.node) }

  /// The value of a query; nil if it is NULL or there is no row.
  public func scalar<V: Value>(_ query: ScalarQuery<V?>) throws -> V? { try optional(query.node) }

  /// The value of a statement such as `users.exists`. Throws `QueryError` if it is NULL.
  public func scalar<V: Value>(_ query: Select<V>) throws -> V { try required(query.node) }

  /// The value of a statement; nil if it is NULL.
  public func scalar<V: Value>(_ query: Select<V?>) throws -> V? { try optional(query.node) }

  private func required<V: Value>(_ node: Node) throws -> V {
    guard let value: V = try optional(node) else { throw QueryError.unexpectedNullValue(name: node.sql) }
    return value
  }

  private func optional<V: Value>(_ node: Node) throws -> V? {
    let values = try call(Statement(failed: node, self)) { database -> [SQLValue]? in
      let rows = try database.rows(of: node.serialized)
      defer { rows.finish() }
      return try rows.next()
    }
    guard let stored = values?.first else { return nil }
    return stored == .null ? nil : try V.value(from: _StoredValue(value: stored)) { node.sql }
  }

  // MARK: - Writes

  /// Inserts rows. Returns the number of the last one. Throws `Result`.
  @discardableResult
  public func run(_ query: Insert) throws -> Int64 { try write(query.node) { $0.lastInsertRowID } }

  /// Changes rows, or inserts a query's. Returns how many. Throws `Result`.
  @discardableResult
  public func run(_ query: Update) throws -> Int { try write(query.node) { $0.changesCount } }

  /// Deletes rows. Returns how many. Throws `Result`.
  @discardableResult
  public func run(_ query: Delete) throws -> Int { try write(query.node) { $0.changesCount } }

  /// Changes the schema. Throws `Result`.
  public func run(_ statement: SchemaStatement) throws { try write(statement.node) { _ in } }

  private func write<T>(_ node: Node, _ result: (Database) -> T) throws -> T {
    try call(Statement(failed: node, self), writes: true) { database in
      try checkMayRun(isRead: false)
      try database.run(node.serialized)
      return result(database)
    }
  }
}

/// The rows that a query found when it was prepared, for whoever asks first.
// Unchecked because it is touched only while its connection is kept for it.
private final class FirstRows: @unchecked Sendable {
  private let connection: Connection
  private let writes: Int
  private var rows: RowIterator?

  init(_ rows: RowIterator, _ connection: Connection) {
    self.rows = rows
    self.connection = connection
    writes = connection.writes
  }

  /// The rows, unless they were taken, or something was written since they were found.
  func take() -> RowIterator? {
    connection.exclusively {
      defer { rows = nil }
      return connection.writes == writes ? rows : nil
    }
  }
}
