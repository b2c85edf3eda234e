// Compounds and common tables hold rows of one shape.
import Foundation
import Martlet

func compounds() {
  _ = Reminder.select(\.title).union(RemindersList.select(\.id))
  // expected-error@-1 {{instance method 'union(all:_:)' requires the types 'TableColumn<Reminder,}}
  _ = Reminder.select { ($0.id, $0.title) }.union(all: true, Reminder.select { ($0.title, $0.id) })
  // expected-error@-1 {{type '(Int.QueryColumn<Reminder>, String.QueryColumn<Reminder>)' (aka}}
  // expected-error@-2 {{type '(String.QueryColumn<Reminder>, Int.QueryColumn<Reminder>)' (aka}}
  _ = Reminder.all.intersect(RemindersList.all)
  // expected-error@-1 {{instance method 'intersect' requires the types 'Where<Reminder>.QueryValue' (aka}}
  _ = Reminder.select(\.title).except(Reminder.select { ($0.title, $0.id) })
  // expected-error@-1 {{type '(String.QueryColumn<Reminder>, Int.QueryColumn<Reminder>)' (aka}}
  _ = Reminder.select { $0.title.in(RemindersList.select { ($0.title, $0.id) }) }
  // expected-error@-1 {{The query must give one column, of the type of what is looked for in it.}}
  _ = With {
    Reminder.select { ($0.title, $0.id) }
    // expected-error@-1 {{type '(String.QueryColumn<Reminder>, Int.QueryColumn<Reminder>)' (aka}}
  } query: {
    Reminder.all
  }
}
