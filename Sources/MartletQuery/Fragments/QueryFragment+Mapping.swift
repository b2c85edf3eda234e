/// The expressions inside of an expression, and the same expression with other columns: renamed, without their table,
/// or replaced by what they were set to.
///
/// Always true: a column within a subquery is changed too if it belongs to a table outside of it. If the subquery
/// itself has a table of that name, the column belongs to that one and stays.
extension QueryFragment {
  struct ColumnName {
    var schema: String
    var table: String
    var name: String
    var place = ColumnPlace()
  }

  /// Without tables before the columns, as a conflict's target and RETURNING take them. Columns in a subquery keep
  /// their tables, because a name alone may mean another column there.
  var unqualifiedColumns: QueryFragment {
    mapping(ColumnMapping(seesSubqueries: false) { .column($0.name, table: "") })
  }

  /// A column for which `replacement` is nil stays as it is.
  func mappingColumns(_ replacement: @escaping (ColumnName) -> QueryFragment?) -> QueryFragment {
    mapping(ColumnMapping(replacement: replacement))
  }

  func mapping(_ change: ColumnMapping) -> QueryFragment {
    func mapped(_ fragment: QueryFragment) -> QueryFragment { fragment.mapping(change) }
    switch node {
    case .column(let schema, let table, let name, let place):
      return change.replacement(ColumnName(schema: schema, table: table, name: name, place: place)) ?? self
    case .star(let table, let place):
      let column = change.replacement(ColumnName(schema: "", table: table, name: "", place: place))
      guard case .column(_, let renamed, _, _) = column?.node else { return self }
      return QueryFragment(.star(table: renamed, place: place))
    case .sharedColumn(_, let condition): return mapped(condition)
    case .raw(let parts): return change.raw(parts)
    case .subquery(let statement):
      return change.seesSubqueries ? QueryFragment(.subquery(statement.mapping(change))) : self
    case .exists(let statement):
      return change.seesSubqueries ? QueryFragment(.exists(statement.mapping(change))) : self
    default: return mappingOperands(mapped)
    }
  }

  /// The same expression of other operands. What has none of its own, as a column and a subquery, stays.
  func mappingOperands(_ mapped: (QueryFragment) -> QueryFragment) -> QueryFragment {
    switch node {
    case .operation(let symbol, let operands): return QueryFragment(.operation(symbol, operands.map(mapped)))
    case .function(let call): return QueryFragment(.function(call.mapping(mapped)))
    case .choice(let base, let branches, let otherwise):
      return QueryFragment(
        .choice(
          base: base.map(mapped), branches: branches.map { (mapped($0.when), mapped($0.then)) },
          otherwise: otherwise.map(mapped)))
    case .cast(let operand, let type): return QueryFragment(.cast(mapped(operand), type: type))
    case .collate(let operand, let collation): return QueryFragment(.collate(mapped(operand), collation: collation))
    case .tuple(let elements): return QueryFragment(.tuple(elements.map(mapped)))
    case .elements(let elements): return QueryFragment(.elements(elements.map(mapped)))
    case .aliased(let inner, let name): return mapped(inner).named(name)
    case .column, .star, .sharedColumn, .raw, .subquery, .exists, .bind, .list, .literal, .raise: return self
    }
  }
}

extension QueryFragment {
  /// The expressions whose values it computes its own from. A subquery has its own.
  var operands: [QueryFragment] {
    switch node {
    case .operation(_, let operands), .tuple(let operands), .elements(let operands): operands
    case .function(let call): call.arguments
    case .choice(let base, let branches, let otherwise):
      [base, otherwise].compactMap { $0 } + branches.flatMap { [$0.when, $0.then] }
    case .cast(let operand, _), .collate(let operand, _), .aliased(let operand, _), .sharedColumn(_, let operand):
      [operand]
    case .raw(let parts):
      parts.compactMap { part in
        if case .expression(let expression) = part { expression } else { nil }
      }
    case .subquery, .exists, .column, .star, .bind, .list, .literal, .raise: []
    }
  }
}

extension FunctionCall {
  fileprivate func mapping(_ mapped: (QueryFragment) -> QueryFragment) -> FunctionCall {
    var call = self
    call.arguments = arguments.map(mapped)
    call.order = order.map { $0.mapping(mapped) }
    call.filter = filter.map(mapped)
    if case .window(let window) = over { call.over = .window(window.mapping(mapped)) }
    return call
  }
}

extension Window {
  func mapping(_ mapped: (QueryFragment) -> QueryFragment) -> Window {
    var window = self
    window.partition = partition.map(mapped)
    window.order = order.map { $0.mapping(mapped) }
    return window
  }
}

extension OrderingTerm {
  func mapping(_ mapped: (QueryFragment) -> QueryFragment) -> OrderingTerm {
    var term = self
    term.fragment = mapped(fragment)
    return term
  }
}
