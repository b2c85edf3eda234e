/// A SELECT without its types.
///
/// Always true: clauses that are empty leave nothing in the tree. Copies share their clauses until one of them changes,
/// because each method of a query hands on a new one.
struct SelectParts: StatementTree {
  private struct Clauses {
    var scope: (any Table.Type)?
    var isNone: Bool = false
    var distinct: Bool = false
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
  }

  // Unchecked, which is sound because whoever writes has called `own` and so holds the only reference. For the same
  // reason nobody reads during a change, so that the program need not check it.
  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) var clauses: Clauses

    init(_ clauses: Clauses) { self.clauses = clauses }
  }

  private var box = Box(Clauses())

  private mutating func own() {
    if !isKnownUniquelyReferenced(&box) { box = Box(box.clauses) }
  }
}

// MARK: - Clauses

extension SelectParts {
  /// The table whose default scope is still to be added; nil once it has been, or if there is none.
  var scope: (any Table.Type)? {
    get { box.clauses.scope }
    _modify {
      own()
      yield &box.clauses.scope
    }
  }

  /// It began with `none`: it finds no row, whatever is added.
  var isNone: Bool {
    get { box.clauses.isNone }
    _modify {
      own()
      yield &box.clauses.isNone
    }
  }

  var distinct: Bool {
    get { box.clauses.distinct }
    _modify {
      own()
      yield &box.clauses.distinct
    }
  }

  var columns: [QueryFragment] {
    get { box.clauses.columns }
    _modify {
      own()
      yield &box.clauses.columns
    }
  }

  var source: SourceFragment? {
    get { box.clauses.source }
    _modify {
      own()
      yield &box.clauses.source
    }
  }

  var joins: [JoinPart] {
    get { box.clauses.joins }
    _modify {
      own()
      yield &box.clauses.joins
    }
  }

  var predicates: [QueryFragment] {
    get { box.clauses.predicates }
    _modify {
      own()
      yield &box.clauses.predicates
    }
  }

  var group: [QueryFragment] {
    get { box.clauses.group }
    _modify {
      own()
      yield &box.clauses.group
    }
  }

  var having: [QueryFragment] {
    get { box.clauses.having }
    _modify {
      own()
      yield &box.clauses.having
    }
  }

  var windows: [(name: String, window: Window)] {
    get { box.clauses.windows }
    _modify {
      own()
      yield &box.clauses.windows
    }
  }

  var order: [OrderingTerm] {
    get { box.clauses.order }
    _modify {
      own()
      yield &box.clauses.order
    }
  }

  var limit: QueryFragment? {
    get { box.clauses.limit }
    _modify {
      own()
      yield &box.clauses.limit
    }
  }

  var offset: QueryFragment? {
    get { box.clauses.offset }
    _modify {
      own()
      yield &box.clauses.offset
    }
  }

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
  var hasSeveralRows: Bool {
    limit?.isOne != true && (!group.isEmpty || !columns.contains(where: \.mayMakeOneRow))
  }

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

  /// Nothing is in FROM but names of tables. So no scope waits for its place, and no rows have to be named.
  var hasNamesOnly: Bool { !hasSource { !$0.isName } }

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

extension SelectParts {
  /// That of its clauses, and of what it selects from.
  var depth: Int32 {
    var deepest = max(columns.depth, predicates.depth, group.depth, having.depth, source?.depth ?? 0)
    for term in order { deepest = max(deepest, term.fragment.depth) }
    for join in joins { deepest = max(deepest, join.depth) }
    for named in windows { deepest = max(deepest, named.window.depth) }
    return max(deepest, limit?.depth ?? 0, offset?.depth ?? 0)
  }
}
