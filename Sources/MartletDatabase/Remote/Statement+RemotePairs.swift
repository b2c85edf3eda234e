#if Client
  public import MartletQuery

  /// Rows of two and three values of a query at a server.
  ///
  /// Always true: they are what the methods for any number of values give; see the ones of a `Database`.
  extension Statement {
    /// All rows as pairs, in one round trip.
    @inlinable
    public func fetchAll<First: QueryRepresentable, Second: QueryRepresentable>(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> [(First.QueryOutput, Second.QueryOutput)] where QueryValue == (First, Second) {
      try await database.collect(serialized, deadline) { try decode($0) }
    }

    /// The first row as a pair, or nil if there is none.
    @inlinable
    public func fetchOne<First: QueryRepresentable, Second: QueryRepresentable>(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> (First.QueryOutput, Second.QueryOutput)? where QueryValue == (First, Second) {
      try await database.first(TupleRow<First, Second>.self, serialized, deadline)
    }

    /// All rows as triples, in one round trip.
    @inlinable
    public func fetchAll<First: QueryRepresentable, Second: QueryRepresentable, Third: QueryRepresentable>(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> [(First.QueryOutput, Second.QueryOutput, Third.QueryOutput)]
    where QueryValue == (First, Second, Third) {
      try await database.collect(serialized, deadline) { try decode($0) }
    }

    /// The first row as a triple, or nil if there is none.
    @inlinable
    public func fetchOne<First: QueryRepresentable, Second: QueryRepresentable, Third: QueryRepresentable>(
      _ database: RemoteDatabase, deadline: Duration? = nil
    ) async throws -> (First.QueryOutput, Second.QueryOutput, Third.QueryOutput)?
    where QueryValue == (First, Second, Third) {
      try await database.first(TupleRow<First, Second, Third>.self, serialized, deadline)
    }
  }
#endif
