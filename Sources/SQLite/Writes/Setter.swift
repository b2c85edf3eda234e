/// A column and what it is set to: `email <- "a@b.c"`.
public struct Setter: Sendable {
  let column: Node
  let value: Node

  init(_ column: Node, _ value: Node) {
    self.column = column
    self.value = value
  }

  /// What the column is called; empty for what is no column.
  var name: String { column.columnName ?? "" }

  /// In `upsert`, the column takes what the row brings that could not be inserted: `"a" = "excluded"."a"`.
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
