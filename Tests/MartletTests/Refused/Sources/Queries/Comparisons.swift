// Expressions are compared with what is of their own type.
import Foundation
import Martlet

func comparisons() {
  _ = Reminder.where { $0.title.eq(1) }
  // expected-error@-1 {{instance method 'eq' requires the types 'String' and 'Int' be equivalent}}
  _ = Reminder.where { $0.position.eq("1") }
  // expected-error@-1 {{instance method 'eq' requires the types 'Int' and 'String' be equivalent}}
  _ = Reminder.where { $0.id.eq($0.title) }
  // expected-error@-1 {{instance method 'eq' requires the types 'Int' and 'String' be equivalent}}
  _ = Reminder.where { $0.isCompleted.neq("yes") }
  // expected-error@-1 {{instance method 'neq' requires the types 'Bool' and 'String' be equivalent}}
  _ = Reminder.where { $0.dueDate.is("2026-01-01") }
  // expected-error@-1 {{instance method 'is' requires the types 'Optional<Date>.QueryUnwrapped' (aka 'Date') and}}
  _ = Reminder.where { $0.priority.eq(.medium) }
  // expected-error@-1 {{type 'BindQueryExpression<TableColumn<Reminder, Priority?>.QueryValue>' (aka}}
  _ = Reminder.where { $0.position < "1" }
  // expected-error@-1 {{operator function '<' requires the types 'Int' and 'String' be equivalent}}
  _ = Reminder.where { $0.position > $0.title }
  // expected-error@-1 {{operator function '>' requires the types 'Int' and 'String' be equivalent}}
  _ = Reminder.where { $0.title >= 3 && !$0.isCompleted }
  // expected-error@-1 {{operator function '>=' requires the types 'String' and 'Int' be equivalent}}
  _ = Reminder.where { $0.position.between("a", and: "b") }
  // expected-error@-1 {{instance method 'between(_:and:)' requires the types 'Int' and 'String' be equivalent}}
  _ = Reminder.where { $0.id.in(["a", "b"]) }
  // expected-error@-1 {{cannot convert value of type 'String' to expected element type 'Int'}}
  // expected-error@-2 {{cannot convert value of type 'String' to expected element type 'Int'}}
  _ = Reminder.where { $0.id.in(RemindersList.select(\.id)) }
  // expected-error@-1 {{The query must give one column, of the type of what is looked for in it.}}
  _ = Reminder.where { $0.title.eq(nil) }
  // expected-error@-1 {{'eq' is unavailable: This is never NULL. Where it may be, make the property optional.}}
  _ = Reminder.where { $0.title.like(1) }
  // expected-error@-1 {{instance method 'like(_:escape:)' requires the types 'Int.QueryValue' (aka 'Int') and}}
  _ = Reminder.where { $0.position.contains("x") }
  // expected-error@-1 {{referencing instance method 'contains' on 'QueryExpression' requires the types 'Int' and}}
  _ = Reminder.where { $0.position + $0.title > 1 }
  // expected-error@-1 {{operator function '+' requires the types 'TableColumn<Reminder, Int>.QueryValue'}}
  _ = Reminder.where { $0.title + 1 > "a" }
  // expected-error@-1 {{operator function '+' requires the types 'TableColumn<Reminder, String>.QueryValue'}}
  _ = Reminder.where { $0.title && $0.isCompleted }
  // expected-error@-1 {{referencing operator function '&&' on 'QueryExpression' requires the types 'String' and}}
  _ = Reminder.where { !$0.title }
  // expected-error@-1 {{referencing operator function '!' on 'QueryExpression' requires the types 'String' and}}
  _ = Reminder.where { $0.title }
  // expected-error@-1 {{A condition is true or false. Compare this with something.}}
  _ = Reminder.where(\.title)
  // expected-error@-1 {{static method 'where' requires the types 'String' and 'Bool' be equivalent}}
  _ = Reminder.join(RemindersList.all) { $0.id.eq($1.id) }
  // expected-error@-1 {{instance method 'eq' requires the types 'Int' and 'UUID' be equivalent}}
  _ = Reminder.join(RemindersList.all) { reminder, list in list.title }
  // expected-error@-1 {{static method 'join(_:on:)' requires the types 'String' and 'Bool' be equivalent}}
  _ = Reminder.where { $double($0.title) > 1 }
  // expected-error@-1 {{instance method 'callAsFunction' requires the types 'TableColumn<Reminder,}}
  _ = Reminder.where { RowValue($0.id, $0.title).eq((1, 2)) }
  // expected-error@-1 {{'eq' is unavailable: The row must have this one's number of values, of its columns' types.}}
  _ = Reminder.select { $0.priority ?? "none" }
  // expected-error@-1 {{binary operator '??' cannot be applied to operands of type}}
  _ = Reminder.select { Case($0.position).when("a", then: "b").else("c") }
  // expected-error@-1 {{instance method 'when(_:then:)' requires the types 'TableColumn<Reminder,}}
  _ = Reminder.select { Case($0.position).when(1, then: "b").else(2) }
  // expected-error@-1 {{instance method 'else' requires the types 'String.QueryValue' (aka 'String') and}}
  _ = Reminder.all.limit("10")
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type}}
}
