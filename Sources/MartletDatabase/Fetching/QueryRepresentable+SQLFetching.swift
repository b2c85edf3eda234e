import MartletAST
public import MartletQuery

/// Rows of SQL that the program writes: `Int.fetchOne(db, sql: "SELECT count(*) FROM items")`.
///
/// Always true: the SQL is the program's own; what comes from elsewhere is in `arguments`.
extension QueryRepresentable {
  /// All rows of one statement of SQL, as values of the type. Throws as a statement's `fetchAll` does.
  ///
  /// - Parameter arguments: for the parameters, `?`, in their order; nil is NULL.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: [(any QueryBindable)?] = []
  ) throws -> [QueryOutput] {
    try db.fetch(SingleRow<Self>.self, statement(sql, arguments))
  }

  /// The first row, or nil where there is none. Throws as a statement's `fetchAll` does.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: [(any QueryBindable)?] = []
  ) throws -> QueryOutput? {
    try db.fetch(SingleRow<Self>.self, statement(sql, arguments), limit: 1).first
  }

  private static func statement(_ sql: String, _ arguments: [(any QueryBindable)?]) throws -> SerializedStatement {
    SerializedStatement(.raw(sql), parameters: try arguments.map { try ($0?.queryBinding ?? .null).bound() })
  }
}
