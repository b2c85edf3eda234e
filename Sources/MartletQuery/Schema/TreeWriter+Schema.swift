import MartletAST

/// A statement of a schema. Programs make few of them, so they are composed as trees, from parts that are written like
/// those of any statement.
protocol SchemaTree: StatementTree {
  func tree(in writer: inout TreeWriter) -> ASTStatement
}

extension SchemaTree {
  func write(to writer: inout TreeWriter) {
    let tree = tree(in: &writer)
    writer.append(tree.serialized)
  }
}

/// Parts of statements as trees: what is written is read back.
///
/// Always true: a part leaves nothing in the output; its parameters are numbered with those of the statement.
extension TreeWriter {
  mutating func tree(of fragment: QueryFragment) -> ASTExpression {
    let bytes = part { $0.expression(fragment) }
    do { return try ASTExpression.read(bytes) } catch {
      values.fail(QueryBindingFailure(error.message))
      return .null
    }
  }

  mutating func tree(of statement: StatementFragment) -> ASTStatement {
    let bytes = part { statement.tree.write(to: &$0) }
    do { return try ASTStatement.read(bytes) } catch {
      values.fail(QueryBindingFailure(error.message))
      return ASTStatement()
    }
  }

  /// An expression over the columns of the table that is declared, which have no table before them there.
  mutating func declared(_ fragment: QueryFragment) -> ASTExpression {
    inlining { $0.tree(of: fragment.unqualifiedColumns) }
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
        values.fail(QueryBindingFailure("An index has NULLs first, always. Leave out where they go."))
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
