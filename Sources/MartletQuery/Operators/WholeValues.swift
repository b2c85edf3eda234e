import MartletAST

/// How values of several members are compared: groups, rows and enums.
///
/// Always true: such a value is one value, as in Swift. If a member may be NULL, NULL equals NULL. With SQL's `=` an
/// enum would never be equal to another, because each value of it has NULLs. A value of one column is compared as SQL
/// does.
extension QueryRepresentable {
  /// `operand symbol value`, with `IS` instead of `=` if a member may be NULL.
  static func comparison(_ symbol: ASTOperator, _ operand: QueryFragment, _ value: QueryFragment) -> QueryFragment {
    guard membersMayBeNull || value.hasNullMember else {
      switch symbol {
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return .operation(symbol, operand, ordered(value))
      default: return .operation(symbol, operand, value)
      }
    }
    switch symbol {
    case .equal: return .operation(.is, operand, value.nullLiteral)
    case .notEqual: return .operation(.isNot, operand, value.nullLiteral)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .operation(symbol, operand, ordered(value))
    default: return .operation(symbol, operand, value)
    }
  }

  /// True if a row has this key. A NULL equals NULL, so that no row is missed.
  static func isKey(_ value: QueryFragment, _ column: QueryFragment) -> QueryFragment {
    if case .null? = value.binding { return .operation(.is, column, .null) }
    return comparison(.equal, column, value)
  }

  /// `operand IN (...)` or `NOT IN`: one of these values.
  static func membership(
    _ symbol: ASTOperator, _ operand: QueryFragment, _ members: [QueryFragment]
  ) -> QueryFragment {
    guard !members.isEmpty, membersMayBeNull || members.contains(where: \.hasNull) else {
      return .membership(symbol, operand, members)
    }
    guard members.count > QueryLimits.valuesRowsMax else {
      let isNegated = symbol == .notIn
      let tests = members.map { QueryFragment.operation(isNegated ? .isNot : .is, operand, $0.nullLiteral) }
      return tests.count == 1 ? tests[0] : QueryFragment(.operation(isNegated ? .and : .or, tests))
    }
    let rows = members.map(\.members)
    return .sharedRow(symbol, operand, RowsParts(names: rows[0].indices.map { "c\($0)" }, rows: rows))
  }

  /// `operand IN (SELECT ...)` or `NOT IN`: one of a query's values.
  static func membership(_ symbol: ASTOperator, _ operand: QueryFragment, _ query: some Statement) -> QueryFragment {
    membersMayBeNull
      ? .sharedRow(symbol, operand, query.statementFragment.tree) : .operation(symbol, operand, query.queryFragment)
  }
}

extension QueryFragment {
  /// A row value with a member that is known to be NULL.
  var hasNullMember: Bool {
    guard case .tuple(let elements) = node else { return false }
    return elements.contains(where: \.hasNull)
  }

  fileprivate var hasNull: Bool {
    if case .null? = binding { return true }
    return hasNullMember
  }

  /// The columns of a row value.
  fileprivate var members: [QueryFragment] { if case .tuple(let elements) = node { elements } else { [self] } }

  /// `EXISTS (SELECT a, b INTERSECT SELECT ...)`: the row is among others. Rows that have NULL in the same places are
  /// equal here. For other operators that look among rows they are not.
  fileprivate static func sharedRow(
    _ symbol: ASTOperator, _ operand: QueryFragment, _ rows: any StatementTree
  ) -> QueryFragment {
    let row = StatementFragment(ValuesParts(rows: [operand.members]))
    let shared = CompoundParts(first: row, terms: [(.intersect, StatementFragment(rows))])
    let exists = QueryFragment(.exists(StatementFragment(shared)))
    return symbol == .notIn ? .operation(.not, exists) : exists
  }
}
