/// An INSERT; with `returning`, a query of what it inserted.
///
/// Always true: one row, and a few, are written as VALUES; many rows of plain values travel as one list parameter, so
/// that 10 and 10,000 rows are the same shape.
public struct Insert<Into: Table, QueryValue>: Statement, Sendable, CustomStringConvertible {
  var parts: InsertParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }
}

/// An INSERT that returns no rows.
public typealias InsertOf<Into: Table> = Insert<Into, Never>

// MARK: - Rows

/// Collects rows of `insert { ... }`: single rows, arrays, and loops. What is no row is told by `AnyRowsBuilder`: a
/// sentence here, too, would also be said of right rows that stand beside another mistake.
@resultBuilder
public enum RowsBuilder<Row> {
  public static func buildExpression(_ row: Row) -> [Row] { [row] }
  public static func buildExpression(_ rows: [Row]) -> [Row] { rows }
  public static func buildBlock(_ parts: [Row]...) -> [Row] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [Row]?) -> [Row] { part ?? [] }
  public static func buildEither(first: [Row]) -> [Row] { first }
  public static func buildEither(second: [Row]) -> [Row] { second }
  public static func buildArray(_ parts: [[Row]]) -> [Row] { parts.flatMap { $0 } }
}

extension Table {
  /// Whole rows: `Reminder.insert { reminder }`.
  public static func insert(or resolution: ConflictResolution? = nil, @RowsBuilder<Self> _ rows: () -> [Self])
    -> InsertOf<Self>
  {
    inserting(rows().map(\.columnFragments), or: resolution)
  }

  /// A row of defaults.
  public static func insert(or resolution: ConflictResolution? = nil) -> InsertOf<Self> {
    Insert(parts: InsertParts(or: resolution, table: source, columns: [], source: .defaults))
  }

  /// Takes fragments of all columns, and uses those that are written. If no row has a key, the table fills it in, and
  /// likewise other columns that it can fill in.
  static func inserting(_ rows: [[QueryFragment]], or resolution: ConflictResolution?) -> InsertOf<Self> {
    let columns = TableColumns.allColumns
    guard rows.allSatisfy({ $0.count == columns.count }) else {
      return inserting(rows.map { _ in QueryFragment.refusedColumns(columns.count) }, or: resolution)
    }
    var written = columns.indices.filter { index in
      if columns[index].isGenerated { return false }
      guard columns[index].isPrimaryKey || columns[index].isLazyInitializable else { return true }
      return rows.isEmpty || rows.contains { if case .null? = $0[index].binding { false } else { true } }
    }
    if written.isEmpty {
      // A row without values is one of defaults. Several rows need a column to be written.
      if rows.count == 1 { return insert(or: resolution) }
      written = columns.indices.filter { !columns[$0].isGenerated }.prefix(1).map { $0 }
    }
    let isWhole = written.count == columns.count
    return Insert(
      parts: InsertParts(
        or: resolution, table: source, columns: written.map { columns[$0].name },
        source: .rows(isWhole ? rows : rows.map { row in written.map { row[$0] } })))
  }
}

extension DraftableTable {
  /// Rows that have no key yet: `Reminder.insert { Reminder.Draft(title: "x") }`.
  public static func insert(or resolution: ConflictResolution? = nil, @RowsBuilder<Draft> _ rows: () -> [Draft])
    -> InsertOf<Self>
  {
    inserting(rows().map(\.columnFragments), or: resolution)
  }
}
