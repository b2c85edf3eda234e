internal import MartletAST
internal import MartletValues

/// Queries as trees of the grammar.
extension QueryClauses {
  func tree(_ values: inout TreeValues) -> ASTStatement {
    var tables: [ASTCommonTable] = []
    for table in commonTables { tables.append(table.tree(&values)) }
    let query = queryTree(&values)
    return tables.isEmpty ? query : .with(tables, recursive: isRecursive, query)
  }

  private func queryTree(_ values: inout TreeValues) -> ASTStatement {
    guard !unions.isEmpty else {
      return .select { select in
        fill(&select, &values)
        select.orderBy = order.map { $0.orderingTerm(&values) }
        if let limit { select.limit = values.expression(.integer(Int64(limit))) }
        if let offset { select.offset = values.expression(.integer(Int64(offset))) }
      }
    }
    let first = ASTStatement.select { fill(&$0, &values) }
    var terms: [(ASTCompound.Operator, ASTStatement)] = []
    for union in unions { terms.append((union.isAll ? .unionAll : .union, union.query.tree(&values))) }
    return .compound(first, terms) { compound in
      compound.orderBy = order.map { $0.orderingTerm(&values) }
      if let limit { compound.limit = values.expression(.integer(Int64(limit))) }
      if let offset { compound.offset = values.expression(.integer(Int64(offset))) }
    }
  }

  private func fill(_ select: inout ASTSelect, _ values: inout TreeValues) {
    select.distinct = isDistinct
    select.columns = columns.map { $0.resultColumn(&values) }
    select.from = from.tree(&values)
    for join in joins {
      let source = join.query.source(&values)
      select.joins.append(.join(join.type.tree, source, on: join.condition.tree(&values)))
    }
    if let filter { select.where = filter.tree(&values) }
    select.groupBy = group.map { $0.term(&values) }
    if let having, !group.isEmpty { select.having = having.tree(&values) }
  }

  private func source(_ values: inout TreeValues) -> ASTTableSource {
    isPlainTable ? from.tree(&values) : .subquery(tree(&values), as: from.alias ?? from.name)
  }
}

extension CommonTableNode {
  func tree(_ values: inout TreeValues) -> ASTCommonTable {
    var table = ASTCommonTable.named(
      name, columns: columns.compactMap(\.columnName), as: query.tree(&values))
    switch hint {
    case .materialized: table.materialization = .materialized
    case .notMaterialized: table.materialization = .notMaterialized
    case nil: break
    }
    return table
  }
}
