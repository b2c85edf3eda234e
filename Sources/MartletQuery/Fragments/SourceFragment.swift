import MartletAST

/// A source in FROM.
///
/// Always true: of a table by its name nothing is behind the pointer. A query is copied with each clause that it gets,
/// and its sources with it.
struct SourceFragment: Sendable {
  var schema: String?
  var name: String
  var alias: String?
  private var rest = Rest.none

  init(
    schema: String? = nil, name: String, alias: String? = nil, fragment: QueryFragment? = nil,
    subquery: StatementFragment? = nil, arguments: [QueryFragment]? = nil
  ) {
    self.schema = schema
    self.name = name
    self.alias = alias
    guard fragment != nil || subquery != nil || arguments != nil else { return }
    rest = .some(Details(fragment: fragment, subquery: subquery, arguments: arguments))
  }

  /// The name before those of its columns.
  var qualifier: String { alias ?? name }

  /// It alone, without parentheses around it.
  var first: SourceFragment {
    var first = self
    first.joins = []
    return first
  }
}

// MARK: - What few sources have

extension SourceFragment {
  private struct Details: Sendable {
    var fragment: QueryFragment?
    var subquery: StatementFragment?
    var arguments: [QueryFragment]?
    var hint: ASTTable.OneOf_Hint?
    var joins: [JoinPart] = []
    var pending: PendingScope?

    var isEmpty: Bool {
      fragment == nil && subquery == nil && arguments == nil && hint == nil && joins.isEmpty && pending == nil
    }
  }

  private enum Rest: Sendable {
    case none
    indirect case some(Details)
  }

  private var details: Details {
    get { if case .some(let details) = rest { details } else { Details() } }
    set { rest = newValue.isEmpty ? .none : .some(newValue) }
  }

  /// It is a table's name, perhaps with an alias.
  var isName: Bool { if case .none = rest { true } else { false } }

  var fragment: QueryFragment? {
    get { isName ? nil : details.fragment }
    set { details.fragment = newValue }
  }

  var subquery: StatementFragment? {
    get { isName ? nil : details.subquery }
    set { details.subquery = newValue }
  }

  /// With arguments, the name is that of a table-valued function.
  var arguments: [QueryFragment]? {
    get { isName ? nil : details.arguments }
    set { details.arguments = newValue }
  }

  var hint: ASTTable.OneOf_Hint? {
    get { isName ? nil : details.hint }
    set { details.hint = newValue }
  }

  /// What is joined to it within parentheses: `(a JOIN b ON …)`.
  var joins: [JoinPart] {
    get { isName ? [] : details.joins }
    set { details.joins = newValue }
  }

  /// Conditions of the table's default scope, for the join to place.
  var pending: PendingScope? {
    get { isName ? nil : details.pending }
    set { details.pending = newValue }
  }
}

struct JoinPart: Sendable {
  var kind: ASTJoin.Kind
  var source: SourceFragment
  var on: QueryFragment?
  /// Columns that both sides call so, instead of a condition.
  var using: [String] = []
}

/// The conditions of a joined table's default scope.
///
/// Always true: a join sees the rows of the scope and no others. If a join may leave out this side, it leaves out only
/// this side, and keeps the other side's rows. So the conditions are in WHERE only while no join may leave their
/// table out. Otherwise they are part of that join's ON, or for a full join of a query in the table's place.
struct PendingScope: Sendable {
  var conditions: [QueryFragment]
  /// How many of the query's own conditions are before them.
  var position = 0
  /// The scope has no rows.
  var isNone = false
  /// They have been placed, outside of WHERE.
  var isPlaced = false
  /// The columns that its table has.
  var columns: [QueryFragment]

  /// The conditions on its rows, for when they cannot be in WHERE.
  var all: [QueryFragment] { isNone ? [.literal(integer: 0)] : conditions }
}

extension SourceFragment {
  /// With changes in what it reads of other tables: the arguments of a function, and a query in its place.
  func mapping(_ change: (QueryFragment) -> QueryFragment) -> SourceFragment {
    guard !isName else { return self }
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

extension JoinPart {
  func mapping(_ change: (QueryFragment) -> QueryFragment) -> JoinPart {
    var join = self
    join.on = on.map(change)
    join.source = source.mapping(change)
    return join
  }
}

extension SourceFragment {
  /// It, and what is joined to it within parentheses.
  var all: [SourceFragment] { [first] + joins.flatMap(\.source.all) }

  func isOrHolds(where isSo: (SourceFragment) -> Bool) -> Bool {
    isSo(self) || joins.contains { $0.source.isOrHolds(where: isSo) }
  }

  mutating func each(_ change: (inout SourceFragment) -> Void) {
    change(&self)
    if isName { return }
    for index in joins.indices { joins[index].source.each(change) }
  }
}
