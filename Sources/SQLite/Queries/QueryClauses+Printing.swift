/// Queries as text, in the spelling of SQLite.swift.
extension QueryClauses: PrintedStatement {
  /// The SELECT, in the order of SQL's clauses.
  func print(to printer: inout SQLPrinter) {
    printCommonTables(to: &printer)
    printSelect(to: &printer)
    printFilter(to: &printer)
    printGroup(to: &printer)
    for union in unions {
      printer.write(union.isAll ? " UNION ALL " : " UNION ")
      union.query.print(to: &printer)
    }
    printOrder(to: &printer)
  }

  private func printSelect(to printer: inout SQLPrinter) {
    printer.write(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    printer.list(columns)
    printer.write(" FROM ")
    from.print(to: &printer)
    for join in joins {
      printer.write(" \(join.type.rawValue) JOIN ")
      join.query.printSource(to: &printer)
      printer.write(" ON ")
      join.condition.print(to: &printer)
    }
  }

  /// Prints the query as a table that is joined: by its name, or in parentheses.
  private func printSource(to printer: inout SQLPrinter) {
    guard !isPlainTable else { return from.print(to: &printer) }
    printer.wrapped { print(to: &$0) }
    printer.write(" AS ")
    printer.name(from.alias ?? from.name)
  }

  func printFilter(to printer: inout SQLPrinter) {
    guard let filter else { return }
    printer.write(" WHERE ")
    filter.print(to: &printer)
  }

  private func printGroup(to printer: inout SQLPrinter) {
    guard !group.isEmpty else { return }
    printer.write(" GROUP BY ")
    printer.list(group)
    guard let having else { return }
    printer.write(" HAVING ")
    having.print(to: &printer)
  }

  func printOrder(to printer: inout SQLPrinter) {
    if !order.isEmpty {
      printer.write(" ORDER BY ")
      printer.list(order)
    }
    guard let limit else { return }
    printer.write(" LIMIT \(limit)")
    if let offset { printer.write(" OFFSET \(offset)") }
  }

  func printCommonTables(to printer: inout SQLPrinter) {
    guard !commonTables.isEmpty else { return }
    printer.write(isRecursive ? "WITH RECURSIVE " : "WITH ")
    for (index, table) in commonTables.enumerated() {
      if index > 0 { printer.write(", ") }
      table.print(to: &printer)
    }
    printer.write(" ")
  }
}

extension CommonTableNode {
  fileprivate func print(to printer: inout SQLPrinter) {
    printer.name(name)
    if !columns.isEmpty {
      printer.write(" ")
      printer.wrapped { $0.list(columns) }
    }
    printer.write(hint.map { " AS \($0.rawValue) " } ?? " AS ")
    printer.wrapped { query.print(to: &$0) }
  }
}
