/// A SELECT without its types.
///
/// Always true: clauses that are empty leave nothing in the tree.
struct SelectParts: StatementTree {
  /// The table whose default scope is still to be added; nil once it has been, or if there is none.
  var scope: (any Table.Type)?
  /// It began with `none`: it finds no row, whatever is added.
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

  /// `WHERE 0` if there is no row to filter.
  var allPredicates: [QueryFragment] { isNone ? [.literal(integer: 0)] : predicates }
}

extension SelectParts {
  /// A query without a row, for a statement that would have no effect.
  static var nothing: SelectParts {
    var parts = SelectParts()
    parts.columns = [.null]
    parts.isNone = true
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

extension SelectParts {
  var readsDocument: Bool { columns.count == 1 && columns[0].readsDocument }

  func withReals(_ areReal: [Bool]) -> any StatementTree { makingReals(areReal) }

  func makingReals(_ areReal: [Bool]) -> SelectParts {
    guard columns.count == areReal.count else { return self }
    var parts = self
    parts.columns = zip(columns, areReal).map { $1 ? $0.asReal : $0 }
    return parts
  }

  func mapping(_ change: ColumnMapping) -> any StatementTree {
    let inner = change.within(sources)
    return mapping { $0.mapping(inner) }
  }

  func look(_ search: inout PlaceSearch) {
    lookWithinSources(&search)
    search.within({ hasSource(where: $0) }, { lookThroughClauses(&$0) })
  }

  private func lookWithinSources(_ search: inout PlaceSearch) {
    source?.lookWithinQuery(&search)
    for join in joins { join.source.lookWithinQuery(&search) }
  }

  private func lookThroughClauses(_ search: inout PlaceSearch) {
    source?.look(&search)
    joins.look(&search)
    columns.look(&search)
    predicates.look(&search)
    group.look(&search)
    having.look(&search)
    for named in windows { named.window.look(&search) }
    order.look(&search)
    limit?.look(&search)
    offset?.look(&search)
  }

  /// Looks through what becomes a part of the query around it: a closure's rows that are joined.
  func lookThroughParts(_ search: inout PlaceSearch) {
    lookWithinSources(&search)
    lookThroughClauses(&search)
  }

  /// Everything in FROM, in parentheses too.
  var sources: [SourceFragment] { ([source].compactMap { $0 } + joins.map(\.source)).flatMap(\.all) }

  /// True if `isSo` is true for one of them; makes no list of them.
  func hasSource(where isSo: (SourceFragment) -> Bool) -> Bool {
    source?.isOrHolds(where: isSo) == true || joins.contains { $0.source.isOrHolds(where: isSo) }
  }
}

extension SelectParts: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) {
    // Its clauses become those of the query around it, so that only queries within them have tables of their own.
    var search = search
    lookThroughParts(&search)
    if let table = search.mistaken { predicates.append(search.refusal(table)) }
  }
}
