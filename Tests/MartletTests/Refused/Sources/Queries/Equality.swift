// `==` and `!=` hide that NULL is equal to nothing.
import Foundation
import Martlet

func equality(title: String) {
  _ = Reminder.where { $0.title == "Milk" }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.where { $0.title != "Milk" }
  // expected-error@-1 {{'!=' is unavailable: Use 'neq' (never true for NULL) or 'isNot' instead of '!='.}}
  _ = Reminder.where { $0.title == title }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.where { $0.title == $0.title }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.where { $0.dueDate == nil }
  // expected-warning@-1 {{'==' is deprecated: Use 'is(nil)' instead of '== nil'.}}
  _ = Reminder.where { $0.dueDate != nil }
  // expected-warning@-1 {{'!=' is deprecated: Use 'isNot(nil)' instead of '!= nil'.}}
  _ = Reminder.where { $0.priority == .high }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.where { $0.priority == .high && !$0.isCompleted }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.where { $0.position == 1 || $0.title == "a" }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  // expected-error@-2 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.join(RemindersList.all) { $0.remindersListID == $1.id }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  _ = Reminder.select { $0.position + 1 == 2 }
  // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
}
