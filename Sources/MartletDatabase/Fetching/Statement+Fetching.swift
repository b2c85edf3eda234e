public import MartletQuery

/// Running statements: `execute`, `fetchAll`, `fetchOne`, `fetchCount` and `fetchCursor`.
///
/// Always true: a statement runs on the `Database` that it is given and is not changed by it, so it may run often.
extension Statement {
  /// Runs the statement to its end.
  ///
  /// Throws `RequestError` if the database refuses it, because of a constraint or anything else; before it is sent,
  /// `QueryBindingFailure` if a value cannot be bound.
  @inlinable
  public func execute(_ db: Database) throws { try db.openHome().run(serialized) }
}

// MARK: - Rows of one value

extension Statement where QueryValue: QueryRepresentable {
  /// All rows. Throws as `execute` does, and `QueryDecodingError` if a column does not hold what the type asks for.
  @inlinable
  public func fetchAll(_ db: Database) throws -> [QueryValue.QueryOutput] {
    try db.fetch(SingleRow<QueryValue>.self, serialized)
  }

  /// The first row, or nil if there is none; the others are not read. Throws as `fetchAll` does.
  @inlinable
  public func fetchOne(_ db: Database) throws -> QueryValue.QueryOutput? {
    try db.fetch(SingleRow<QueryValue>.self, serialized, limit: 1).first
  }

  /// The rows one at a time. Throws as `fetchAll` does, the cursor if a later row is at fault.
  @inlinable
  public func fetchCursor(_ db: Database) throws -> QueryCursor<QueryValue.QueryOutput> {
    try db.cursor(SingleRow<QueryValue>.self, serialized)
  }
}

extension Statement where QueryValue: QueryRepresentable, QueryValue.QueryOutput: Hashable {
  /// The different values of all rows, as Swift compares them: two spellings of a letter that are equal to
  /// Unicode are one, and two to SQL's DISTINCT. Throws as `fetchAll` does.
  @inlinable
  public func fetchSet(_ db: Database) throws -> Set<QueryValue.QueryOutput> { Set(try fetchAll(db)) }
}

// MARK: - Rows of several values

extension Statement {
  /// All rows, as tuples.
  @inlinable
  public func fetchAll<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
    _ db: Database
  ) throws -> [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)]
  where QueryValue == (First, Second, repeat each Other) {
    try db.fetch(TupleRow<First, Second, repeat each Other>.self, serialized)
  }

  /// The first row as a tuple, or nil if there is none.
  @inlinable
  public func fetchOne<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
    _ db: Database
  ) throws -> (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)?
  where QueryValue == (First, Second, repeat each Other) {
    try db.fetch(TupleRow<First, Second, repeat each Other>.self, serialized, limit: 1).first
  }

  /// The rows one at a time, as tuples.
  @inlinable
  public func fetchCursor<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
    _ db: Database
  ) throws -> QueryCursor<(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)>
  where QueryValue == (First, Second, repeat each Other) {
    try db.cursor(TupleRow<First, Second, repeat each Other>.self, serialized)
  }
}

// MARK: - No rows

extension Statement where QueryValue == Never {
  @available(*, unavailable, message: "This statement gives no rows. Add 'returning', or run it with 'execute'.")
  public func fetchAll(_ db: Database) throws -> [Never] { [] }

  @available(*, unavailable, message: "This statement gives no rows. Add 'returning', or run it with 'execute'.")
  public func fetchOne(_ db: Database) throws -> Never? { nil }
}

extension Statement where QueryValue == Void {
  @available(*, unavailable, message: "Say what its rows are: '#sql(…, as: Reminder.self)'; or run it with 'execute'.")
  public func fetchAll(_ db: Database) throws -> [Void] { [] }

  @available(*, unavailable, message: "Say what its rows are: '#sql(…, as: Reminder.self)'; or run it with 'execute'.")
  public func fetchOne(_ db: Database) throws -> Void? { nil }
}

// MARK: - Counting

extension SelectStatement {
  /// How many rows the query has, by `SELECT count(*) FROM (...)`. Throws as `execute` does.
  public func fetchCount(_ db: Database) throws -> Int {
    try db.fetch(SingleRow<Int>.self, countOfRows, limit: 1).first ?? 0
  }
}

extension WholeQuery {
  /// How many rows the query has, by `SELECT count(*) FROM (...)`. Throws as `execute` does, and `QueryBindingFailure`
  /// if the statement changes rows.
  public func fetchCount(_ db: Database) throws -> Int {
    try db.fetch(SingleRow<Int>.self, countOfRows, limit: 1).first ?? 0
  }
}

extension SQLQueryExpression {
  /// How many rows the SQL returns, by `SELECT count(*) FROM (...)`. Throws as `execute` does, and
  /// `QueryBindingFailure` if the SQL changes rows.
  public func fetchCount(_ db: Database) throws -> Int {
    try db.fetch(SingleRow<Int>.self, countOfRows, limit: 1).first ?? 0
  }
}
