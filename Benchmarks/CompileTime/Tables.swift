/// The tables of both files; type-checked with each, so that what they cost is in both figures.
import Foundation
import Martlet

@Table struct Reminder {
  let id: Int
  var title = ""
  var notes: String?
  var priority: Int?
  var isCompleted = false
  var dueDate: Date?
  var position = 0
  var cost: Double = 0
  var remindersListID: Int
}

@Table struct RemindersList {
  let id: Int
  var title = ""
  var color: String?
  var position = 0
}

@Table struct Tag {
  let id: Int
  var title = ""
}

@Table struct ReminderTag {
  let id: Int
  var reminderID: Int
  var tagID: Int
}

@Selection struct Overview {
  var title: String
  var listTitle: String?
  var count: Int
}

@Selection struct Level {
  var id: Int
  var depth: Int
}

func keep(_ value: some Sendable) {}
