// Statements whose parts do not fit are told in a sentence, and not as a tuple that is no expression.
import Foundation
import Martlet

@Table struct Title {
  let id: Int
  let title: String
}

enum Sibling: AliasName {}

func statements() {
  _ = Title.createTemporaryView(as: Reminder.select { Title.Columns(id: $0.id, title: $0.title) })
  _ = Title.createTemporaryView(as: Reminder.select { ($0.id, $0.title) })
  // expected-error@-1 {{Select the view's rows: '.select { View.Columns(…) }'.}}
  _ = Title.createView(as: Reminder.all)
  // expected-error@-1 {{Select the view's rows: '.select { View.Columns(…) }'.}}
  _ = With {
    Reminder.select { ($0.id, $0.title) }
    // expected-error@-1 {{Select rows of a '@Selection': '.select { Row.Columns(…) }'.}}
  } query: {
    Title.all
  }
  _ = Reminder.select { ($0.id, $0.title) }.union(Title.select(\.id))
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Reminder.select { ($0.id, $0.title) }.except(Title.select { ($0.title, $0.id) })
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Reminder.select(\.id).intersect(Title.select(\.title))
  // expected-error@-1 {{Both queries must give the same types of columns, in the same order.}}
  _ = Title.insert {
    // expected-error@-1 {{The query must give a value of the right type for each of the columns.}}
    ($0.id, $0.title)
  } select: {
    Reminder.select { ($0.title, $0.id) }
  }
  _ = Reminder.delete { $0.id.eq(1) }
  // expected-error@-1 {{Write the condition first: 'where { … }.delete()'.}}
  _ = Reminder.createTemporaryTrigger(after: .update(touch: \.title))
  // expected-error@-1 {{A touch sets a date. Say what else it sets: '{ $0.n += 1 }'.}}
  _ = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.as(Sibling.self)
  // expected-error@-1 {{Name the table before it is joined: 'Reminder.as(Other.self).all'.}}
  _ = Reminder.createTable { table in table.unique }
  // expected-error@-1 {{Write a column or a constraint, which is a call: 't.unique { $0.name }'.}}
  _ = Reminder.createTable { table in "UNIQUE (title)" }
  // expected-error@-1 {{Write a column or a constraint, which is a call: 't.unique { $0.name }'.}}
  // Of what a query is not, and of what its table has only for itself, the compiler tells the line.
  _ = Reminder.order(by: \.id).limit(3).update { $0.title = "" }
  // expected-error@-1 {{Write 'Row.where { $0.id.in(query.select(\\.id)) }.update { … }' instead.}}
  _ = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.delete()
  // expected-error@-1 {{Write 'Row.where { $0.id.in(query.select(\\.id)) }.delete()' instead.}}
  _ = Reminder.order(by: \.id).unknown { "" }
  // expected-error@-1 {{type 'Reminder' has no member 'unknown'}}
  _ = Reminder.where { $0.id.eq(1) }.unknown { "" }
  // expected-error@-1 {{type 'Reminder' has no member 'unknown'}}
  _ = Reminder.Draft.incomplete
  // expected-error@-1 {{type 'Reminder.Draft' has no member 'incomplete'}}
  _ = Reminder.where { $0.priority > #bind(.high) }
  // expected-error@-1 {{generic parameter 'QueryValue' could not be inferred}}
  _ = Reminder.where { $0.priority > Priority.high && $0.priority.gt(#bind(.high)) }
}
