// The side that a join may leave out is optional.
import Foundation
import Martlet

func optionalSides(_ db: Database) throws {
  let left = Reminder.leftJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
  let right = Reminder.rightJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
  let full = Reminder.fullJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
  let lists: [RemindersList] = try left.select { $1 }.fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[Optional<RemindersList>.QueryOutput]' (aka}}
  let titles: [String] = try left.select { $1.title }.fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[Optional<String>.QueryOutput]' (aka}}
  let pairs: [(Reminder, RemindersList)] = try left.fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[(Reminder, Optional<RemindersList>.QueryOutput)]' (aka}}
  let reminders: [Reminder] = try right.select { reminder, _ in reminder }.fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[Optional<Reminder>.QueryOutput]' (aka}}
  let both: [(Reminder, RemindersList?)] = try full.fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[(Optional<Reminder>.QueryOutput, Optional<RemindersList>}}
  _ = left.select { Row.Columns(title: $1.title, list: $1.title) }
  // expected-error@-1 {{initializer 'init(title:list:)' requires the types 'TableColumn<RemindersList?,}}
  let names = try left.fetchAll(db).map { $0.1.title }
  // expected-error@-1 {{value of optional type 'Optional<RemindersList>.QueryOutput' (aka}}
  _ = (lists, titles, pairs, reminders, both, names)
}
