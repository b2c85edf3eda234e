internal import MartletAST
internal import MartletQuery
internal import MartletValues

/// An INSERT: of rows, of a query's rows, or of a row of defaults.
///
/// Always true: many rows of plain values travel as one parameter, so that 10 and 10,000 rows are the same shape.
struct InsertTree: PrintedStatement {
  enum Source: Sendable {
    /// Setters in the order of `columns`.
    case rows([[Setter]])
    case query(QueryClauses)
    case defaults
  }

  var or: OnConflict?
  var table: QuerySource
  var columns: [Node] = []
  var source: Source
  var upsert: UpsertNode?
  /// Why the statement cannot run; it prints all the same.
  var failure: String?

  func print(to printer: inout SQLPrinter) {
    printer.write(or.map { "INSERT OR \($0.rawValue) INTO " } ?? "INSERT INTO ")
    table.print(to: &printer)
    switch source {
    case .defaults: printer.write(" DEFAULT VALUES")
    case .query(let query):
      printer.write(" ")
      query.print(to: &printer)
    case .rows(let rows):
      printer.write(" ")
      printer.wrapped { $0.list(columns) }
      printer.write(" VALUES ")
      for (index, row) in rows.enumerated() {
        if index > 0 { printer.write(", ") }
        printer.wrapped { $0.list(row.map(\.value)) }
      }
    }
    upsert?.print(to: &printer)
  }

  func tree(_ values: inout TreeValues) -> ASTStatement {
    if let failure { values.fail(failure) }
    return .insert(into: table.name, columns.compactMap(\.columnName)) { insert in
      insert.into = table.table
      insert.alias = table.alias ?? ""
      if let or { insert.or = or.tree }
      switch source {
      case .defaults: insert.defaultValues = true
      case .query(let query): insert.query = query.tree(&values)
      case .rows(let rows):
        if rows.count > QueryLimits.valuesRowsMax, let batch = batch(of: rows) {
          insert.rows = .list(values.bind(batch), columns: UInt32(clamping: columns.count))
        } else {
          insert.values = .rows(rows.map { row in row.map { $0.value.tree(&values) } })
        }
      }
      if let upsert { insert.upserts = [upsert.tree(&values)] }
    }
  }

  /// The rows as one value; nil if one of them holds an expression.
  private func batch(of rows: [[Setter]]) -> RowBatch? {
    // The lengths differ in a statement that cannot run.
    guard rows.allSatisfy({ $0.count == columns.count }) else { return nil }
    var batch = RowBatch(columnCount: columns.count)
    for column in columns.indices {
      for row in rows.indices {
        // One that cannot be kept is refused where it stands alone.
        guard let value = rows[row][column].plainValue, !value.isUnkept else { return nil }
        batch.columns[column].append(value, row: row)
      }
    }
    batch.rowCount = rows.count
    return batch
  }
}

extension Setter {
  /// The value, if it is one and no expression.
  fileprivate var plainValue: SQLValue? {
    switch content {
    case .value(let value): return value
    case .node(let node):
      guard case .value(let value) = node.kind else { return nil }
      return value
    }
  }
}

/// `ON CONFLICT ("id") DO UPDATE SET …`
struct UpsertNode: Sendable {
  var target: Node
  var assignments: [Setter]

  func print(to printer: inout SQLPrinter) {
    printer.write(" ON CONFLICT ")
    printer.wrapped { target.print(to: &$0) }
    guard !assignments.isEmpty else { return printer.write(" DO NOTHING") }
    printer.write(" DO UPDATE SET ")
    printer.list(assignments.map(\.node))
  }

  func tree(_ values: inout TreeValues) -> ASTUpsert {
    var upsert = ASTUpsert()
    upsert.target = [target.indexedColumn(&values)]
    upsert.assignments = assignments.map { .set($0.name, $0.value.tree(&values)) }
    return upsert
  }
}

/// What a statement does if a row violates a constraint.
public enum OnConflict: String, Sendable {
  /// The row that is in the way is deleted first.
  case replace = "REPLACE"
  /// The statement fails, and the whole transaction is rolled back.
  case rollback = "ROLLBACK"
  /// The statement fails, and nothing of it stays.
  case abort = "ABORT"
  /// The statement fails; what it had changed before stays.
  case fail = "FAIL"
  /// The row is left out, and nothing fails.
  case ignore = "IGNORE"

  var tree: ASTConflictResolution {
    switch self {
    case .replace: .replace
    case .rollback: .rollback
    case .abort: .abort
    case .fail: .fail
    case .ignore: .ignore
    }
  }
}
