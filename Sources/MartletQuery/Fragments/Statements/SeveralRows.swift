/// Whether a query that stands in an expression may have several rows, of which SQL takes the first.
///
/// Always true: an aggregate of such a query is refused. `Item.select(\.price).max()` would be the greatest among the
/// rows around it, of the first price in each.
extension QueryFragment {
  /// A query that may have several rows, or what is made of one.
  var isOfSeveralRows: Bool {
    switch node {
    case .subquery(let query): query.tree.hasSeveralRows
    case .cast(let inner, _): inner.isOfSeveralRows
    case .function(let call) where !call.isAggregate && call.over == nil && call.arguments.count == 1:
      call.arguments[0].isOfSeveralRows
    default: false
    }
  }

  static var aggregateOfQuery: QueryFragment {
    let reason =
      "An aggregate of a query would be one of the rows around it, and of the query's first row in each. Say it in the "
      + "query: 'select { $0.price.max() }'. Of a query that has one row, say 'limit(1)' first."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }

  /// The plain number 1.
  var isOne: Bool { if case .int(1)? = binding { true } else { false } }
}
