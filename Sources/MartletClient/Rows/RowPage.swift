public import MartletValues

/// Rows that arrived together, with what their columns are called.
///
/// Always true: the batch is well-formed and has as many columns as the layout, so a row may read it by position.
@usableFromInline
final class RowPage: Sendable {
  let batch: RowBatch
  @usableFromInline let columns: [RowColumn]
  @usableFromInline let layout: ColumnLayout

  init(batch: RowBatch, layout: ColumnLayout) {
    self.batch = batch
    self.layout = layout
    columns = batch.columns.map(RowColumn.init)
  }
}

/// One column of a batch, as the rows of the batch share it.
///
/// A class, so that reading a value counts one reference and not each array of the column.
public final class RowColumn: Sendable {
  /// The packed values of all rows.
  public let values: ColumnValues

  init(_ values: ColumnValues) { self.values = values }
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
