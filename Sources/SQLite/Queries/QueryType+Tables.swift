/// Queries of several tables: joins, aliases, unions, common tables.
extension QueryType {
  // MARK: - JOIN

  /// `INNER JOIN "posts" ON …`. A filter of the joined query becomes part of the condition.
  public func join(_ table: any QueryType, on condition: Expression<Bool>) -> Self {
    joining(.inner, table, condition.node)
  }

  /// The same for a condition that may be NULL, which pairs nothing.
  public func join(_ table: any QueryType, on condition: Expression<Bool?>) -> Self {
    joining(.inner, table, condition.node)
  }

  /// `LEFT OUTER JOIN "posts" ON …`, or another kind of join.
  public func join(_ type: JoinType, _ table: any QueryType, on condition: Expression<Bool>) -> Self {
    joining(type, table, condition.node)
  }

  /// The same for a condition that may be NULL, which pairs nothing.
  public func join(_ type: JoinType, _ table: any QueryType, on condition: Expression<Bool?>) -> Self {
    joining(type, table, condition.node)
  }

  private func joining(_ type: JoinType, _ table: any QueryType, _ condition: Node) -> Self {
    changed {
      let joined = table.clauses
      // A query that is joined in parentheses has its filter inside of them.
      let filter = joined.isPlainTable ? joined.filter : nil
      $0.joins.append(
        QueryJoin(type: type, query: joined, condition: filter.map { .infix(.and, condition, $0) } ?? condition))
    }
  }

  // MARK: - Names

  /// `"users" AS "managers"`: the same table under another name.
  public func alias(_ aliasName: String) -> Self { changed { $0.from.alias = aliasName } }

  /// `"users"."id"`: the column of this table.
  public func namespace<V>(_ column: Expression<V>) -> Expression<V> {
    switch column.node.kind {
    case .column(_, _, let name): return Expression(qualified(name))
    case .star: return Expression(Node(.star(table: clauses.from.qualifier)))
    default:
      let text = column.node.printed
      return Expression(Node(.raw("\(clauses.from.qualifier.sql).\(text.text)", text.bindings)))
    }
  }

  private func qualified(_ name: String) -> Node {
    if clauses.from.alias == nil, let database = clauses.from.database {
      return Node(.column(schema: database, table: clauses.from.name, name: name))
    }
    return Node(.column(schema: "", table: clauses.from.alias ?? clauses.from.name, name: name))
  }

  /// `"users"."id"`
  public subscript<V>(column: Expression<V>) -> Expression<V> { namespace(column) }

  /// `"users".*`
  public subscript(star: Star) -> Expression<Void> { namespace(star(nil, nil)) }

  // MARK: - UNION

  /// `… UNION SELECT …`: rows of both, each once; `UNION ALL` with `all`.
  public func union(all: Bool = false, _ table: any QueryType) -> Self {
    changed { $0.unions.append((all, table.clauses)) }
  }

  // MARK: - WITH

  /// `WITH "alias" ("a", "b") AS (SELECT …) SELECT …`: a query that this one may read as a table.
  ///
  /// - Parameters:
  ///   - columns: what its columns are called; nil: as those of the query are.
  ///   - recursive: it may name itself behind a UNION.
  ///   - hint: whether SQLite computes it once or merges it into the query; nil: as it likes.
  public func with(
    _ alias: any QueryType, columns: [any Expressible]? = nil, recursive: Bool = false,
    hint: MaterializationHint? = nil, as subquery: any QueryType
  ) -> Self {
    changed {
      $0.isRecursive = $0.isRecursive || recursive
      $0.commonTables.append(
        CommonTableNode(
          name: alias.clauses.from.name, columns: (columns ?? []).map(\.node), hint: hint, query: subquery.clauses))
    }
  }

  // MARK: - As a value

  /// `("a" IN (SELECT …))`: whether the query, of one column, has the value.
  public func contains<D: ColumnType>(_ value: Expression<D>) -> Expression<D.Truth> {
    Expression(Node(.containsQuery(value.node, clauses)))
  }
}
