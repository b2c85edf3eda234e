/// Operators: `(lhs) OP (rhs)`, `NOT (x)`, BETWEEN and the rest, each operand in parentheses once.
///
/// Always true: a chain of many operands is written in groups, so that SQLite's own depth of expressions (1,000) holds
/// 10,000 of them.
extension SQLWriter {
  func operation(_ symbol: ASTOperator, _ operands: [ASTExpression]) {
    switch symbol {
    case .and, .or, .concatenate, .add, .multiply: chain(symbol, operands, 0..<operands.count)
    case .in, .notIn: membership(symbol, operands)
    case .like, .notLike: like(symbol, operands)
    case .between, .notBetween: between(symbol, operands)
    case .not, .negate, .plus, .bitNot:
      write(symbol.sql)
      if symbol == .not { write(" ") }
      argument(operands, 0, operand)
    default:
      argument(operands, 0, operand)
      infix(symbol)
      argument(operands, 1, operand)
    }
  }

  private func infix(_ symbol: ASTOperator) {
    write(" ")
    write(symbol.sql)
    write(" ")
  }

  private func argument(_ operands: [ASTExpression], _ index: Int, _ body: (ASTExpression) -> Void) {
    at("arguments", index: index, body(operands[index]))
  }

  private func chain(_ symbol: ASTOperator, _ operands: [ASTExpression], _ range: Range<Int>) {
    guard range.count > TreeLimits.chainOperandsMax else {
      for index in range {
        if index > range.lowerBound { infix(symbol) }
        argument(operands, index, operand)
      }
      return
    }
    var groupSize = TreeLimits.chainOperandsMax
    while range.count > groupSize * TreeLimits.chainOperandsMax { groupSize *= TreeLimits.chainOperandsMax }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: groupSize) {
      if start > range.lowerBound { infix(symbol) }
      write("(")
      chain(symbol, operands, start..<min(start + groupSize, range.upperBound))
      write(")")
    }
  }

  private func like(_ symbol: ASTOperator, _ operands: [ASTExpression]) {
    argument(operands, 0, operand)
    infix(symbol)
    argument(operands, 1, operand)
    guard operands.count > 2 else { return }
    write(" ESCAPE ")
    argument(operands, 2, atom)
  }

  private func between(_ symbol: ASTOperator, _ operands: [ASTExpression]) {
    argument(operands, 0, atom)
    infix(symbol)
    argument(operands, 1, atom)
    write(" AND ")
    argument(operands, 2, atom)
  }

  // MARK: IN

  /// Beside a RIGHT or FULL JOIN the IN of a row value is `+((a, b) IN (...))`, which no index answers: SQLite 3.40
  /// looks for the row in the index only, and leaves out rows of the right side that have no partner.
  private func membership(_ symbol: ASTOperator, _ operands: [ASTExpression]) {
    let width = if case .tuple(let tuple) = operands[0].kind { tuple.elements.count } else { 1 }
    guard hasRightJoin, symbol == .in, width > 1 else { return membership(symbol, operands, width) }
    write("+(")
    membership(symbol, operands, width)
    write(")")
  }

  private func membership(_ symbol: ASTOperator, _ operands: [ASTExpression], _ width: Int) {
    argument(operands, 0, operand)
    infix(symbol)
    switch operands[1].kind {
    case .list(let list): at("arguments", index: 1, at("list", self.list(list)))
    case .parameter(let parameter):
      let width = parameter.columns == 0 ? width : Int(parameter.columns)
      at("arguments", index: 1, at("parameter", members(parameter, width: width)))
    default: argument(operands, 1, operand)
    }
  }

  /// `((1), (2))`; rows as `(VALUES (1, 2), (3, 4))`, because SQLite takes no list of row values.
  func list(_ node: ASTList) {
    let holdsRows = node.elements.contains {
      if case .tuple(let tuple) = $0.kind { tuple.elements.count > 1 } else { false }
    }
    write(holdsRows ? "(VALUES " : "(")
    list("elements", node.elements, operand)
    write(")")
  }

  /// The values of a list parameter: `(SELECT +"value" FROM "martlet_list"(?3))`. Behind the plus a value belongs to no
  /// column, so that it is compared as one that is written out would be: as a text, with a column of texts.
  func members(_ node: ASTParameter, width: Int) {
    write("(")
    if width == 1 {
      write("SELECT +\"value\" FROM \"martlet_list\"(")
      parameter(node.index)
      write(")")
    } else {
      // Without a plus before the first: SQLite takes its affinity for that of the whole row when it looks for an
      // index, and would use none for the other columns of a key that begins with a text.
      selectRows(node, width: width, areValues: true)
    }
    write(")")
  }
}
