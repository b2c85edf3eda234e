// A row is found by a value of its key's type.
import Foundation
import Martlet

func keys(_ db: Database, list: RemindersList) throws {
  _ = Reminder.find("1")
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = Reminder.find(["1", "2"])
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = Reminder.find(list.id)
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = RemindersList.find(1)
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = try Reminder.find(db, key: "1")
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'Int'}}
  _ = Reminder.incomplete.find(list.id)
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = Reminder.update(list)
  // expected-error@-1 {{cannot convert value of type 'RemindersList' to expected argument type 'Reminder'}}
  _ = Reminder.delete(list)
  // expected-error@-1 {{cannot convert value of type 'RemindersList' to expected argument type 'Reminder'}}
  _ = Timestamps.find(1)
  // expected-error@-1 {{type 'Timestamps' has no member 'find'}}
  _ = Reminder.update { $0.title = "x" }.find("1")
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = Reminder.delete().find("1")
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = Reminder.order(by: \.id).find("1")
  // expected-error@-1 {{Write a value of the primary key's type, or a sequence of such values.}}
  _ = try Reminder.order(by: \.id).find(db, key: "1")
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'Int'}}
  _ = Reminder.Draft.find("1")
  // expected-error@-1 {{static method 'find' requires the types 'String.Element' (aka 'Character') and 'Int' be}}
}
