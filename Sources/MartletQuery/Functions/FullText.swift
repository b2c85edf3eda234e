/// Full-text search over FTS5 tables.
///
/// Always true: these are functions of the table, so they stand only in a query of it that has a `match`.
import MartletAST

/// A table that FTS5 keeps.
public protocol FTS5: Table {}

extension FTS5 {
  /// `FROM "articles"(pattern)`: the rows that match a pattern in any column, as a source of their own.
  ///
  /// It filters this table alone. What `where` filters filters the whole query, so the side that a join may leave out
  /// is searched thus:
  ///
  ///     Reminder.leftJoin(ReminderText.matching("milk")) { $0.id.eq($1.rowid) }
  public static func matching(_ pattern: some QueryExpression<String>) -> SelectOf<Self> {
    var select = Where<Self>().asSelect
    select.parts.source?.arguments = [pattern.queryFragment]
    return select
  }

  /// FTS5 has a column for the row as a whole, which is called as the table is.
  static var wholeRow: QueryFragment {
    qualifyingSchema.isEmpty ? .column(tableName, table: "") : .column(tableName, of: Self.self)
  }
}

extension TableDefinition where QueryValue: FTS5 {
  /// Rows that match a pattern in any column.
  public func match(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.match, QueryValue.wholeRow, pattern.queryFragment)
  }

  /// How well a row matches: the better, the more negative.
  public var rank: SQLQueryExpression<Double?> { SQLQueryExpression(.column("rank", of: QueryValue.self)) }

  /// As `rank`, with a weight for each column in its order.
  public func bm25(_ weights: Double...) -> SQLQueryExpression<Double?> {
    SQLQueryExpression(.function("bm25", [QueryValue.wholeRow] + weights.map(\.queryFragment)))
  }

  /// As `rank`, with weights for some columns; the others weigh 1: `bm25([\.title: 10])`.
  public func bm25(_ weights: KeyValuePairs<PartialKeyPath<Self>, Double>) -> SQLQueryExpression<Double?> {
    let columns = Self.allColumns.map(\.name).filter { $0 != "rowid" && $0 != "rank" }
    var values = columns.map { _ in 1.0 }
    for (path, weight) in weights {
      guard let column = self[keyPath: path] as? any QueryExpression, let name = column.queryFragment.columnName,
        let index = columns.firstIndex(of: name)
      else { continue }
      values[index] = weight
    }
    return SQLQueryExpression(
      .function("bm25", [QueryValue.wholeRow] + values.map(\.queryFragment)))
  }
}

extension TableColumn where Root: FTS5 {
  /// The text with what matched between two marks.
  public func highlight(_ open: String, _ close: String) -> SQLQueryExpression<String?> {
    .function("highlight", Root.wholeRow, position, open.queryFragment, close.queryFragment)
  }

  /// A part of the text around what matched, of at most `tokens` words, from 1 to 64.
  public func snippet(
    _ open: String, _ close: String, _ ellipsis: String, _ tokens: Int
  ) -> SQLQueryExpression<String?> {
    .function(
      "snippet", Root.wholeRow, position, open.queryFragment, close.queryFragment, ellipsis.queryFragment,
      tokens.queryFragment)
  }

  /// FTS5 counts its own columns, of which `rowid` is none.
  private var position: QueryFragment {
    let columns = Root.TableColumns.allColumns.map(\.name).filter { $0 != "rowid" && $0 != "rank" }
    return .literal(integer: Int64(columns.firstIndex(of: name) ?? 0))
  }
}
