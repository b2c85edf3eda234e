/// Rows that arrived together, with what their columns are called.
///
/// Always true: the batch is well-formed and has as many columns as the layout, so a row may read it by position.
public import MartletAST

@usableFromInline
final class RowPage: Sendable {
  @usableFromInline let batch: RowBatch
  @usableFromInline let layout: ColumnLayout

  init(batch: RowBatch, layout: ColumnLayout) {
    self.batch = batch
    self.layout = layout
  }
}

/// The metadata of a result's columns with a way from names to positions; shared by all pages of a shape.
@usableFromInline
final class ColumnLayout: Sendable {
  @usableFromInline let columns: ResultColumns

  /// The first column of each name.
  @usableFromInline let positions: [String: Int]

  init(_ columns: ResultColumns) {
    self.columns = columns
    positions = Dictionary(
      columns.columns.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  static let empty = ColumnLayout(ResultColumns(columns: []))

  @usableFromInline
  func name(at position: Int) -> String {
    columns.columns.indices.contains(position) ? columns.columns[position].name : ""
  }
}
