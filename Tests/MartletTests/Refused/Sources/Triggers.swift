// A mistake beside a trigger is the mistake that is told.
import Foundation
import Martlet

@Table struct Note {
  let id: Int
  var title: String
}

@Table struct Log {
  let id: Int
}

func besideTriggers(_ database: DatabaseQueue) throws {
  try database.write { db in
    try Note.createTrigger("logged", after: .insert { _ in Log.delete() }).execute(db)
    try Note.createTrigger("renamed", after: .insert(touch: { $0.title = "new" })).execute(db)
    try Note.where { $0.nope.eq(1) }.delete().execute(db)
    // expected-error@-1 {{has no member 'nope'}}
  }
}
