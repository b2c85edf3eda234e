// Compounds and common tables hold rows of one shape.
import Foundation
import Martlet

func compounds() {
  _ = Reminder.select(\.title).union(RemindersList.select(\.id))
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Reminder.select { ($0.id, $0.title) }.union(all: true, Reminder.select { ($0.title, $0.id) })
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Reminder.all.intersect(RemindersList.all)
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Reminder.select(\.title).except(Reminder.select { ($0.title, $0.id) })
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Reminder.select { $0.title.in(RemindersList.select { ($0.title, $0.id) }) }
  // expected-error@-1 {{The query must give one column, of the type of what is looked for in it.}}
  _ = Reminder.where(\.isCompleted).select(\.title) + Reminder.select(\.id)
  // expected-error@-1 {{Choose them behind: (a + b).select { … }.}}
  _ = Reminder.select(\.title).crossJoin(RemindersList.select(\.title))
  // expected-error@-1 {{Choose the columns behind a cross join: a.crossJoin(B.all).select { … }.}}
  _ = Reminder.insert {
    Reminder.Draft(remindersListID: UUID())
  } onConflictDoUpdate: {
    $0.title = ""
  } where: {
    // expected-error@-3 {{expects 2 arguments, but 1 was used in closure body}}
    $0.title.neq($1.title)
  }
  _ = With {
    Reminder.select { ($0.title, $0.id) }
    // expected-error@-1 {{Select rows of a '@Selection': '.select { Row.Columns(…) }'.}}
  } query: {
    Reminder.all
  }
}
