/// The table that the measured query joins, as a macro would write it.
import MartletQuery

struct Region: Table, Sendable {
  var name: String
  var manager: String

  static let tableName = "regions"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }
  static func placedColumns(in place: ColumnPlace) -> TableColumns { TableColumns(columnPlace: place) }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Region

    var columnPlace = ColumnPlace()
    var name: TableColumn<Region, String> { TableColumn("name", in: columnPlace) }
    var manager: TableColumn<Region, String> { TableColumn("manager", in: columnPlace) }

    static let allColumns = [ColumnDescription("name", String.self), ColumnDescription("manager", String.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: name) + String.fragments(of: manager) }
}

extension Region {
  init(decoder: inout some QueryDecoder) throws {
    name = try decoder.value(String.self)
    manager = try decoder.value(String.self)
  }
}
