public import MartletQuery

/// Rows of any tables, to be inserted in their order.
///
/// Always true: rows are inserted in the order in which they stand; a run of one type becomes one INSERT.
public struct Seeds {
  /// A run of rows of one type.
  fileprivate struct Run {
    let type: ObjectIdentifier
    var rows: [any Table]
    let insert: ([any Table]) -> any Statement<Never>
  }

  private let runs: [Run]

  /// Rows and drafts, one after the other, with `if` and `for` among them.
  public init(@SeedsBuilder _ rows: () -> [SeedRow]) {
    var runs: [Run] = []
    for row in rows() {
      if runs.last?.type == row.run.type { runs[runs.count - 1].rows += row.run.rows } else { runs.append(row.run) }
    }
    self.runs = runs
  }

  /// Inserts the rows. Throws as a statement's `execute` does.
  public func execute(_ db: Database) throws {
    for statement in self { try statement.execute(db) }
  }
}

/// The statements that insert the rows, one for each run of one type.
extension Seeds: Sequence {
  /// The statements in the order of the rows.
  public func makeIterator() -> IndexingIterator<[any Statement<Never>]> {
    runs.map { $0.insert($0.rows) }.makeIterator()
  }
}

/// One row of some table.
public struct SeedRow {
  fileprivate let run: Seeds.Run

  init<Row: Table>(_ row: Row) {
    run = Seeds.Run(type: ObjectIdentifier(Row.self), rows: [row]) { rows in
      let rows = rows.compactMap { $0 as? Row }
      return Row.insert { rows }
    }
  }
}

/// Collects rows: single ones, arrays, and those of loops and conditions.
@resultBuilder
public enum SeedsBuilder {
  public static func buildExpression<Row: Table>(_ row: Row) -> [SeedRow] { [SeedRow(row)] }
  public static func buildExpression<Row: Table>(_ rows: [Row]) -> [SeedRow] { rows.map { SeedRow($0) } }
  public static func buildBlock(_ parts: [SeedRow]...) -> [SeedRow] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [SeedRow]?) -> [SeedRow] { part ?? [] }
  public static func buildEither(first: [SeedRow]) -> [SeedRow] { first }
  public static func buildEither(second: [SeedRow]) -> [SeedRow] { second }
  public static func buildArray(_ parts: [[SeedRow]]) -> [SeedRow] { parts.flatMap { $0 } }
}

extension Database {
  /// Inserts rows of any tables: `try db.seed { User(id: 1, name: "Anna"); Milestone.Draft(title: "Ship") }`.
  public func seed(@SeedsBuilder _ rows: () -> [SeedRow]) throws { try Seeds(rows).execute(self) }
}
