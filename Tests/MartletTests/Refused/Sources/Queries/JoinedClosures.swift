// A closure that leaves out tables of the join, or columns of the query.
import Foundation
import Martlet

func joinedClosures() {
  let two = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }
  let three = two.join(Attachment.all) { $0.id.eq($2.id) }
  _ = three.where { $0.position.eq(1) }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = three.where { row in row.position.eq(1) }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = three.where { $0.parentID.is(nil) }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = three.group { ($0.title, $0.position) }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = three.having { $0.position.count() > 1 }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = three.select { $0.title }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = three.select { ($0.title, $0.position) }
  // expected-error@-1 {{Name each table of the join in the closure: '{ reminders, lists, tags in … }'.}}
  _ = two.select { ($0.title, $1.title) }.map { $0.upper() }
  // expected-error@-1 {{Name each column of the query in the closure: '{ title, count in … }'.}}
  _ = Reminder.select { ($0.id, $0.title) }.map { $0 }
  // expected-error@-1 {{Name each column of the query in the closure: '{ title, count in … }'.}}

  // Another mistake, in a closure that has all its arguments, is told as what it is.
  let left = two.leftJoin(Attachment.all) { $0.id.eq($2.id) }
  _ = left.where { $2.nonsense.eq(1) }
  // expected-error@-1 {{has no dynamic member 'nonsense'}}
  _ = left.select { ($0.title, $2.titel) }
  // expected-error@-1 {{has no dynamic member 'titel'}}
}
