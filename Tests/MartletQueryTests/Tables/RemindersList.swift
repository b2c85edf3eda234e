/// A table with a group of columns and a default scope, and rows of a selection.
import Foundation
import MartletQuery

struct Timestamps: Table, Equatable {
  var createdAt: Date
  var updatedAt: Date?

  static let tableName = "timestamps"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Timestamps

    var createdAt: TableColumn<Timestamps, Date> { TableColumn("createdAt") }
    var updatedAt: TableColumn<Timestamps, Date?> { TableColumn("updatedAt") }

    static let allColumns = [
      ColumnDescription("createdAt", Date.self), ColumnDescription("updatedAt", Date?.self),
    ]
  }

  var columnFragments: [QueryFragment] { Date.fragments(of: createdAt) + Date?.fragments(of: updatedAt) }
}

extension Timestamps {
  init(decoder: inout some QueryDecoder) throws {
    createdAt = try decoder.value(Date.self)
    updatedAt = try decoder.value(Date?.self)
  }
}

struct RemindersList: PrimaryKeyedTable, Equatable {
  let id: Int
  var title: String
  var deletedAt: Date?
  var timestamps: Timestamps

  static let tableName = "remindersLists"
  static var defaultScope: DefaultScope { DefaultScope(all, of: Self.self) }
  static var columns: TableColumns { TableColumns() }
  static let all = Self.where { $0.deletedAt.is(nil) }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = RemindersList

    var id: TableColumn<RemindersList, Int> { TableColumn("id") }
    var title: TableColumn<RemindersList, String> { TableColumn("title") }
    var deletedAt: TableColumn<RemindersList, Date?> { TableColumn("deletedAt") }
    var timestamps: ColumnGroup<RemindersList, Timestamps> { ColumnGroup() }
    var primaryKey: TableColumn<RemindersList, Int> { id }

    static let allColumns =
      [
        ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("title", String.self),
        ColumnDescription("deletedAt", Date?.self),
      ] + ColumnDescription.group(Timestamps.self)
  }

  var columnFragments: [QueryFragment] {
    var fragments: [QueryFragment] = []
    fragments += Int.fragments(of: id)
    fragments += String.fragments(of: title)
    fragments += Date?.fragments(of: deletedAt)
    fragments += Timestamps.fragments(of: timestamps)
    return fragments
  }

  struct Draft: TableDraft {
    typealias PrimaryTable = RemindersList
    typealias TableColumns = DraftColumns<RemindersList>

    var id: Int?
    var title: String
    var deletedAt: Date?
    var timestamps: Timestamps

    var columnFragments: [QueryFragment] {
      var fragments: [QueryFragment] = []
      fragments += Int?.fragments(of: id)
      fragments += String.fragments(of: title)
      fragments += Date?.fragments(of: deletedAt)
      fragments += Timestamps.fragments(of: timestamps)
      return fragments
    }
  }
}

extension RemindersList {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    deletedAt = try decoder.value(Date?.self)
    timestamps = try decoder.value(Timestamps.self)
  }
}

extension RemindersList.Draft {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int?.self)
    title = try decoder.value(String.self)
    deletedAt = try decoder.value(Date?.self)
    timestamps = try decoder.value(Timestamps.self)
  }

  init(_ row: RemindersList) {
    id = row.id
    title = row.title
    deletedAt = row.deletedAt
    timestamps = row.timestamps
  }
}

/// A selection: rows of a query, or of a common table.
struct Level: Table, Equatable {
  var id: Int
  var depth: Int

  static let tableName = "levels"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Level

    var id: TableColumn<Level, Int> { TableColumn("id") }
    var depth: TableColumn<Level, Int> { TableColumn("depth") }

    static let allColumns = [ColumnDescription("id", Int.self), ColumnDescription("depth", Int.self)]
  }

  struct Columns: QueryExpression {
    typealias QueryValue = Level

    let columnFragments: [QueryFragment]
    var queryFragment: QueryFragment { QueryFragment(row: columnFragments) }

    init(id: some QueryExpression<Int>, depth: some QueryExpression<Int>) {
      columnFragments = id.columnFragments(named: "id") + depth.columnFragments(named: "depth")
    }
  }

  var columnFragments: [QueryFragment] { Int.fragments(of: id) + Int.fragments(of: depth) }
}

extension Level {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    depth = try decoder.value(Int.self)
  }
}
