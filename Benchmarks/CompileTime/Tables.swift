// The tables of the queries whose type checking `scripts/bench-compile` times; both files of queries are about them.
import Foundation
import Martlet

enum Priority: Int, QueryBindable {
  case low = 1
  case medium
  case high
}

enum Status: Int, QueryBindable {
  case incomplete
  case completing
  case completed
}

@Table struct Reminder: Identifiable {
  let id: Int
  var title = ""
  var notes = ""
  var isCompleted = false
  var isFlagged = false
  var priority: Priority?
  var status = Status.incomplete
  var dueDate: Date?
  var position = 0
  var price = 0.0
  var remindersListID: RemindersList.ID
  var assigneeID: Employee.ID?
}

@Table struct RemindersList: Identifiable {
  let id: Int
  var title = ""
  var color: Int?
  var position = 0
}

@Table struct Tag: Identifiable {
  let id: Int
  var title = ""
}

@Table("remindersTags") struct ReminderTag {
  let reminderID: Reminder.ID
  let tagID: Tag.ID
}

@Table struct Employee: Identifiable {
  let id: Int
  var name = ""
  var salary = 0.0
  var managerID: Int?
}

enum Manager: AliasName {}

@Selection struct ReminderRow {
  var title: String
  var listTitle: String
  var isUrgent: Bool
}

@Selection struct ListStats {
  var listID: Int
  var count: Int
  var completed: Int
  var latest: Date?
}

@Selection struct Level {
  var id: Int
  var depth: Int
}

extension Reminder {
  static let incomplete = Self.where { !$0.isCompleted }
  static let flagged = Self.where(\.isFlagged)
}
