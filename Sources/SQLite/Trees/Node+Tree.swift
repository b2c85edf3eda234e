internal import MartletAST
internal import MartletValues

/// Nodes as expressions of the grammar.
///
/// Always true: a chain of one operator becomes one wide node, so that a hundred conditions nest no deeper than two.
extension Node {
  func tree(_ values: inout TreeValues) -> ASTExpression {
    switch kind {
    case .column(let schema, let table, let name): return .column(table, name, schema: schema)
    case .value(let value): return values.expression(value)
    case .infix(let infix, let left, let right, _):
      if infix.isChain { return .call(infix.symbol, operands(of: infix).map { $0.tree(&values) }) }
      return .call(infix.symbol, left.tree(&values), right.tree(&values))
    case .chain(let infix, let operands):
      return operands.count == 1 ? operands[0].tree(&values) : .call(infix.symbol, operands.map { $0.tree(&values) })
    case .prefix(let prefix, let operand): return .call(prefix.symbol, operand.tree(&values))
    case .between(let operand, let low, let high):
      return .call(.between, operand.tree(&values), low.tree(&values), high.tree(&values))
    case .like(let operand, let pattern, let escape):
      return .call(.like, operand.tree(&values), pattern.tree(&values), escape.tree(&values))
    case .contains(let operand, let elements): return contains(operand, elements, &values)
    case .containsQuery(let operand, let query):
      return .call(.in, operand.tree(&values), .subquery(query.tree(&values)))
    case .function(let call): return call.tree(&values)
    default: return otherTree(&values)
    }
  }

  private func otherTree(_ values: inout TreeValues) -> ASTExpression {
    switch kind {
    case .cast(let operand, let type): return .cast(operand.tree(&values), as: type)
    case .collate(let operand, let collation): return .collate(operand.tree(&values), collation.name)
    // An order, an alias or DISTINCT means nothing at another place.
    case .ordered(let operand, _), .alias(let operand, _), .distinct(let operand): return operand.tree(&values)
    case .subquery(let query), .statement(let query): return .subquery(query.tree(&values))
    case .exists(let query): return .exists(query.tree(&values))
    case .star(let table):
      // `count("users".*)` is no SQL; SQLite says so of the text.
      return .raw(ASTRaw.Part(stringLiteral: Node(.star(table: table)).sql))
    case .raw(let sql, let bound): return Node.raw(sql, bound, &values)
    // Those of `tree`, which a new kind is not among: the compiler asks for it here.
    case .column, .value, .infix, .chain, .prefix, .between, .like, .contains, .containsQuery, .function: return .null
    }
  }

  private func contains(_ operand: Node, _ elements: [Node], _ values: inout TreeValues) -> ASTExpression {
    let tree = operand.tree(&values)
    var plain: [SQLValue] = []
    plain.reserveCapacity(elements.count)
    for case .value(let value) in elements.lazy.map(\.kind) { plain.append(value) }
    guard plain.count == elements.count else { return .in(tree, elements.map { $0.tree(&values) }) }
    return .call(.in, tree, values.list(plain))
  }

  /// The operands of a chain from left to right.
  private func operands(of chain: Infix) -> [Node] {
    var operands: [Node] = []
    var rest = self
    while case .infix(chain, let left, let right, _) = rest.kind {
      operands.append(right)
      rest = left
    }
    operands.append(rest)
    return operands.reversed()
  }

  /// SQL of the program, cut where its values stand.
  static func parts(_ sql: String, _ bound: [SQLValue], _ values: inout TreeValues) -> [ASTRaw.Part] {
    var numbers = RawNumbers()
    var parts: [ASTRaw.Part] = []
    for piece in RawPieces(sql) {
      switch piece {
      case .sql(let text): parts.append(ASTRaw.Part(stringLiteral: String(text)))
      case .parameter(let name):
        let index = numbers.index(of: name) ?? -1
        let hasValue = bound.indices.contains(index)
        // A `?` without a value is NULL, as everywhere in SQLite.
        if !hasValue, name != "?" { values.fail(noValue(of: name)) }
        parts.append(.expression(values.expression(hasValue ? bound[index] : .null)))
      }
    }
    return parts
  }

  /// In a tree it would take the value of another part of the statement.
  private static func noValue(of parameter: Substring) -> String {
    "The parameter \(parameter) of an expression has no value. Write a question mark for each of its values, or ?1 for "
      + "the first one."
  }

  private static func raw(_ sql: String, _ bound: [SQLValue], _ values: inout TreeValues) -> ASTExpression {
    var expression = ASTExpression()
    expression.raw.parts = parts(sql, bound, &values)
    return expression
  }
}

extension FunctionNode {
  func tree(_ values: inout TreeValues) -> ASTExpression {
    var call = ASTCall()
    call.function = name
    call.star = isStar
    for argument in arguments {
      if case .distinct = argument.kind { call.distinct = true }
      call.arguments.append(argument.tree(&values))
    }
    if let filter { call.filter = filter.tree(&values) }
    if let over { call.over.window = over.tree(&values) }
    var expression = ASTExpression()
    expression.call = call
    return expression
  }
}

extension WindowNode {
  func tree(_ values: inout TreeValues) -> ASTWindow {
    var window = ASTWindow.over(
      partitionBy: partition.map { $0.tree(&values) }, orderBy: order.map { $0.orderingTerm(&values) })
    if let frame { window.frame = frame.tree }
    return window
  }
}

extension FrameNode {
  fileprivate var tree: ASTFrame { .between(unit, Self.tree(start), Self.tree(end)) }

  private static func tree(_ bound: (kind: ASTFrameBound.Kind, offset: Int)) -> ASTFrameBound {
    let hasOffset = bound.kind == .preceding || bound.kind == .following
    return .at(bound.kind, hasOffset ? .literal(Int64(bound.offset)) : nil)
  }
}

// MARK: - Where only some nodes may stand

extension Node {
  /// The node as a term of ORDER BY.
  func orderingTerm(_ values: inout TreeValues) -> ASTOrderingTerm {
    guard case .ordered(let operand, let isDescending) = kind else { return .by(term(&values)) }
    return .by(operand.term(&values), isDescending ? .descending : .ascending)
  }

  /// The node as a term of GROUP BY, or of ORDER BY without its direction.
  func term(_ values: inout TreeValues) -> ASTExpression {
    let term = tree(&values)
    return values.areInlined ? term.withoutPlace : term
  }

  /// The node as a column of a result.
  func resultColumn(_ values: inout TreeValues) -> ASTResultColumn {
    switch kind {
    case .star(nil): .all()
    case .star(let table?): .all(of: table.columnName ?? "")
    case .alias(let operand, let name): .expression(operand.tree(&values), as: name)
    default: .expression(tree(&values))
    }
  }

  /// The node as a column of an index or a key.
  func indexedColumn(_ values: inout TreeValues) -> ASTIndexedColumn {
    var column = ASTIndexedColumn()
    switch kind {
    case .ordered(let operand, let isDescending):
      column = operand.indexedColumn(&values)
      column.direction = isDescending ? .descending : .ascending
    case .collate(let operand, let collation):
      column.expression = operand.tree(&values)
      column.collation = collation.name
    default: column.expression = tree(&values)
    }
    return column
  }
}

extension ASTExpression {
  /// The same term, in which no value is a plain number: SQLite would take that for a column's place.
  fileprivate var withoutPlace: ASTExpression {
    var term = self
    switch kind {
    case .literal(let literal):
      if case .integer = literal.kind { return .cast(self, as: "INTEGER") }
    case .collate(var collate):
      collate.operand = collate.operand.withoutPlace
      term.collate = collate
    case .call(var call) where call.operator == .negate:
      call.arguments = call.arguments.map(\.withoutPlace)
      term.call = call
    default: break
    }
    return term
  }
}
