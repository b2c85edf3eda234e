public import MartletQuery

/// Rows of two and three values.
///
/// Always true: they are what the methods for any number of values give. For a tuple with a pack expansion, version 6.3
/// of the compiler does not find an element's type for `?.` or `== nil` in the same expression: of a left join,
/// `.fetchAll(db).map { $0.1?.id }` would not compile. The same holds for chosen columns, `select { ($0.a, $0.b) }`,
/// which are a pack whatever fetches them: name the rows first.
extension Statement {
  /// All rows, as pairs.
  @inlinable
  public func fetchAll<First: QueryRepresentable, Second: QueryRepresentable>(
    _ db: Database
  ) throws -> [(First.QueryOutput, Second.QueryOutput)] where QueryValue == (First, Second) {
    try db.fetch(TupleRow<First, Second>.self, serialized)
  }

  /// The first row as a pair, or nil if there is none.
  @inlinable
  public func fetchOne<First: QueryRepresentable, Second: QueryRepresentable>(
    _ db: Database
  ) throws -> (First.QueryOutput, Second.QueryOutput)? where QueryValue == (First, Second) {
    try db.fetch(TupleRow<First, Second>.self, serialized, limit: 1).first
  }

  /// The rows one at a time, as pairs.
  @inlinable
  public func fetchCursor<First: QueryRepresentable, Second: QueryRepresentable>(
    _ db: Database
  ) throws -> QueryCursor<(First.QueryOutput, Second.QueryOutput)> where QueryValue == (First, Second) {
    try db.cursor(TupleRow<First, Second>.self, serialized)
  }

  /// All rows, as triples.
  @inlinable
  public func fetchAll<First: QueryRepresentable, Second: QueryRepresentable, Third: QueryRepresentable>(
    _ db: Database
  ) throws -> [(First.QueryOutput, Second.QueryOutput, Third.QueryOutput)] where QueryValue == (First, Second, Third) {
    try db.fetch(TupleRow<First, Second, Third>.self, serialized)
  }

  /// The first row as a triple, or nil if there is none.
  @inlinable
  public func fetchOne<First: QueryRepresentable, Second: QueryRepresentable, Third: QueryRepresentable>(
    _ db: Database
  ) throws -> (First.QueryOutput, Second.QueryOutput, Third.QueryOutput)? where QueryValue == (First, Second, Third) {
    try db.fetch(TupleRow<First, Second, Third>.self, serialized, limit: 1).first
  }

  /// The rows one at a time, as triples.
  @inlinable
  public func fetchCursor<First: QueryRepresentable, Second: QueryRepresentable, Third: QueryRepresentable>(
    _ db: Database
  ) throws -> QueryCursor<(First.QueryOutput, Second.QueryOutput, Third.QueryOutput)>
  where QueryValue == (First, Second, Third) {
    try db.cursor(TupleRow<First, Second, Third>.self, serialized)
  }
}
