import MartletAST

/// A source in FROM.
struct SourceFragment: Sendable {
  var schema: String?
  var name: String
  var alias: String?
  var fragment: QueryFragment?
  var subquery: StatementFragment?
  /// With arguments, the name is that of a table-valued function.
  var arguments: [QueryFragment]?
  var hint: ASTTable.OneOf_Hint?
  /// What is joined to it within parentheses: `(a JOIN b ON …)`.
  var joins: [JoinPart] = []
  /// Conditions of the table's default scope, for the join to place.
  var pending: PendingScope?

  /// The name before those of its columns.
  var qualifier: String { alias ?? name }

  /// It alone, without parentheses around it.
  var first: SourceFragment {
    var first = self
    first.joins = []
    return first
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
    for index in joins.indices { joins[index].source.each(change) }
  }
}
