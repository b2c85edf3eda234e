// A row has a value for each column that has no default.
import Foundation
import Martlet

func drafts(list: RemindersList.ID) {
  _ = Reminder.Draft(title: "Milk")
  // expected-error@-1 {{missing argument for parameter 'remindersListID' in call}}
  _ = Reminder.Draft(title: 1, remindersListID: list)
  // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'String'}}
  _ = Reminder.Draft(titel: "Milk", remindersListID: list)
  // expected-error@-1 {{incorrect argument label in call (have 'titel:remindersListID:', expected}}
  _ = Reminder.Draft(remindersListID: 1)
  // expected-error@-1 {{cannot convert value of type 'Int' to expected argument type 'RemindersList.ID' (aka}}
  _ = Reminder.Draft(remindersListID: list, length: 4)
  // expected-error@-1 {{extra argument 'length' in call}}
  _ = Reminder(title: "Milk", remindersListID: list)
  // expected-error@-1 {{missing argument for parameter 'id' in call}}
  _ = Reminder.insert { RemindersList.Draft() }
  // expected-error@-1 {{This is no row of the table. Write rows of it, or drafts of them.}}
  _ = Reminder.insert { "Milk" }
  // expected-error@-1 {{This is no row of the table. Write rows of it, or drafts of them.}}
  _ = Reminder.insert {
    ($0.title, $0.position)
  } values: {
    ("Milk", "1")
    // expected-error@-1 {{Write a value for each of the columns, in their order and of their types.}}
  }
  _ = Reminder.insert {
    ($0.title, $0.position)
  } values: {
    ("Milk", 1, 2)
    // expected-error@-1 {{Write a value for each of the columns, in their order and of their types.}}
  }
  _ = Reminder.insert {
    ($0.title, $0.position)
  } values: {
    "Milk"
    // expected-error@-1 {{Write a value for each of the columns, in their order and of their types.}}
  }
  _ = Reminder.insert {
    $0.title
  } values: {
    1
    // expected-error@-1 {{Write a value for each of the columns, in their order and of their types.}}
  }
  _ = Reminder.insert {
    // expected-error@-1 {{The query must give a value of the right type for each of the columns.}}
    ($0.title, $0.position)
  } select: {
    RemindersList.select { ($0.title, $0.title) }
  }
  _ = Reminder.insert {
    // expected-error@-1 {{The query must give a value of the right type for each of the columns.}}
    $0.title
  } select: {
    RemindersList.select(\.id)
  }
  _ = Reminder.upsert { RemindersList.Draft() }
  // expected-error@-1 {{This is no row of the table. Write rows of it, or drafts of them.}}
  _ = Reminder.insert {
    // expected-error@-1 {{generic parameter 'E' could not be inferred}}
    $0.titel
    // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  } values: {
    "Milk"
  }
}
