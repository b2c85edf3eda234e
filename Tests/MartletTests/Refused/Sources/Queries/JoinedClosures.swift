// A closure that leaves out a table of the join, or a column of the query.
import Foundation
import Martlet

enum Parent: AliasName {}

func joinedClosures() {
  let two = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }
  let three = two.join(Attachment.all) { $0.id.eq($2.id) }
  _ = two.where { $0.position.eq(1) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = two.where { $0.parentID.is(nil) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = two.order { $0.title }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = two.group { $0.title }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = two.select { $0.title }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = two.having { $0.position.count() > 1 }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.where { $0.position.eq(1) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.where { row in row.position.eq(1) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.where { $0.parentID.is(nil) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.where { $0.timestamps.createdAt < Date.now }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.where { $0.remindersListID.eq($1.id) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.where { reminder, list in reminder.remindersListID.eq(list.id) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.order { $0.title.desc() }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.order { ($0.title, $1.title) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.group { ($0.title, $1.title) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.having { $0.position.count() > $1.title.count() }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.select { ($0.title, $0.position) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.select { ($0.title, $1.title) }
  // expected-error@-1 {{The closure has an argument for each table of the join. Name them all: '{ reminders, lists,}}
  _ = three.join(RemindersList.as(Parent.self).all) { $0.parentID.eq($1.id) }
  // expected-error@-1 {{The closure has an argument for each table so far: '{ reminders, lists, tags, users in …}}
  _ = three.leftJoin(RemindersList.as(Parent.self).all) { $0.remindersListID.eq($1.id) }
  // expected-error@-1 {{The closure has an argument for each table so far: '{ reminders, lists, tags, users in …}}
  _ = two.join(Attachment.all) { $0.id.eq($1.id) }
  // expected-error@-1 {{The closure has an argument for each table so far: '{ reminders, lists, tags in … }', or}}
  _ = two.leftJoin(RemindersList.as(Parent.self).all) { $0.parentID.eq($1.id) }
  // expected-error@-1 {{The closure has an argument for each table so far: '{ reminders, lists, tags in … }', or}}
  _ = two.select { ($0.title, $1.title) }.map { $0.upper() }
  // expected-error@-1 {{The closure has an argument for each column of the query: '{ title, count in … }'.}}
  _ = Reminder.select { ($0.id, $0.title) }.map { $0 }
  // expected-error@-1 {{The closure has an argument for each column of the query: '{ title, count in … }'.}}
  let titles: Select<(String, String), Tables3<Reminder, RemindersList, Attachment>> = three.select {
    // expected-error@-1 {{The closure has an argument for each table of the join.}}
    ($0.title, $1.title)
  }
  _ = titles
}
