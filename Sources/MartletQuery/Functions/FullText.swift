/// Full-text search over FTS5 tables.
///
/// Always true: these are functions of the table, so they stand only in a query of it that has a `match`.
import MartletAST

/// A table that FTS5 keeps.
public protocol FTS5: Table {}

extension TableDefinition where QueryValue: FTS5 {
  /// Rows that match a pattern in any column.
  public func match(_ pattern: some QueryExpression<String>) -> SQLQueryExpression<Bool> {
    .operation(.match, .column(QueryValue.tableName, table: ""), pattern.queryFragment)
  }

  /// How well a row matches: the better, the more negative.
  public var rank: SQLQueryExpression<Double?> { SQLQueryExpression(.column("rank", table: QueryValue.qualifier)) }

  /// As `rank`, with a weight for each column in its order.
  public func bm25(_ weights: Double...) -> SQLQueryExpression<Double?> {
    SQLQueryExpression(.function("bm25", [.column(QueryValue.tableName, table: "")] + weights.map(\.queryFragment)))
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
      .function("bm25", [.column(QueryValue.tableName, table: "")] + values.map(\.queryFragment)))
  }
}

extension TableColumn where Root: FTS5 {
  /// The text with what matched between two marks.
  public func highlight(_ open: String, _ close: String) -> SQLQueryExpression<String?> {
    .function("highlight", fts5, position, open.queryFragment, close.queryFragment)
  }

  /// A part of the text around what matched, of at most `tokens` words, from 1 to 64.
  public func snippet(
    _ open: String, _ close: String, _ ellipsis: String, _ tokens: Int
  ) -> SQLQueryExpression<String?> {
    .function(
      "snippet", fts5, position, open.queryFragment, close.queryFragment, ellipsis.queryFragment, tokens.queryFragment)
  }

  private var fts5: QueryFragment { .column(Root.tableName, table: "") }

  /// FTS5 counts its own columns, of which `rowid` is none.
  private var position: QueryFragment {
    let columns = Root.TableColumns.allColumns.map(\.name).filter { $0 != "rowid" && $0 != "rank" }
    return .literal(integer: Int64(columns.firstIndex(of: name) ?? 0))
  }
}
