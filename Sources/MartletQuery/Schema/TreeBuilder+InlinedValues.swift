internal import Foundation
import MartletAST
import MartletValues

/// Values inside a schema: literals, because SQLite keeps the text of views, triggers, defaults and constraints.
///
/// Always true: SQLite reads each literal back as the value that a parameter would have carried.
extension TreeBuilder {
  /// Builds a part of a schema.
  mutating func inlining<Result>(_ body: (inout TreeBuilder) -> Result) -> Result {
    let outer = inlinesValues
    inlinesValues = true
    defer { inlinesValues = outer }
    return body(&self)
  }

  func literal(of value: Value) -> ASTExpression {
    switch value {
    case .null: .null
    case .integer(let integer): .literal(integer)
    case .real(let real): .literal(real)
    // SQL text ends at a NUL, bytes do not.
    case .text(let text) where text.utf8.contains(0): .cast(.literal(Array(text.utf8)), as: "TEXT")
    case .text(let text): .literal(text)
    case .blob(let blob): .literal(blob)
    case .rows: .null
    }
  }

  /// The values of a list, one by one.
  mutating func inlined(_ rows: RowBatch, _ reason: QueryBindingFailure?) -> ASTExpression {
    if let reason { fail(reason) }
    var tree = ASTExpression()
    tree.list = ASTList()
    for row in 0..<rows.rowCount {
      guard let values = try? rows.row(row) else { continue }
      let literals = values.map { literal(of: $0) }
      var element = ASTExpression()
      element.tuple.elements = literals
      tree.list.elements.append(literals.count == 1 ? literals[0] : element)
    }
    return tree
  }

  /// An expression over the columns of the table that is declared, which have no table before them there.
  mutating func declared(_ fragment: QueryFragment) -> ASTExpression {
    inlining { $0.expression(fragment.unqualifiedColumns) }
  }

  mutating func declaredCondition(_ predicates: [QueryFragment]) -> ASTExpression? {
    QueryFragment.all(of: predicates).map { declared($0) }
  }

  /// Columns of a key or an index: an expression, its collation and its direction.
  mutating func indexedColumns(_ terms: [OrderingTerm]) -> [ASTIndexedColumn] {
    terms.map { term in
      var column = ASTIndexedColumn()
      if case .collate(let operand, let collation) = term.fragment.node {
        column.expression = declared(operand)
        column.collation = collation
      } else {
        column.expression = declared(term.fragment)
      }
      column.direction = term.direction
      if term.nulls != .unspecified {
        fail(QueryBindingFailure("An index has NULLs first, always. Leave out where they go."))
      }
      return column
    }
  }
}

extension [OrderingTerm] {
  /// The names of the columns among them.
  var columnNames: [String] {
    map { term in
      if case .collate(let operand, _) = term.fragment.node { return operand.columnName ?? "expression" }
      return term.fragment.columnName ?? "expression"
    }
  }
}
