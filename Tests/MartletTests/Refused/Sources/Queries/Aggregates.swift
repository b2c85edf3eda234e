// An aggregate is one value of many rows, and no row of an aggregate.
import Foundation
import Martlet

func aggregates() {
  _ = Reminder.select { $0.position.max().max() }
  // expected-error@-1 {{getter for 'max' is unavailable: An aggregate of an aggregate needs a subquery}}
  _ = Reminder.select { $0.position.sum().avg() }
  // expected-error@-1 {{An aggregate of an aggregate needs a subquery, or a common table.}}
  _ = Reminder.select { $0.count().sum() }
  // expected-error@-1 {{An aggregate of an aggregate needs a subquery, or a common table.}}
  _ = Reminder.select { $0.position.min().count() }
  // expected-error@-1 {{An aggregate of an aggregate needs a subquery, or a common table.}}
  _ = Reminder.select { $0.title.groupConcat().groupConcat() }
  // expected-error@-1 {{An aggregate of an aggregate needs a subquery, or a common table.}}
  _ = Reminder.select { $0.position.avg().total() }
  // expected-error@-1 {{An aggregate of an aggregate needs a subquery, or a common table.}}
  _ = Reminder.select { $0.position.min().min() }
  // expected-error@-1 {{getter for 'min' is unavailable: An aggregate of an aggregate needs a subquery}}
  _ = Reminder.select { $0.title.sum() }
  // expected-error@-1 {{Numbers and durations have 'sum', and other values have not.}}
  _ = Reminder.select { $0.title.avg() }
  // expected-error@-1 {{Numbers and durations have 'avg', and other values have not.}}
  _ = Reminder.select { $0.position.max(filter: $0.title) }
  // expected-error@-1 {{instance method 'max(filter:)' requires the types 'String' and 'Bool' be equivalent}}
  _ = Reminder.select { $0.position.sum().jsonGroupArray() }
  // expected-error@-1 {{An aggregate of an aggregate needs a subquery, or a common table.}}
  _ = Reminder.select { $0.jsonGroupArray() }
  // expected-error@-1 {{A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.}}
  _ = Reminder.select { $0.jsonGroupArray(order: $0.title, filter: $0.isCompleted) }
  // expected-error@-1 {{A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.}}
  _ = Reminder.select { $0.jsonbGroupArray() }
  // expected-error@-1 {{A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.}}
  _ = Reminder.select { ($0.id, $0.jsonObject()) }
  // expected-error@-1 {{A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.}}
  _ = Reminder.select { $0.jsonbObject() }
  // expected-error@-1 {{A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.}}
  _ = RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }.select { $1.jsonGroupArray() }
  // expected-error@-1 {{A row becomes JSON if its type is Codable: '@Table struct Reminder: Codable'.}}
  _ = Reminder.select { $0.priority.jsonGroupArray() }
  // expected-error@-1 {{requires that 'Priority' conform to 'Encodable'}}
  // expected-error@-2 {{requires that 'Priority' conform to 'Decodable'}}
}
