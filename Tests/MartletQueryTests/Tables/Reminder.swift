/// Tables as a macro would write them: every declaration in full.
import Foundation
import MartletQuery

enum Priority: Int, QueryBindable, Equatable {
  case low = 1
  case medium = 2
  case high = 3
}

struct Reminder: PrimaryKeyedTable, Equatable {
  let id: Int
  var title = ""
  var isCompleted = false
  var priority: Priority?
  var dueDate: Date?
  var position = 0
  var remindersListID: Int

  static let tableName = "reminders"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Reminder

    var id: TableColumn<Reminder, Int> { TableColumn("id") }
    var title: TableColumn<Reminder, String> { TableColumn("title") }
    var isCompleted: TableColumn<Reminder, Bool> { TableColumn("isCompleted") }
    var priority: TableColumn<Reminder, Priority?> { TableColumn("priority") }
    var dueDate: TableColumn<Reminder, Date?> { TableColumn("dueDate") }
    var position: TableColumn<Reminder, Int> { TableColumn("position") }
    var remindersListID: TableColumn<Reminder, Int> { TableColumn("remindersListID") }
    var primaryKey: TableColumn<Reminder, Int> { id }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true),
      ColumnDescription("title", String.self),
      ColumnDescription("isCompleted", Bool.self),
      ColumnDescription("priority", Priority?.self),
      ColumnDescription("dueDate", Date?.self),
      ColumnDescription("position", Int.self),
      ColumnDescription("remindersListID", Int.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    var fragments: [QueryFragment] = []
    fragments += Int.fragments(of: id)
    fragments += String.fragments(of: title)
    fragments += Bool.fragments(of: isCompleted)
    fragments += Priority?.fragments(of: priority)
    fragments += Date?.fragments(of: dueDate)
    fragments += Int.fragments(of: position)
    fragments += Int.fragments(of: remindersListID)
    return fragments
  }

  struct Draft: TableDraft {
    typealias PrimaryTable = Reminder
    typealias TableColumns = DraftColumns<Reminder>

    var id: Int?
    var title = ""
    var isCompleted = false
    var priority: Priority?
    var dueDate: Date?
    var position = 0
    var remindersListID: Int

    var columnFragments: [QueryFragment] {
      var fragments: [QueryFragment] = []
      fragments += Int?.fragments(of: id)
      fragments += String.fragments(of: title)
      fragments += Bool.fragments(of: isCompleted)
      fragments += Priority?.fragments(of: priority)
      fragments += Date?.fragments(of: dueDate)
      fragments += Int.fragments(of: position)
      fragments += Int.fragments(of: remindersListID)
      return fragments
    }
  }

  struct Columns: QueryExpression {
    typealias QueryValue = Reminder

    let columnFragments: [QueryFragment]
    var queryFragment: QueryFragment { QueryFragment(row: columnFragments) }

    init(
      id: some QueryExpression<Int>, title: some QueryExpression<String>, isCompleted: some QueryExpression<Bool>,
      priority: some QueryExpression<Priority?>, dueDate: some QueryExpression<Date?>,
      position: some QueryExpression<Int>, remindersListID: some QueryExpression<Int>
    ) {
      var fragments: [QueryFragment] = []
      fragments += id.columnFragments(named: "id")
      fragments += title.columnFragments(named: "title")
      fragments += isCompleted.columnFragments(named: "isCompleted")
      fragments += priority.columnFragments(named: "priority")
      fragments += dueDate.columnFragments(named: "dueDate")
      fragments += position.columnFragments(named: "position")
      fragments += remindersListID.columnFragments(named: "remindersListID")
      columnFragments = fragments
    }
  }
}

extension Reminder {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    isCompleted = try decoder.value(Bool.self)
    priority = try decoder.value(Priority?.self)
    dueDate = try decoder.value(Date?.self)
    position = try decoder.value(Int.self)
    remindersListID = try decoder.value(Int.self)
  }
}

extension Reminder.Draft {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int?.self)
    title = try decoder.value(String.self)
    isCompleted = try decoder.value(Bool.self)
    priority = try decoder.value(Priority?.self)
    dueDate = try decoder.value(Date?.self)
    position = try decoder.value(Int.self)
    remindersListID = try decoder.value(Int.self)
  }

  init(_ row: Reminder) {
    id = row.id
    title = row.title
    isCompleted = row.isCompleted
    priority = row.priority
    dueDate = row.dueDate
    position = row.position
    remindersListID = row.remindersListID
  }
}

extension Reminder {
  static let incomplete = Self.where { !$0.isCompleted }
  static let important = Self.where { $0.priority.eq(.high) }
}

extension Reminder.TableColumns {
  var isUrgent: some QueryExpression<Bool> { priority.eq(.high) && !isCompleted }
}

extension Where<Reminder> {
  func matching(_ text: String) -> Where<Reminder> { self.where { $0.title.contains(text) } }
}
