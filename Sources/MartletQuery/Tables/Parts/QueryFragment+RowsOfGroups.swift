import MartletAST

/// Which expressions make one value of many rows.
///
/// Always true: an aggregate within a subquery is taken for the subquery's, unless the subquery makes its rows of it.
/// Of a function that only raw SQL names, and that SQLite does not bring, nobody knows here whether it is an aggregate.
extension QueryFragment {
  /// What `result`, which a program made of this value, is where the value may be NULL: NULL for a NULL. An aggregate
  /// that was made of a row's value is that of all rows: no row's NULL decides it.
  func lifting(_ result: QueryFragment, where isPresent: QueryFragment? = nil) -> QueryFragment {
    let (own, made) = (reading, result.reading)
    if made.isOfRows && !own.isOfRows && own.unknown.isEmpty { return result }
    // Of an aggregate, whatever is made of it is no aggregate of rows.
    let unknown = own.isOfRows ? [] : made.unknown.subtracting(own.unknown)
    if let name = unknown.sorted().first ?? (made.isOfRows && !own.isOfRows ? own.unknown.sorted().first : nil) {
      let reason =
        "Whether '\(name)' makes one value of many rows, raw SQL does not say. Write the function with "
        + "@DatabaseFunction, or the whole expression in the SQL instead of in 'map': CASE WHEN … IS NULL THEN …"
      return .bind(.invalid(QueryBindingFailure(reason)))
    }
    guard let isPresent else {
      let isNull = QueryFragment.operation(.is, self, .null)
      return QueryFragment(.choice(base: nil, branches: [(when: isNull, then: .null)], otherwise: result))
    }
    return QueryFragment(.choice(base: nil, branches: [(when: isPresent, then: result)], otherwise: nil))
  }

  /// Whether a query that has it is of one row, where it has no groups. A window function alone is a value of each row.
  /// SQL that may have an aggregate counts for one.
  var mayMakeOneRow: Bool { reading.isAggregate || !reading.unknown.isEmpty }

  /// Whether an aggregate or a window function stands in it, or SQL that may have one.
  var mayReadManyRows: Bool {
    let reading = reading
    return reading.isOfRows || !reading.unknown.isEmpty
  }

  /// Whether a query stands in it, which may have an aggregate of the rows around it.
  var hasSubquery: Bool { reading.hasSubquery }

  /// Of which rows it is.
  private var reading: RowReading {
    switch node {
    case .function(let call):
      let inner = RowReading(of: call.arguments.map(\.reading))
      let isNamed = !call.isScalar && RawCalls.isAggregate(call.name, arguments: call.arguments.count)
      guard call.isAggregate || call.over != nil || call.star || isNamed else { return inner }
      return RowReading(
        isOfRows: true, isAggregate: call.over == nil || inner.isAggregate, unknown: inner.unknown)
    case .operation(_, let operands): return RowReading(of: operands.map(\.reading))
    case .choice(let base, let branches, let otherwise):
      let parts = [base, otherwise].compactMap { $0 } + branches.flatMap { [$0.when, $0.then] }
      return RowReading(of: parts.map(\.reading))
    case .cast(let operand, _), .collate(let operand, _), .aliased(let operand, _), .sharedColumn(_, let operand):
      return operand.reading
    case .tuple(let elements), .elements(let elements): return RowReading(of: elements.map(\.reading))
    case .raw(let parts):
      let inner = parts.compactMap { part in
        if case .expression(let inner) = part { inner.reading } else { nil }
      }
      var own = RawCalls(parts).reading
      own.isAggregate = own.isOfRows
      return RowReading(of: inner + [own])
    case .subquery(let statement):
      // What a table-valued function makes its rows of is around the subquery.
      let arguments = (statement.tree as? SelectParts)?.source?.arguments ?? []
      var reading = RowReading(of: arguments.map(\.reading))
      reading.hasSubquery = true
      return reading
    case .exists: return RowReading(hasSubquery: true)
    case .column, .star, .bind, .list, .literal, .raise: return RowReading()
    }
  }
}

/// Whether an expression is of one row or of many.
struct RowReading {
  /// An aggregate or a window function stands in it.
  var isOfRows = false
  /// An aggregate stands in it, which no window makes one of each row again.
  var isAggregate = false
  /// A query stands in it.
  var hasSubquery = false
  /// Functions that raw SQL calls and that may be aggregates.
  var unknown: Set<String> = []

  init(isOfRows: Bool = false, isAggregate: Bool = false, hasSubquery: Bool = false, unknown: Set<String> = []) {
    self.isOfRows = isOfRows
    self.isAggregate = isAggregate
    self.hasSubquery = hasSubquery
    self.unknown = unknown
  }

  init(of parts: [RowReading]) {
    isOfRows = parts.contains(where: \.isOfRows)
    isAggregate = parts.contains(where: \.isAggregate)
    hasSubquery = parts.contains(where: \.hasSubquery)
    unknown = parts.reduce(into: []) { $0.formUnion($1.unknown) }
  }
}
