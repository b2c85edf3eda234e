/// A statement that changes a schema: `Connection.run` runs it.
///
/// Always true: it is a tree, so a server may allow it to a client that may send no SQL. Its text has its values in
/// their places, as a schema has.
public struct SchemaStatement: Expressible, Sendable {
  let tree: any PrintedStatement

  /// The statement.
  public var expression: Expression<Void> { Expression(Node(.statement(tree))) }

  /// The SQL, as it is printed and compared.
  public var sql: String { node.sql }
}

extension SchemaStatement: CustomStringConvertible, Equatable {
  public var description: String { sql }
  public static func == (lhs: SchemaStatement, rhs: SchemaStatement) -> Bool { lhs.sql == rhs.sql }
  /// Whether the statement's SQL is this text.
  public static func == (lhs: SchemaStatement, rhs: String) -> Bool { lhs.sql == rhs }
  /// Whether the statement's SQL is this text.
  public static func == (lhs: String, rhs: SchemaStatement) -> Bool { lhs == rhs.sql }
}
