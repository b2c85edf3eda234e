import MartletAST

/// Which expressions make one value of many rows.
///
/// Always true: an aggregate within a subquery counts as the subquery's, unless the subquery makes its rows of it. If
/// only raw SQL names a function, and SQLite does not have it, it is unknown here whether it is an aggregate.
extension QueryFragment {
  /// Makes `result`, which a program made of this value, NULL if the value is NULL. But an aggregate of a row's value
  /// is one of all rows, so the NULL of one row does not matter to it, and so is a window function that reads the
  /// value. One that reads other columns is a value of each row, as any other.
  ///
  /// - Parameter values: what `result` was made of, if it is not this.
  func lifting(
    _ result: QueryFragment, of values: [QueryFragment]? = nil, where isPresent: QueryFragment? = nil
  ) -> QueryFragment {
    let (own, made) = (reading, result.reading)
    if made.isOfRows && !own.isOfRows && own.unknown.isEmpty {
      let columns = (values ?? [self]).reduce(into: Set()) { $0.formUnion($1.columnNames) }
      if made.isAggregate || columns.isEmpty || result.hasWindow(over: columns) {
        return result.collecting(columns, where: isPresent ?? .operation(.isNot, self, .null))
      }
    }
    // What is made of an aggregate is no aggregate of rows.
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

  /// Whether a query with it and without groups may have one row. A window function alone is a value of each row. SQL
  /// that may have an aggregate counts as one.
  var mayMakeOneRow: Bool { reading.isAggregate || !reading.unknown.isEmpty }

  /// True if it contains an aggregate or a window function, or SQL that may have one.
  var mayReadManyRows: Bool {
    let reading = reading
    return reading.isOfRows || !reading.unknown.isEmpty
  }

  /// True if it contains a query, which may have an aggregate of the outer rows.
  var hasSubquery: Bool { reading.hasSubquery }

  /// The table and the name of each column that it reads, without those that its subqueries read.
  private var columnNames: Set<[String]> {
    if case .column(_, let table, let name, _) = node { return [[table, name]] }
    var parts = operands
    if case .function(let call) = node {
      parts += call.order.map(\.fragment)
      parts += call.filter.map { [$0] } ?? []
      if case .window(let window) = call.over { parts += window.partition + window.order.map(\.fragment) }
    }
    return parts.reduce(into: []) { $0.formUnion($1.columnNames) }
  }

  /// True if a window function in it reads one of these columns.
  private func hasWindow(over columns: Set<[String]>) -> Bool {
    if case .function(let call) = node, call.over != nil { return !columnNames.isDisjoint(with: columns) }
    return operands.contains { $0.hasWindow(over: columns) }
  }

  /// A JSON array or object of many rows would hold their NULLs, which the type of the value does not have: rows
  /// without the value are left out of it, as all other aggregates leave them out.
  private func collecting(_ columns: Set<[String]>, where isPresent: QueryFragment) -> QueryFragment {
    guard case .function(var call) = node, call.isAggregate,
      ["json_group_array", "jsonb_group_array", "json_group_object", "jsonb_group_object"].contains(call.name)
    else { return mappingOperands { $0.collecting(columns, where: isPresent) } }
    let read = call.arguments.reduce(into: Set()) { $0.formUnion($1.columnNames) }
    guard columns.isEmpty || !read.isDisjoint(with: columns) else { return self }
    call.filter = call.filter.map { .chain(.and, isPresent, $0) } ?? isPresent
    return QueryFragment(.function(call))
  }

  /// If it is of one row or of many: by its operands, unless it has a rule of its own.
  private var reading: RowReading {
    let inner = RowReading(of: operands.map(\.reading))
    switch node {
    case .function(let call):
      let isNamed = !call.isScalar && RawCalls.isAggregate(call.name, arguments: call.arguments.count)
      guard call.isAggregate || call.over != nil || call.star || isNamed else { return inner }
      return RowReading(
        isOfRows: true, isAggregate: call.over == nil || inner.isAggregate, unknown: inner.unknown)
    case .raw(let parts):
      var own = RawCalls(parts).reading
      own.isAggregate = own.isOfRows
      return RowReading(of: [inner, own])
    case .subquery(let statement):
      // The arguments of a table-valued function belong to the rows around the subquery.
      let arguments = statement.source?.arguments ?? []
      var reading = RowReading(of: arguments.map(\.reading))
      reading.hasSubquery = true
      return reading
    case .exists: return RowReading(hasSubquery: true)
    default: return inner
    }
  }
}

/// If an expression is of one row or of many.
struct RowReading {
  /// It contains an aggregate or a window function.
  var isOfRows = false
  /// It contains an aggregate without a window.
  var isAggregate = false
  /// It contains a query.
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
