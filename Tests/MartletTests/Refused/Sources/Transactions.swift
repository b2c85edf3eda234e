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
  // expected-error@-1 {{'insert' is unavailable: Write 'Item.insert { item }.execute(db)'.}}
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

// MARK: - Spellings of GRDB that are not here: the compiler says what to write.

func records(_ db: Database, _ reminder: Reminder) throws {
  try reminder.insert(db)
  // expected-error@-1 {{'insert' is unavailable: Write 'Item.insert { item }.execute(db)'.}}
  _ = try reminder.inserted(db)
  // expected-error@-1 {{'inserted' is unavailable: Write 'Item.insert { item }.returning(\\.self).fetchOne(db)'.}}
  try reminder.save(db)
  // expected-error@-1 {{'save' is unavailable: Write 'Item.upsert { item }.execute(db)'.}}
  try reminder.upsert(db)
  // expected-error@-1 {{'upsert' is unavailable: Write 'Item.upsert { item }.execute(db)'.}}
  try reminder.update(db)
  // expected-error@-1 {{'update' is unavailable: Write 'Item.update(item).execute(db)'.}}
  try reminder.delete(db)
  // expected-error@-1 {{'delete' is unavailable: Write 'Item.delete(item).execute(db)'.}}
  _ = try reminder.exists(db)
  // expected-error@-1 {{'exists' is unavailable: Write 'Item.find(item.id).fetchOne(db) != nil'.}}
  _ = Reminder.filter { $0.isCompleted }
  // expected-error@-1 {{'filter' is unavailable: Write 'Item.where { $0.price > 10 }'.}}
  _ = Reminder.filter(key: 1)
  // expected-error@-1 {{'filter(key:)' is unavailable: Write 'Item.find(key)'.}}
  _ = Reminder.filter(id: 1)
  // expected-error@-1 {{'filter(id:)' is unavailable: Write 'Item.find(id)'.}}
  _ = try Reminder.fetchOne(db, key: 1)
  // expected-error@-1 {{'fetchOne(_:key:)' is unavailable: Write 'Item.find(key).fetchOne(db)'.}}
  _ = try Reminder.fetchOne(db, id: 1)
  // expected-error@-1 {{'fetchOne(_:id:)' is unavailable: Write 'Item.find(id).fetchOne(db)'.}}
  _ = try Reminder.fetchAll(db, keys: [1])
  // expected-error@-1 {{'fetchAll(_:keys:)' is unavailable: Write 'Item.find(keys).fetchAll(db)'.}}
  _ = try Reminder.fetchAll(db, ids: [1])
  // expected-error@-1 {{'fetchAll(_:ids:)' is unavailable: Write 'Item.find(ids).fetchAll(db)'.}}
  _ = try Reminder.exists(db, key: 1)
  // expected-error@-1 {{'exists(_:key:)' is unavailable: Write 'Item.find(key).fetchOne(db) != nil'.}}
  _ = try Reminder.exists(db, id: 1)
  // expected-error@-1 {{'exists(_:id:)' is unavailable: Write 'Item.find(id).fetchOne(db) != nil'.}}
  _ = try Reminder.deleteAll(db)
  // expected-error@-1 {{'deleteAll' is unavailable: Write 'Item.delete().execute(db)'}}
  _ = try Reminder.deleteOne(db, key: 1)
  // expected-error@-1 {{'deleteOne(_:key:)' is unavailable: Write 'Item.find(key).delete().execute(db)'.}}
  _ = try Reminder.deleteOne(db, id: 1)
  // expected-error@-1 {{'deleteOne(_:id:)' is unavailable: Write 'Item.find(id).delete().execute(db)'.}}
}

func databases(_ database: DatabaseQueue, _ db: Database) throws {
  _ = try database.unsafeRead { try Reminder.fetchCount($0) }
  // expected-error@-1 {{'unsafeRead' is unavailable: Write 'read': it sees one snapshot.}}
  _ = try database.unsafeReentrantRead { try Reminder.fetchCount($0) }
  // expected-error@-1 {{'unsafeReentrantRead' is unavailable: Write 'read', and hand the Database on}}
  database.asyncRead { _ in }
  // expected-error@-1 {{'asyncRead' is unavailable: Write 'try await database.read { … }'.}}
  _ = try database.makeSnapshot()
  // expected-error@-1 {{'makeSnapshot()' is unavailable: Read what belongs together in one 'read'}}
  try database.backup(to: database)
  // expected-error@-1 {{'backup(to:)' is unavailable: Write 'vacuum(into: path)', and open the file.}}
  database.interrupt()
  // expected-error@-1 {{'interrupt()' is unavailable: Cancel the task of 'await', or give it a 'withDeadline'.}}
  database.releaseMemory()
  // expected-error@-1 {{'releaseMemory()' is unavailable: Set 'configuration.pageCacheBytes'}}
  try database.writeInTransaction { _ in .commit }
  // expected-error@-1 {{'writeInTransaction' is unavailable: Write 'write', in which 'inSavepoint' can be}}
  try database.barrierWriteWithoutTransaction { try $0.execute(sql: "VACUUM") }
  // expected-error@-1 {{'barrierWriteWithoutTransaction' is unavailable: Write 'writeWithoutTransaction'.}}
  try database.unsafeReentrantWrite { try $0.execute(sql: "VACUUM") }
  // expected-error@-1 {{'unsafeReentrantWrite' is unavailable: Write 'write', and hand the Database on}}
  database.asyncWrite({ _ in 1 }, completion: { _, _ in })
  // expected-error@-1 {{'asyncWrite(_:completion:)' is unavailable: Write 'try await database.write { … }'.}}
  database.asyncWriteWithoutTransaction { _ in }
  // expected-error@-1 {{'asyncWriteWithoutTransaction' is unavailable: Write 'try await database.write}}
  try database.inDatabase { try $0.execute(sql: "VACUUM") }
  // expected-error@-1 {{'inDatabase' is unavailable: Write 'read', 'write' or 'writeWithoutTransaction'.}}
  database.spawnConcurrentRead { _ in }
  // expected-error@-1 {{'spawnConcurrentRead' is unavailable: Write 'read' behind the write}}
  database.add(transactionObserver: 1)
  // expected-error@-1 {{'add(transactionObserver:)' is unavailable: Follow the tables with 'ValueObservation.tracking}}
  db.add(transactionObserver: 1)
  // expected-error@-1 {{'add(transactionObserver:)' is unavailable: Follow the tables with 'ValueObservation.tracking}}
  db.afterNextTransaction { _ in }
  // expected-error@-1 {{is unavailable: Write what follows behind 'write'}}
  _ = try db.makeStatement(sql: "SELECT 1")
  // expected-error@-1 {{'makeStatement(sql:)' is unavailable: Run it with 'execute(sql:arguments:)'}}
  _ = try db.cachedStatement(sql: "SELECT 1")
  // expected-error@-1 {{'cachedStatement(sql:)' is unavailable: Run it with 'execute(sql:arguments:)'}}
  try db.inTransaction(.deferred) { try Reminder.delete().execute(db) }
  // expected-error@-1 {{'deferred' is unavailable: Every transaction begins immediately. Leave the kind out.}}
  try db.inTransaction(.exclusive) { try Reminder.delete().execute(db) }
  // expected-error@-1 {{'exclusive' is unavailable: Every transaction begins immediately. Leave the kind out.}}
  _ = ValueObservation.tracking { try Reminder.fetchCount($0) }
    .start(in: database, scheduling: 1, onError: { _ in }, onChange: { _ in })
  // expected-error@-1 {{'start(in:scheduling:onError:onChange:)' is unavailable: Leave 'scheduling:' out}}
}

func migrations(_ database: DatabaseQueue, _ migrator: inout DatabaseMigrator) {
  migrator.asyncMigrate(database) { _ in }
  // expected-error@-1 {{'asyncMigrate(_:completion:)' is unavailable: Write 'try await migrator.migrate(database)'.}}
  _ = migrator.disablingDeferredForeignKeyChecks()
  // expected-error@-1 {{is unavailable: Write 'foreignKeyChecks: .immediate' in each 'registerMigration'.}}
  migrator.registerMigration("a", merging: ["b"]) { _, _ in }
  // expected-error@-1 {{is unavailable: Keep the migrations as they were released, and register another}}
}

func rows(_ row: Martlet.Row) throws {
  let title: String = row["title"]
  // expected-error@-1 {{can throw but is not marked with 'try'}}
  print(title)
}

/// What is right beside a mistake is not told as another one.
func mistakesAmongWrites(_ database: DatabaseQueue, list: RemindersList) throws {
  try database.write { db in
    try RemindersList.insert { list }.execute(db)
    try RemindersList.insert { [list, list] }.execute(db)
    try RemindersList.insert {
      RemindersList(id: list.id)
      RemindersList.Draft(title: "Home")
    }
    .execute(db)
    try RemindersList.upsert { list }.execute(db)
    try RemindersList.where { $0.title == "Home" }.delete().execute(db)
    // expected-error@-1 {{Use 'eq' (never true for NULL) or 'is' (NULL is NULL) instead of '=='.}}
  }
}
