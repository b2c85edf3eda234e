import MartletQuery

/// The table of the comparison, as the builder's macro would write it.
struct Twin: MartletQuery.Table, Sendable {
  var id: Int

  static let tableName = "twins"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Twin

    var id: TableColumn<Twin, Int> { TableColumn("id") }
    var a: TableColumn<Twin, Int?> { TableColumn("a") }
    var b: TableColumn<Twin, Int?> { TableColumn("b") }
    var r: TableColumn<Twin, Double?> { TableColumn("r") }
    var t: TableColumn<Twin, String?> { TableColumn("t") }

    static let allColumns = [
      ColumnDescription("id", Int.self), ColumnDescription("a", Int?.self), ColumnDescription("b", Int?.self),
      ColumnDescription("r", Double?.self), ColumnDescription("t", String?.self),
    ]
  }

  var columnFragments: [QueryFragment] { Int.fragments(of: id) }
}

extension Twin {
  init(decoder: inout some QueryDecoder) throws { id = try decoder.value(Int.self) }

  static let rows = """
    CREATE TABLE twins (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, r REAL, t TEXT);
    INSERT INTO twins (a, b, r, t) VALUES
      (1, 2, 0.5, 'a'), (NULL, 0, -1.5, 'abc'), (-1, NULL, NULL, 'ABC'), (7, 7, 1e300, NULL), (0, -100, 2.5, ''),
      (9223372036854775807, 1, 0.0, 'a%'), (-9223372036854775808, -1, 3, ' 7 '), (5, 3, 100, '12'),
      (NULL, NULL, NULL, NULL), (63, 64, -0.25, 'ß'), (10, 2, 9.2e18, '1e3'), (1, 1, 0.1, 'it''s')
    """
}
