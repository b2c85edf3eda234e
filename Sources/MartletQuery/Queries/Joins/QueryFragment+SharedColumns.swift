import MartletAST

/// `USING ("id")`, as a join's condition; several with `&&`:
///
///     Reminder.leftJoin(Note.all) { using($0.id, $1.id) }
///     Stock.join(Price.all) { using($0.shop, $1.shop) && using($0.item, $1.item) }
///
/// If the names differ, or a table was joined before, or it is no join's condition, it is `left = right`.
///
/// Always true: the rows are those of the condition `left = right`, which is what is written wherever USING would look
/// for its column in other tables too.
public func using<Left: QueryExpression, Right: QueryExpression>(
  _ left: Left, _ right: Right
) -> SQLQueryExpression<Bool>
where
  Left.QueryValue: QueryRepresentable, Right.QueryValue: QueryRepresentable,
  Left.QueryValue.QueryUnwrapped == Right.QueryValue.QueryUnwrapped
{
  let pairs = zip(left.queryFragment.elements, right.queryFragment.elements)
  let conditions = pairs.map { left, right in
    let condition = QueryFragment.operation(.equal, left, right)
    guard let name = left.columnName, name == right.columnName else { return condition }
    return QueryFragment(.sharedColumn(name: name, condition: condition))
  }
  return SQLQueryExpression(conditions.count == 1 ? conditions[0] : QueryFragment(.operation(.and, conditions)))
}

extension SelectParts {
  /// Joins a source. SQLite looks for the columns of USING in every table to the left, so only the first join has it.
  mutating func join(_ kind: ASTJoin.Kind, _ source: SourceFragment, on condition: QueryFragment?) {
    var join = JoinPart(kind: kind, source: source, on: condition)
    // A common table of another level has a name besides the one that its columns use.
    let mayMeetLevels = source.alias != nil || self.source?.alias != nil || joins.contains { $0.source.alias != nil }
    if mayMeetLevels, sources.contains(where: { source.isOtherLevel(of: $0) }) { predicates.append(.joinOfLevels) }
    if let condition, let first = self.source, joins.isEmpty, first.joins.isEmpty, source.joins.isEmpty,
      let names = condition.sharedColumns(of: first, source)
    {
      join.on = nil
      join.using = names
    }
    joins.append(join)
  }
}

extension QueryFragment {
  /// The values of a row value; otherwise the fragment itself.
  fileprivate var elements: [QueryFragment] {
    if case .tuple(let elements) = node { elements } else { [self] }
  }

  /// The columns of USING; nil if the condition says more than that two tables share some.
  fileprivate func sharedColumns(of first: SourceFragment, _ second: SourceFragment) -> [String]? {
    switch node {
    case .sharedColumn(let name, let condition):
      guard case .operation(_, let sides) = condition.node, sides.count == 2 else { return nil }
      let isOfBoth =
        (sides[0].isColumn(of: first) && sides[1].isColumn(of: second))
        || (sides[0].isColumn(of: second) && sides[1].isColumn(of: first))
      return isOfBoth ? [name] : nil
    case .operation(.and, let conditions):
      var names: [String] = []
      for condition in conditions {
        guard let more = condition.sharedColumns(of: first, second) else { return nil }
        names += more
      }
      return names
    default: return nil
    }
  }

  private func isColumn(of source: SourceFragment) -> Bool {
    guard case .column(let schema, let table, _, _) = node, table == source.qualifier else { return false }
    return schema.isEmpty || schema == source.schema
  }
}
