import MartletAST

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

struct JoinPart: Sendable {
  var kind: ASTJoin.Kind
  var source: SourceFragment
  var on: QueryFragment?
  /// Columns that both sides call so, instead of a condition.
  var using: [String] = []
}

/// The conditions of a table's default scope where the table is joined.
///
/// Always true: a join sees the rows of the scope and no others, and a side that it may leave out is left out, not the
/// other side's rows with it. So the conditions stand in WHERE only while no join may leave their table out; behind a
/// join that does they are part of its ON, and of a full join a query in the table's place.
struct PendingScope: Sendable {
  var conditions: [QueryFragment]
  /// How many of the query's own conditions stand before them.
  var position = 0
  /// The scope has no rows.
  var isNone = false
  /// They have their place, outside of WHERE.
  var isPlaced = false
  /// The columns that its table has.
  var columns: [QueryFragment]

  /// What holds for its rows, where something is in its way in WHERE.
  var all: [QueryFragment] { isNone ? [.literal(integer: 0)] : conditions }
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
