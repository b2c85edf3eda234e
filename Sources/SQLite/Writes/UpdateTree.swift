internal import MartletAST
internal import MartletValues

/// An UPDATE of the rows that a query finds.
struct UpdateTree: PrintedStatement {
  var query: QueryClauses
  var or: OnConflict?
  var assignments: [Setter]

  func print(to printer: inout SQLPrinter) {
    query.printCommonTables(to: &printer)
    printer.write(or.map { "UPDATE OR \($0.rawValue) " } ?? "UPDATE ")
    query.from.print(to: &printer)
    printer.write(" SET ")
    printer.list(assignments.map(\.node))
    query.printFilter(to: &printer)
    query.printOrder(to: &printer)
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    query.failWhereJoined("update", &values)
    if assignments.isEmpty { values.fail("An update needs a column to set. Give `update` a setter.") }
    return query.inCommonTables(&values) { values in
      .update(query.from.name) { update in
        update.table = query.from.table
        update.alias = query.from.alias ?? ""
        if let or { update.or = or.tree }
        update.assignments = assignments.map { .set($0.name, $0.value.tree(&values)) }
        if let filter = query.filter { update.where = filter.tree(&values) }
        update.orderBy = query.order.map { $0.orderingTerm(&values) }
        if let limit = query.limit { update.limit = values.expression(.integer(Int64(limit))) }
        if let offset = query.offset { update.offset = values.expression(.integer(Int64(offset))) }
      }
    }
  }
}

/// A DELETE of the rows that a query finds.
struct DeleteTree: PrintedStatement {
  var query: QueryClauses

  func print(to printer: inout SQLPrinter) {
    query.printCommonTables(to: &printer)
    printer.write("DELETE FROM ")
    query.from.print(to: &printer)
    query.printFilter(to: &printer)
    query.printOrder(to: &printer)
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    query.failWhereJoined("delete", &values)
    return query.inCommonTables(&values) { values in
      .delete(from: query.from.name) { delete in
        delete.from = query.from.table
        delete.alias = query.from.alias ?? ""
        if let filter = query.filter { delete.where = filter.tree(&values) }
        delete.orderBy = query.order.map { $0.orderingTerm(&values) }
        if let limit = query.limit { delete.limit = values.expression(.integer(Int64(limit))) }
        if let offset = query.offset { delete.offset = values.expression(.integer(Int64(offset))) }
      }
    }
  }
}

extension QueryClauses {
  /// Refuses a write of a query whose rows are not rows of its table: it would write other rows than those that are
  /// meant.
  fileprivate func failWhereJoined(_ name: String, _ values: inout TreeValues) {
    guard !joins.isEmpty || !group.isEmpty || !unions.isEmpty else { return }
    values.fail(
      "`\(name)` writes rows of one table, and this query has a join, a group or a union. Filter by a subquery instead."
    )
  }

  fileprivate func inCommonTables(
    _ values: inout TreeValues, _ body: (inout TreeValues) -> ASTStatement
  ) -> ASTStatement {
    var tables: [ASTCommonTable] = []
    for table in commonTables { tables.append(table.tree(&values)) }
    let statement = body(&values)
    return tables.isEmpty ? statement : .with(tables, recursive: isRecursive, statement)
  }
}
