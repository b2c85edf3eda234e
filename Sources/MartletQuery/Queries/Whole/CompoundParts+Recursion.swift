import MartletAST

/// ORDER BY and LIMIT of a common table that reads itself.
///
/// Always true: SQLite reads such a table in FROM of a member alone, and not in a query within it. So the order and the
/// limit of the last member, which are its own in any other compound, are those of the whole: the order says which row
/// is taken next, and the limit how many there are.
extension StatementFragment {
  /// The query of the common table, as SQLite takes it.
  func growing(_ table: String) -> StatementFragment {
    guard let compound = tree as? CompoundParts else { return self }
    var parts = compound
    for (index, term) in compound.terms.enumerated() {
      guard let member = term.query.boundedSelect(from: table) else { continue }
      let isLast = index == compound.terms.count - 1 && (term.symbol == .union || term.symbol == .unionAll)
      guard isLast, parts.takeBounds(of: member) else { return StatementFragment(compound.refusingBounds(of: table)) }
    }
    return StatementFragment(parts)
  }

  /// The SELECT if it reads the table and has an order or a limit.
  private func boundedSelect(from table: String) -> SelectParts? {
    guard let parts = tree as? SelectParts ?? (tree as? PendingSelect)?.settled, parts.isBounded,
      parts.hasSource(where: { $0.name == table && $0.schema == nil && $0.subquery == nil })
    else { return nil }
    return parts
  }
}

extension CompoundParts {
  /// Takes the order and the limit of the last member, which then has none. False if both have one, or if the order
  /// names what is no result column.
  fileprivate mutating func takeBounds(of member: SelectParts) -> Bool {
    guard order.isEmpty || member.order.isEmpty, let terms = member.orderOfResult else { return false }
    if member.limit != nil || member.offset != nil {
      guard limit == nil, offset == nil else { return false }
      (limit, offset) = (member.limit, member.offset)
    }
    order += terms
    var rest = member
    (rest.order, rest.limit, rest.offset) = ([], nil, nil)
    replaceLast(StatementFragment(rest))
    return true
  }

  fileprivate func refusingBounds(of table: String) -> CompoundParts {
    let reason =
      "The common table \(table) reads itself, so that it has one order and one limit, and its order names columns "
      + "that it selects. Write '.union(…).order(byColumn: 2)' and '.union(…).limit(…)'."
    var parts = self
    parts.limit = .bind(.invalid(QueryBindingFailure(reason)))
    return parts
  }
}

extension SelectParts {
  fileprivate var isBounded: Bool { !order.isEmpty || limit != nil || offset != nil }

  /// Its order as that of a compound; nil if a term is no result column.
  fileprivate var orderOfResult: [OrderingTerm]? {
    var terms = order.flatMap(\.written)
    for index in terms.indices {
      guard let place = place(of: terms[index].fragment) else { return nil }
      terms[index].fragment = place
    }
    return terms
  }

  /// The place of the result column that an expression is, as a compound's ORDER BY takes it. Text of the program's own
  /// stays. Nil if it is no result column.
  private func place(of expression: QueryFragment) -> QueryFragment? {
    switch expression.node {
    case .literal: return expression
    case .bind(let binding) where binding.failure != nil: return expression
    case .raw(let parts) where parts.allSatisfy(\.isText): return expression
    case .collate(let inner, let collation):
      if let place = index(of: expression) { return place }
      return place(of: inner).map { QueryFragment(.collate($0, collation: collation)) }
    default: return index(of: expression)
    }
  }

  private func index(of expression: QueryFragment) -> QueryFragment? {
    let sought = [expression, expression.asReal].map(PredicateIdentity.init)
    // A result column's name is no part of what it is, and the bytes of an expression do not have it.
    let index = columns.firstIndex { sought.contains(PredicateIdentity($0)) }
    return index.map { .literal(integer: Int64($0 + 1)) }
  }
}

extension QueryFragment.RawPart {
  fileprivate var isText: Bool {
    switch self {
    case .sql, .identifier: true
    case .expression, .statement: false
    }
  }
}
