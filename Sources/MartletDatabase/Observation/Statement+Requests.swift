package import MartletQuery

/// Statements as closures that fetch: what is kept to be run again and again, on any database.
///
/// Always true: the statement is built once, so that the closure may go to any thread, whatever the statement's type.
extension Statement where QueryValue: QueryRepresentable {
  /// `fetchAll`.
  package func allRowsRequest() -> @Sendable (Database) throws -> [QueryValue.QueryOutput] {
    let statement = serialized
    return { try $0.fetch(SingleRow<QueryValue>.self, statement) }
  }

  /// `fetchOne`.
  package func firstRowRequest() -> @Sendable (Database) throws -> QueryValue.QueryOutput? {
    let statement = serialized
    return { try $0.fetch(SingleRow<QueryValue>.self, statement, limit: 1).first }
  }
}

extension Statement {
  /// `fetchAll`, of rows of several values.
  package func allRowsRequest<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>()
    -> @Sendable (Database) throws -> [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)]
  where QueryValue == (First, Second, repeat each Other) {
    let statement = serialized
    return { try $0.fetch(TupleRow<First, Second, repeat each Other>.self, statement) }
  }

  /// `fetchOne`, of a row of several values.
  package func firstRowRequest<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>()
    -> @Sendable (Database) throws -> (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)?
  where QueryValue == (First, Second, repeat each Other) {
    let statement = serialized
    return { try $0.fetch(TupleRow<First, Second, repeat each Other>.self, statement, limit: 1).first }
  }
}
