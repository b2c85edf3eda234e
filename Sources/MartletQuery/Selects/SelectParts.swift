import MartletAST

/// A SELECT without its types.
///
/// Always true: clauses that are empty leave nothing in the tree.
struct SelectParts: StatementTree {
  /// The table whose default scope it has yet to get; nil once it has it, and without one.
  var scope: (any Table.Type)?
  /// It began with `none`: nothing that is added to it finds a row.
  var isNone = false
  var distinct = false
  var columns: [QueryFragment] = []
  var source: SourceFragment?
  var joins: [JoinPart] = []
  var predicates: [QueryFragment] = []
  var group: [QueryFragment] = []
  var having: [QueryFragment] = []
  var windows: [(name: String, window: Window)] = []
  var order: [OrderingTerm] = []
  var limit: QueryFragment?
  var offset: QueryFragment?

  var columnNames: [String]? { columns.map(\.resultName) }

  /// `WHERE 0` where there is no row to filter.
  var allPredicates: [QueryFragment] { isNone ? [.literal(integer: 0)] : predicates }

}

struct JoinPart: Sendable {
  var kind: ASTJoin.Kind
  var source: SourceFragment
  var on: QueryFragment?
  /// Columns that both sides call so, instead of a condition.
  var using: [String] = []
}

extension SelectParts {
  /// A query without a row, for what would have no effect.
  static var nothing: SelectParts {
    var parts = SelectParts()
    parts.columns = [.null]
    parts.isNone = true
    return parts
  }

  /// `SELECT count(*) FROM (...)`.
  static func count(of query: StatementFragment) -> SelectParts {
    var parts = SelectParts()
    parts.columns = [QueryFragment(.function(FunctionCall(name: "count", star: true)))]
    parts.source = SourceFragment(name: "", subquery: query)
    if query.tree.writes {
      let reason =
        "Rows that a statement changes are not there to be counted. Run it with 'returning', and count those."
      parts.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
    }
    return parts
  }

  /// What UPDATE can read FROM: tables and conditions. A query that chooses among its rows stands there as a whole.
  func asSource<Sources: TableSources>(_ sources: Sources.Type) -> SelectParts {
    guard limit != nil || offset != nil || !group.isEmpty || !having.isEmpty else { return self }
    var parts = SelectParts()
    guard joins.isEmpty, let source else {
      let reason = "UPDATE reads a join's tables and conditions only. Make a common table of its groups or its limit."
      parts.source = source
      parts.joins = joins
      parts.predicates = [.bind(.invalid(QueryBindingFailure(reason)))]
      return parts
    }
    var rows = self
    rows.columns = Sources.First.ownColumns
    parts.source = source.asQuery(rows)
    return parts
  }

  /// The same query of one table under another name.
  func renaming<T: Table>(_ table: T.Type, to alias: String) -> SelectParts {
    var parts = mapping { $0.renaming(T.self, to: alias) }
    parts.source?.alias = alias
    return parts
  }

  /// The same query with its expressions changed.
  func mapping(_ change: (QueryFragment) -> QueryFragment) -> SelectParts {
    var parts = self
    parts.columns = columns.map(change)
    parts.source = source?.mapping(change)
    parts.joins = joins.map { $0.mapping(change) }
    parts.predicates = predicates.map(change)
    parts.group = group.map(change)
    parts.having = having.map(change)
    parts.windows = windows.map { ($0.name, $0.window.mapping(change)) }
    parts.order = order.map { $0.mapping(change) }
    parts.limit = limit.map(change)
    parts.offset = offset.map(change)
    return parts
  }
}

extension JoinPart {
  fileprivate func mapping(_ change: (QueryFragment) -> QueryFragment) -> JoinPart {
    var join = self
    join.on = on.map(change)
    join.source = source.mapping(change)
    return join
  }
}

extension SourceFragment {
  /// With what it reads of other tables changed: the arguments of a function, and a query in its place.
  func mapping(_ change: (QueryFragment) -> QueryFragment) -> SourceFragment {
    var source = self
    source.arguments = arguments.map { $0.map(change) }
    source.fragment = fragment.map(change)
    if let subquery, case .subquery(let changed) = change(QueryFragment(.subquery(subquery))).node {
      source.subquery = changed
    }
    source.joins = joins.map { $0.mapping(change) }
    source.pending?.conditions = pending?.conditions.map(change) ?? []
    return source
  }
}

/// What stands in FROM.
struct SourceFragment: Sendable {
  var schema: String?
  var name: String
  var alias: String?
  var fragment: QueryFragment?
  var subquery: StatementFragment?
  /// The name is a table-valued function's where there are any.
  var arguments: [QueryFragment]?
  var hint: ASTTable.OneOf_Hint?
  /// What is joined to it within parentheses: `(a JOIN b ON …)`.
  var joins: [JoinPart] = []
  /// Conditions of the table's default scope, for the join to place.
  var pending: PendingScope?

  /// What stands before the names of its columns.
  var qualifier: String { alias ?? name }

  /// It alone, without parentheses around it.
  var first: SourceFragment {
    var first = self
    first.joins = []
    return first
  }
}
