import MartletAST

/// A query that a table keeps, behind another query of the table: one statement of the clauses of both.
///
/// Always true: conditions hold together; joins, groups and orders of the kept query stand behind those that were
/// there, and no clause is left out or there twice. What one statement cannot say is refused when it is built.
extension SelectParts {
  func continued<T: Table>(by other: SelectParts, of table: T.Type) -> SelectParts {
    var parts = self
    if !other.joins.isEmpty { parts.becomeJoinable(table) }
    var kept = other
    let refusal = parts.takeSource(of: &kept, table)
    kept.move(behind: parts.predicates.count)
    if !parts.joins.isEmpty { kept.spellOutSharedColumns(of: table) }
    parts.distinct = parts.distinct || kept.distinct
    parts.isNone = parts.isNone || kept.isNone
    parts.columns += kept.columns
    parts.joins += kept.joins
    parts.predicates = QueryFragment.merged(parts.predicates, kept.predicates)
    parts.group = QueryFragment.merged(parts.group, kept.group)
    parts.having = QueryFragment.merged(parts.having, kept.having)
    parts.windows += kept.windows
    parts.order = OrderingTerm.merged(parts.order, kept.order)
    parts.limit(
      by: kept,
      orRefuse: "A query and the one that its table keeps both have a limit, and a statement can have one. "
        + "Say 'limit' behind them.")
    if let refusal { parts.predicates.append(.bind(.invalid(QueryBindingFailure(refusal)))) }
    return parts
  }

  /// Without chosen columns if they are those of every table, which a query returns anyway.
  func withoutWholeRows(_ rows: @autoclosure () -> [QueryFragment]) -> SelectParts {
    guard !columns.isEmpty else { return self }
    var parts = self
    parts.columns = []
    if columns.map(PredicateIdentity.init) != rows().map(PredicateIdentity.init) {
      let reason =
        "Rows of a table that are made of other columns do not go together with a join, or with a query that the table "
        + "keeps. Choose them behind it."
      parts.predicates.append(.bind(.invalid(QueryBindingFailure(reason))))
    }
    return parts
  }

  /// Takes over what the kept query reads, and its default scope. Returns the reason if one statement cannot do both.
  private mutating func takeSource<T: Table>(of kept: inout SelectParts, _ table: T.Type) -> String? {
    guard let other = kept.source, let own = source else { return nil }
    defer { kept.source = nil }
    let hint = own.hint ?? other.hint
    if kept.joins.isEmpty, joins.isEmpty {
      scope = kept.scope == nil ? nil : scope
      if own.subquery != nil, other.subquery != nil { return Self.twoSources }
      source = other.subquery == nil ? own : other
    } else if joins.isEmpty {
      if own.subquery != nil {
        guard other.subquery == nil else { return Self.twoSources }
      } else {
        source = other
      }
    } else {
      guard other.subquery == nil else { return Self.twoSources }
      if own.pending != nil || own.subquery != nil, kept.isUnscoped(table) { return Self.unscoped }
    }
    if source?.subquery == nil { source?.hint = hint }
    return nil
  }

  /// It leaves out the default scope that the table has.
  func isUnscoped<T: Table>(_ table: T.Type) -> Bool {
    guard let own = table.scopeParts else { return false }
    return scope == nil && source?.pending == nil && !begins(with: own.predicates)
  }

  /// USING is for the first join of a statement only.
  private mutating func spellOutSharedColumns<T: Table>(of table: T.Type) {
    for index in joins.indices where !joins[index].using.isEmpty {
      let qualifier = joins[index].source.qualifier
      joins[index].on = QueryFragment.all(
        of: joins[index].using.map { name in
          .operation(.equal, .column(name, of: table), .column(name, table: qualifier))
        })
      joins[index].using = []
    }
  }

  private static let twoSources =
    "The rows that a query has chosen, and those that the query chose which its table keeps, are not those of one "
    + "statement. Say the clauses behind the kept query, or make a common table of one of them."
  private static let unscoped =
    "A query that is unscoped does not go behind a join that has the table's default scope. Begin with it."
}
