/// A view, and tables of full text.
import MartletQuery

struct ReminderWithList: Table, Equatable {
  let reminderTitle: String
  let remindersListTitle: String

  static let tableName = "reminderWithLists"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = ReminderWithList

    var reminderTitle: TableColumn<ReminderWithList, String> { TableColumn("reminderTitle") }
    var remindersListTitle: TableColumn<ReminderWithList, String> { TableColumn("remindersListTitle") }

    static let allColumns = [
      ColumnDescription("reminderTitle", String.self), ColumnDescription("remindersListTitle", String.self),
    ]
  }

  struct Columns: QueryExpression {
    typealias QueryValue = ReminderWithList

    let columnFragments: [QueryFragment]
    var queryFragment: QueryFragment { QueryFragment(row: columnFragments) }

    init(reminderTitle: some QueryExpression<String>, remindersListTitle: some QueryExpression<String>) {
      columnFragments =
        reminderTitle.columnFragments(named: "reminderTitle")
        + remindersListTitle.columnFragments(named: "remindersListTitle")
    }
  }

  var columnFragments: [QueryFragment] {
    String.fragments(of: reminderTitle) + String.fragments(of: remindersListTitle)
  }
}

extension ReminderWithList {
  init(decoder: inout some QueryDecoder) throws {
    reminderTitle = try decoder.value(String.self)
    remindersListTitle = try decoder.value(String.self)
  }
}

struct ReminderText: FTS5, Equatable {
  let rowid: Int
  var title: String
  var notes: String

  static let tableName = "reminderTexts"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = ReminderText

    var rowid: TableColumn<ReminderText, Int> { TableColumn("rowid") }
    var title: TableColumn<ReminderText, String> { TableColumn("title") }
    var notes: TableColumn<ReminderText, String> { TableColumn("notes") }

    static let allColumns = [
      ColumnDescription("rowid", Int.self), ColumnDescription("title", String.self),
      ColumnDescription("notes", String.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: rowid) + String.fragments(of: title) + String.fragments(of: notes)
  }
}

extension ReminderText {
  init(decoder: inout some QueryDecoder) throws {
    rowid = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    notes = try decoder.value(String.self)
  }
}

/// Where the texts of `ReminderText` are, in tests of content elsewhere.
struct Note: Table, Equatable {
  var id: Int
  var title: String
  var notes: String

  static let tableName = "notes"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Note

    var id: TableColumn<Note, Int> { TableColumn("id") }
    var title: TableColumn<Note, String> { TableColumn("title") }
    var notes: TableColumn<Note, String> { TableColumn("notes") }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("title", String.self),
      ColumnDescription("notes", String.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: id) + String.fragments(of: title) + String.fragments(of: notes)
  }
}

extension Note {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    notes = try decoder.value(String.self)
  }
}
