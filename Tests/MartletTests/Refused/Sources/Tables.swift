// The tables that the refused sources are about; all of this compiles.
import Foundation
import Martlet

enum Priority: Int, QueryBindable {
  case low
  case high
}

@Table struct Reminder: Identifiable {
  let id: Int
  var title = ""
  var isCompleted = false
  var priority: Priority?
  var dueDate: Date?
  var position = 0
  var remindersListID: RemindersList.ID
  @Column(generated: .virtual) var length = 0
  @Ephemeral var isSelected = false

  static let incomplete = Self.where { !$0.isCompleted }
  static let byPosition = Self.order(by: \.position)
  static func before(_ date: Date) -> Where<Self> { Self.where { $0.dueDate < date } }
}

@Table struct RemindersList: Identifiable {
  let id: UUID
  var title = ""
  var parentID: UUID?
}

@Table struct Attachment: Identifiable {
  let id: Int
  var kind: Kind
  var timestamps: Timestamps

  @Selection enum Kind {
    case link(URL)
    case note(String)
  }
}

@Selection struct Timestamps {
  var createdAt: Date
  var updatedAt: Date?
}

@Selection struct Row {
  var title: String
  var list: String?
}

@DatabaseFunction func double(_ number: Int) -> Int { number * 2 }
