// A transaction's closure runs from its beginning to its end without waiting for anything else.
import Foundation
import Martlet

func load() async -> String { "" }

func transactions(_ database: DatabaseQueue, _ db: Database) async throws {
  try await database.write { db in
    // expected-error@-1 {{cannot pass function of type '@Sendable (Database) async throws -> ()' to parameter}}
    let title = await load()
    try Reminder.update { $0.title = title }.execute(db)
  }
  try await database.read { db in
    // expected-error@-1 {{cannot pass function of type '@Sendable (Database) async -> String' to parameter}}
    await load()
  }
  try Reminder.where(\.isCompleted).execute()
  // expected-error@-1 {{missing argument for parameter #1 in call}}
  try Reminder.all.fetchAll()
  // expected-error@-1 {{missing argument for parameter #1 in call}}
  let leaked: Database = try await database.read { $0 }
  // expected-error@-1 {{type 'Database' does not conform to the 'Sendable' protocol}}
  try Reminder(id: 1, remindersListID: UUID()).insert(db)
  // expected-error@-1 {{static member 'insert' cannot be used on instance of type 'Reminder'}}
  // expected-error@-2 {{cannot convert value of type 'Database' to expected argument type '() ->}}
  _ = leaked
  try await database.write { _ in Reminder.where(\.isCompleted).delete() }
  // expected-warning@-1 {{result of call to 'write' is unused}}
  try await database.write { db in
    Reminder.update { $0.isCompleted = true }
    // expected-warning@-1 {{result of call to 'update(or:set:)' is unused}}
    try Reminder.where(\.isCompleted).delete().execute(db)
  }
}

func blocking(_ database: DatabaseQueue) throws {
  try database.write { _ in Reminder.where(\.isCompleted).delete() }
  // expected-warning@-1 {{result of call to 'write' is unused}}
}
