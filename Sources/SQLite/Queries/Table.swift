/// A kind of thing that a schema has.
public protocol SchemaType: QueryType {
  /// What `CREATE` and `DROP` call it: `TABLE`, `VIEW`.
  static var identifier: String { get }
}

/// A table, by its name: `Table("users")`, or `Table("users", database: "attached")`.
public struct Table: SchemaType {
  public static let identifier = "TABLE"
  public var clauses: QueryClauses

  public init(_ name: String, database: String? = nil) { clauses = QueryClauses(name, database: database) }
}

/// A view, by its name.
public struct View: SchemaType {
  public static let identifier = "VIEW"
  public var clauses: QueryClauses

  public init(_ name: String, database: String? = nil) { clauses = QueryClauses(name, database: database) }
}

/// A table of a module, such as FTS5, by its name.
public struct VirtualTable: SchemaType {
  public static let identifier = "TABLE"
  public var clauses: QueryClauses

  public init(_ name: String, database: String? = nil) { clauses = QueryClauses(name, database: database) }
}

/// A query of one column, whose first row is a value of the type `V`.
public struct ScalarQuery<V>: QueryType {
  public var clauses: QueryClauses

  init(clauses: QueryClauses) { self.clauses = clauses }

  public init(_ name: String, database: String?) { clauses = QueryClauses(name, database: database) }

  /// The query as a value in parentheses: `users.filter(age > users.select(age.average).asExpression)`.
  public var asExpression: Expression<V> { Expression(Node(.subquery(clauses))) }
}

/// A statement that gives one value.
public struct Select<T>: ExpressionType {
  public typealias UnderlyingType = T
  let node: Node

  init(_ node: Node) { self.node = node }

  public init(_ template: String, _ bindings: [(any Binding)?]) {
    self.init(Expression<T>(template, bindings).node)
  }

  public var template: String { node.printed.text }
  public var bindings: [(any Binding)?] { node.printed.bindings.map(\.binding) }
  public var expression: Expression<Void> { Expression<Void>(node) }
}
