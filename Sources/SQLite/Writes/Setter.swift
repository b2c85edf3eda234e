internal import MartletValues

/// A column and what it is set to: `email <- "a@b.c"`.
public struct Setter: Sendable {
  /// What a column is set to.
  enum Content: Sendable {
    /// A value, which becomes a part of a tree only if it is one.
    case value(SQLValue)
    case node(Node)
  }

  let column: Node
  let content: Content

  init(_ column: Node, _ value: Node) {
    self.column = column
    content = .node(value)
  }

  init(_ column: Node, _ value: SQLValue) {
    self.column = column
    content = .value(value)
  }

  var value: Node {
    switch content {
    case .value(let value): Node(.value(value))
    case .node(let node): node
    }
  }

  /// What the column is called; empty for what is no column.
  var name: String { column.columnName ?? "" }

  /// In `upsert`, the column takes the value of the row that could not be inserted: `"a" = "excluded"."a"`.
  init(excluded column: Node) {
    self.init(column, Node(.column(schema: "", table: "excluded", name: column.columnName ?? "")))
  }
}

extension Setter: Expressible {
  /// `"a" = 1`
  public var expression: Expression<Void> {
    Expression(Node(.infix(.equal, column, value, isWrapped: false)))
  }
}
