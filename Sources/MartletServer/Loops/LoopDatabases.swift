internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletValues

/// The databases that the sessions of one loop have open, each with the loop's own reader.
///
/// Always true: touched on the loop only; a database is here as long as a session of the loop has it.
// @unchecked because it is touched on its loop's thread only, where `then` of what is offloaded comes back to.
final class LoopDatabases: @unchecked Sendable {
  private let loop: EventLoop
  private let context: ServerContext
  /// What the loop's readers run, for the watchdog.
  private let watch: StatementWatch
  private var databases: [LoopDatabase.Key: LoopDatabase] = [:]
  private var snapshotTimer: LoopTimer?

  init(loop: EventLoop, context: ServerContext, watch: StatementWatch) throws(LoopError) {
    self.loop = loop
    self.context = context
    self.watch = watch
    // `unowned` because the shard owns both, and stops its loop before it goes.
    snapshotTimer = try LoopTimer(on: loop) { [unowned self] in endSnapshots() }
  }

  // MARK: - Sessions come and go

  /// The database for one more session, where the loop has it open. Otherwise nil: it is opened on another thread, and
  /// `opened` is called with it on the loop, unless `isWanted` says by then that nobody waits any more.
  func open(
    named name: String, create: Bool, setup: DatabaseSetup, subject: Subject, isWanted: @escaping @Sendable () -> Bool,
    opened: @escaping @Sendable (Result<LoopDatabase, RequestError>) -> Void
  ) -> LoopDatabase? {
    let key = LoopDatabase.Key(name: name, setup: setup)
    // If the subject may not have the setup the engine says so, as it does for a database that is not open.
    if let open = databases[key], open.database.isOpen(to: subject) {
      open.sessions += 1
      return open
    }
    let engine = context.engine
    // Opening reads and writes files, which would hold up every other connection of the loop.
    loop.offload { () -> Result<Database, RequestError> in
      Result { () throws(RequestError) in
        try engine.database(named: name, create: create, setup: setup, subject: subject)
      }
    } then: { [self] result in
      guard isWanted() else { return }
      switch result {
      case .failure(let error): opened(.failure(error))
      case .success(let database):
        // It was dropped or renamed since, and whoever had it by then was told.
        guard !database.isLeaving else { return opened(.failure(.databaseLeft(name))) }
        let open = databases[key] ?? LoopDatabase(database, reader: makeReader(of: database))
        databases[key] = open
        open.sessions += 1
        opened(.success(open))
      }
    }
    return nil
  }

  func release(_ database: LoopDatabase) {
    database.sessions -= 1
    if database.sessions <= 0, databases[database.key] === database { databases[database.key] = nil }
  }

  func removeAll() { databases = [:] }

  private func makeReader(of database: Database) -> InlineReader? {
    do throws(RequestError) {
      return try database.makeInlineReader(label: "reader.\(loop.label)", watch: watch)
    } catch {
      context.logger.warning(
        "No reader for a loop; its reads take the long way",
        metadata: ["database": "\(database.name)", "loop": "\(loop.label)", "reason": "\(error.reason.rawValue)"])
      return nil
    }
  }

  // MARK: - A database is closed under its sessions

  /// Its readers close. Gives the setups for which the loop has it.
  func detach(named name: String) -> [DatabaseSetup] {
    let concerned = databases.values.filter { $0.key.name == name }
    for database in concerned { database.detach() }
    return concerned.map(\.key.setup)
  }

  /// The sessions of that name and setup go on with the database that was opened anew.
  func reattach(_ database: Database) {
    let key = LoopDatabase.Key(name: database.name, setup: database.setup)
    databases[key]?.reattach(database, reader: makeReader(of: database))
  }

  /// It is dropped or renamed: its readers close, and nobody gets it any more.
  func remove(named name: String) {
    for (key, database) in databases where key.name == name {
      database.detach()
      databases[key] = nil
    }
  }

  // MARK: - What readers hold

  /// A reader took part in a turn: its snapshot must not outlive `limits.inlineSnapshotMs`.
  func noteSnapshot(of database: LoopDatabase) {
    guard database.reader?.hasSnapshot == true, let snapshotTimer, !snapshotTimer.isActive else { return }
    snapshotTimer.start(afterMs: context.limits.inlineSnapshotMs)
  }

  private func endSnapshots() {
    for database in databases.values { database.reader?.endSnapshot() }
  }

  func releaseIdleMemory(now: MonotonicTime) {
    for database in databases.values { database.reader?.releaseIdleMemory(now: now) }
  }
}
