internal import MartletAST

/// `SELECT EXISTS (SELECT …)`
struct ExistsTree: PrintedStatement {
  var query: QueryClauses

  func print(to printer: inout SQLPrinter) {
    printer.write("SELECT EXISTS ")
    printer.wrapped { query.print(to: &$0) }
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    .select { $0.columns = [.expression(.exists(query.tree(&values)))] }
  }
}
