import MartletAST
public import MartletQuery

/// Rows of SQL that the program writes: `Int.fetchOne(db, sql: "SELECT count(*) FROM items")`.
///
/// Always true: the SQL is the program's own; what comes from elsewhere is in `arguments`.
extension QueryRepresentable {
  /// All rows of one statement of SQL, as values of the type. Throws as a statement's `fetchAll` does.
  ///
  /// - Parameter arguments: for the parameters of the SQL, in their order or by their names; nil is NULL.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> [QueryOutput] {
    try db.fetch(SingleRow<Self>.self, statement(sql, arguments))
  }

  /// The first row, or nil if there is none. Throws as a statement's `fetchAll` does.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> QueryOutput? {
    try db.fetch(SingleRow<Self>.self, statement(sql, arguments), limit: 1).first
  }

  /// The rows one at a time. Throws as a statement's `fetchCursor` does.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> QueryCursor<QueryOutput> {
    try db.cursor(SingleRow<Self>.self, statement(sql, arguments))
  }

  /// The different values of all rows, as Swift compares them: two spellings of a letter that are equal to
  /// Unicode are one, and two to SQL's DISTINCT. Throws as a statement's `fetchAll` does.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> Set<QueryOutput> where QueryOutput: Hashable {
    Set(try fetchAll(db, sql: sql, arguments: arguments))
  }

  private static func statement(_ sql: String, _ arguments: StatementArguments) throws -> SerializedStatement {
    SerializedStatement(.raw(sql), parameters: try arguments.parameters(of: sql))
  }
}
