// A mistake beside a trigger is the mistake that is told.
import Foundation
import Martlet

func besideTriggers(_ database: DatabaseQueue) throws {
  try database.write { db in
    try Reminder.createTrigger("logged", after: .insert { _ in RemindersList.delete() }).execute(db)
    try Reminder.createTrigger("renamed", after: .insert(touch: { $0.title = "new" })).execute(db)
    try Reminder.where { $0.nope.eq(1) }.delete().execute(db)
    // expected-error@-1 {{has no member 'nope'}}
  }
}
