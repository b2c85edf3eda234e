/// An INSERT. `Connection.run` returns the number of the row that it made.
public struct Insert: ExpressionType {
  let node: Node

  init(_ node: Node) { self.node = node }
  init(_ tree: InsertTree) { node = Node(.statement(tree)) }
}

/// An UPDATE, or an INSERT of a query's rows. `Connection.run` returns how many rows it changed.
public struct Update: ExpressionType {
  let node: Node

  init(_ node: Node) { self.node = node }
}

/// A DELETE. `Connection.run` returns how many rows it deleted.
public struct Delete: ExpressionType {
  let node: Node

  init(_ node: Node) { self.node = node }
}

extension Insert {
  public init(_ template: String, _ bindings: [(any Binding)?]) {
    self.init(Expression<Void>(template, bindings).node)
  }
  public var template: String { node.printed.text }
  public var bindings: [(any Binding)?] { node.printed.bindings.map(\.binding) }
  public var expression: Expression<Void> { Expression<Void>(node) }
}

extension Update {
  public init(_ template: String, _ bindings: [(any Binding)?]) {
    self.init(Expression<Void>(template, bindings).node)
  }
  public var template: String { node.printed.text }
  public var bindings: [(any Binding)?] { node.printed.bindings.map(\.binding) }
  public var expression: Expression<Void> { Expression<Void>(node) }
}

extension Delete {
  public init(_ template: String, _ bindings: [(any Binding)?]) {
    self.init(Expression<Void>(template, bindings).node)
  }
  public var template: String { node.printed.text }
  public var bindings: [(any Binding)?] { node.printed.bindings.map(\.binding) }
  public var expression: Expression<Void> { Expression<Void>(node) }
}
