import MartletAST
import MartletValues

/// How deep statements nest in statements: queries in compounds, common tables, and queries in FROM.
///
/// Always true: no statement that a program's loop can make nests deeper than `QueryLimits.depthMax`; in the place of a
/// deeper one stands a query that cannot be sent, and says why.
extension StatementFragment {
  /// The depth of a statement that holds these.
  static func depth(around statements: some Sequence<StatementFragment>) -> Int32 {
    QueryLimits.levelsOfStatement + statements.reduce(0) { max($0, $1.tree.depth) }
  }

  /// What stands in the place of a statement that nests too deep.
  static var tooDeep: StatementFragment {
    StatementFragment(ValuesParts(rows: [[.bind(.invalid(RequestError.treeTooDeep(Limits())))]]))
  }

  /// Itself, unless a statement around it would nest too deep.
  var bounded: StatementFragment {
    Self.depth(around: CollectionOfOne(self)) <= QueryLimits.depthMax ? self : .tooDeep
  }
}

extension SourceFragment {
  /// That of what it reads; a name has none.
  var depth: Int32 {
    guard !isName else { return 0 }
    var deepest = max(fragment?.depth ?? 0, arguments?.depth ?? 0)
    if let subquery { deepest = max(deepest, StatementFragment.depth(around: CollectionOfOne(subquery))) }
    for join in joins { deepest = max(deepest, join.depth) }
    return deepest
  }
}

extension JoinPart {
  var depth: Int32 { max(on?.depth ?? 0, source.depth) }
}

extension RawStatement {
  var depth: Int32 { parts.reduce(0) { max($0, $1.depth) } }
}

extension ValuesParts {
  var depth: Int32 { rows.reduce(0) { max($0, $1.depth) } }
}

extension RowsParts {
  var depth: Int32 { rows.reduce(0) { max($0, $1.depth) } }
}
