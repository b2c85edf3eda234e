// A column is set to values of its own type.
import Foundation
import Martlet

func updates() {
  _ = Reminder.update { $0.title = 1 }
  // expected-error@-1 {{cannot assign value of type 'Int' to type 'SQLQueryExpression<String>'}}
  _ = Reminder.update { $0.title = nil }
  // expected-error@-1 {{The column is never NULL. Make its property optional, or set a value.}}
  _ = Reminder.update { $0.position = "1" }
  // expected-error@-1 {{cannot assign value of type 'String' to type 'SQLQueryExpression<Int>'}}
  _ = Reminder.update { $0.position = $0.title }
  // expected-error@-1 {{cannot assign value of type 'SQLQueryExpression<String>' to type}}
  _ = Reminder.update { $0.position += "1" }
  // expected-error@-1 {{referencing operator function '+=' on 'SQLQueryExpression' requires the types 'Int' and}}
  _ = Reminder.update { $0.title += 1 }
  // expected-error@-1 {{operator function '+=' requires the types 'Int.QueryValue' (aka 'Int') and 'String' be}}
  _ = Reminder.update { $0.priority = .medium }
  // expected-error@-1 {{type 'SQLQueryExpression<Priority?>' has no member 'medium'}}
  _ = Reminder.update { $0.length = 3 }
  // expected-error@-1 {{SQLite computes this column. Set the columns that it is computed from.}}
  _ = Reminder.update { $0.isSelected = true }
  // expected-error@-1 {{has no dynamic member 'isSelected'}}
  _ = Reminder.update { $0.titel = "x" }
  // expected-error@-1 {{has no dynamic member 'titel'}}
  _ = Reminder.update { $0.position = RemindersList.select(\.title) }
  // expected-error@-1 {{cannot assign value of type 'Select<TableColumn<RemindersList, String>.QueryValue,}}
  _ = Reminder.update { $0.position = $0.priority }
  // expected-error@-1 {{cannot assign value of type 'SQLQueryExpression<Priority?>' to type}}
  _ = Reminder.insert {
    Reminder.Draft(remindersListID: UUID())
  } onConflict: {
    $0.titel
    // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  } doUpdate: { row, excluded in
    row.title = excluded.title
  }
  _ = Reminder.insert {
    Reminder.Draft(remindersListID: UUID())
  } onConflict: {
    $0.id
  } doUpdate: { row, excluded in
    row.title = excluded.position
    // expected-error@-1 {{cannot assign value of type 'TableColumn<AliasedTable<Reminder, ExcludedRow>, Int>' to}}
  }
  _ = Attachment.update { $0.kind = .note(1) }
  // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'String'}}
  _ = Attachment.update { $0.kind.note = 1 }
  // expected-error@-1 {{cannot assign value of type 'Int' to type 'SQLQueryExpression<String?>'}}
  _ = Attachment.update { $0.kind = "note" }
  // expected-error@-1 {{cannot assign value of type 'String' to type 'Updates<Attachment.Kind>'}}
  _ = Attachment.update { $0.kind = .image("x") }
  // expected-error@-1 {{type 'Updates<Attachment.Kind>' has no member 'image'}}
  _ = Attachment.update { $0.timestamps.createdAt = "now" }
  // expected-error@-1 {{cannot assign value of type 'String' to type 'SQLQueryExpression<Date>'}}
  _ = Attachment.update { $0.timestamps.createdAt = nil }
  // expected-error@-1 {{The column is never NULL. Make its property optional, or set a value.}}
}
