internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletValues

/// The databases that the sessions of one loop have open, each with the loop's own reader.
///
/// Always true: touched on the loop only; a database is here as long as a session of the loop has it; what opens or
/// closes files runs on other threads.
// @unchecked because it is touched on its loop's thread only, to which what other threads did comes back.
final class LoopDatabases: @unchecked Sendable {
  private let loop: EventLoop
  private let context: ServerContext
  /// What the loop's readers run, for the watchdog.
  private let watch: StatementWatch
  private let allowance: LoopAllowance
  private var databases: [LoopDatabase.Key: LoopDatabase] = [:]
  /// Who waits for what is being opened: one database with a reader for all of them.
  private var openings = OpeningWaiters<LoopOpening.Topic, LoopOpening.Question, LoopOpening>()
  private var snapshotTimer: LoopTimer?

  init(
    loop: EventLoop, context: ServerContext, watch: StatementWatch, allowance: LoopAllowance
  ) throws(LoopError) {
    self.allowance = allowance
    self.loop = loop
    self.context = context
    self.watch = watch
    // `unowned` because the shard owns both, and stops its loop before it goes.
    snapshotTimer = try LoopTimer(on: loop) { [unowned self] in endSnapshots() }
  }

  // MARK: - Sessions come and go

  /// The database for one more session, if the loop has it. Otherwise nil: it is opened on another thread, and
  /// `opened` is called with it on the loop, unless `isWanted` says by then that nobody waits any more.
  func open(
    named name: String, create: Bool, setup: DatabaseSetup, subject: Subject, for asker: Asker,
    isWanted: @escaping @Sendable () -> Bool,
    opened: @escaping @Sendable (Result<LoopDatabase, RequestError>) -> Void
  ) -> LoopDatabase? {
    let key = LoopDatabase.Key(name: name, setup: setup)
    if let open = given(key, to: subject) { return open }
    wait(
      LoopOpening(
        key: key, question: .init(create: create, subject: subject), asker: asker, isWanted: isWanted, opened: opened))
    return nil
  }

  /// If the subject may not have the setup the engine says so, as it does for a database that is not open.
  private func given(_ key: LoopDatabase.Key, to subject: Subject) -> LoopDatabase? {
    guard let open = databases[key], !open.isClosed, open.isOpen(to: subject) else { return nil }
    open.sessions += 1
    return open
  }

  private func wait(_ waiter: LoopOpening) {
    if openings.arrived(waiter, for: waiter.topic, asking: waiter.question) { open(for: waiter) }
  }

  private func open(for waiter: LoopOpening) {
    let (engine, key, question) = (context.engine, waiter.key, waiter.question)
    obtain(key, for: waiter.asker) { () throws(RequestError) in
      try engine.database(named: key.name, create: question.create, setup: key.setup, subject: question.subject)
    } then: { [self] result in
      switch result {
      case .success(let parts): share(parts, among: openings.opened(waiter.topic))
      case .failure(let refusal):
        let (told, next) = openings.failed(waiter.topic, isOwn: refusal.isAskersOwn) { $0.isWanted() }
        // Before anybody is told, because who is told may ask again at once.
        if let next { open(for: next) }
        for waiter in told { waiter.opened(.failure(refusal.error)) }
      }
    }
  }

  /// The first one takes what was opened, and the others have it then. Who may not have it is told so by the engine.
  private func share(_ parts: DatabaseRemains, among waiters: [LoopOpening]) {
    var isFirst = true
    // Asked of each only now, because those before it have gone on meanwhile.
    for waiter in waiters where waiter.isWanted() {
      if isFirst, let outcome = taken(parts, waiter.key) {
        isFirst = false
        waiter.opened(outcome)
      } else if let open = given(waiter.key, to: waiter.question.subject) {
        waiter.opened(.success(open))
      } else {
        wait(waiter)
      }
    }
  }

  /// What was opened for one session; nil if it is not there any more.
  private func taken(
    _ parts: DatabaseRemains, _ key: LoopDatabase.Key
  ) -> Result<LoopDatabase, RequestError>? {
    guard let database = parts.database else { return nil }
    // The database was dropped or renamed since, and sessions that had it by then were told.
    guard !database.isLeaving else { return .failure(.databaseLeft(key.name)) }
    let open = databases[key] ?? LoopDatabase(database, reader: nil)
    if databases[key] == nil { databases[key] = open }
    // The database went to sleep meanwhile, for others, or was opened anew.
    if open.database == nil || open.isClosed { open.reattach(database, reader: nil) }
    if open.reader == nil { give(parts.takeReader(), to: open) }
    open.sessions += 1
    return .success(open)
  }

  func release(_ database: LoopDatabase) {
    database.sessions -= 1
    guard database.sessions <= 0, databases[database.key] === database else { return }
    databases[database.key] = nil
    discard(DatabaseRemains(database.database, [database.detach()]))
  }

  func removeAll() { databases = [:] }

  // MARK: - On other threads

  /// Opens a database and a reader of it on another thread; `then` is called on the loop, and what it does not take is
  /// closed on another thread.
  private func obtain(
    _ key: LoopDatabase.Key, for asker: Asker, _ open: @escaping @Sendable () throws(RequestError) -> Database,
    then: @escaping @Sendable (Result<DatabaseRemains, LoopOpening.Refusal>) -> Void
  ) {
    let late = RequestError.openedTooLate(context.limits)
    let refuse = { @Sendable [loop] (error: RequestError) -> Void in
      let isOwn = error == .deadlinePassed
      _ = loop.post { then(.failure(.init(error: isOwn ? late : error, isAskersOwn: isOwn))) }
    }
    // If the asker has gone, nobody is told the reason.
    context.openings.submit(
      for: asker, topic: key.topic, refuse: refuse, dropped: { refuse(.deadlinePassed) }
    ) { [self] in
      let result: Result<DatabaseRemains, LoopOpening.Refusal>
      do throws(RequestError) {
        let database = try open()
        result = .success(DatabaseRemains(database, [makeReader(of: database)]))
      } catch {
        result = .failure(.init(error: error, isAskersOwn: false))
      }
      loop.post { [self] in
        then(result)
        if case .success(let rest) = result { discard(rest) }
      }
    }
  }

  /// Closes the remains on another thread. Nothing else refers to them when that thread comes to them, in a later turn
  /// of the loop.
  private func discard(_ remains: DatabaseRemains) {
    if !remains.isEmpty {
      loop.offload {
        remains.close()
      } then: { _ in
      }
    }
  }

  /// On a thread of openings: it may wait for a lock.
  private func makeReader(of database: Database) -> InlineReader? {
    do throws(RequestError) {
      return try database.makeInlineReader(label: "reader.\(loop.label)", watch: watch, allowance: allowance)
    } catch {
      context.notices.note(
        .noReader,
        [
          "database": "\(database.name)", "loop": "\(loop.label)", "reason": "\(error.reason.rawValue)",
          "sqlite": .number(Int(error.sqliteCode)),
        ])
      return nil
    }
  }

  // MARK: - Readers of setups

  /// Gives the database a reader. If there are too many for setups, the one that was idle for longest makes room.
  private func give(_ reader: InlineReader?, to database: LoopDatabase) {
    guard let reader else {
      // It could not be opened: once more a while later.
      database.lacksReaderSince = ServerClock.now
      return
    }
    if !database.key.setup.isEmpty {
      let others = databases.values.filter {
        $0.key.name == database.key.name && !$0.key.setup.isEmpty && $0.reader != nil && $0 !== database
      }
      if others.count >= context.limits.setupsPerDatabaseMax, let oldest = others.min(by: { $0.lastRead < $1.lastRead })
      {
        oldest.lacksReaderSince = ServerClock.now
        discard(DatabaseRemains(nil, [oldest.detach()]))
      }
    }
    database.take(reader)
  }

  /// The loop's reader is of no more use; another one is opened when a session reads and a moment has passed.
  func replaceReader(of database: LoopDatabase) {
    database.lacksReaderSince = ServerClock.now
    discard(DatabaseRemains(nil, [database.detach()]))
  }

  /// A session reads, and the loop has no reader: another one is opened if that is so for some time.
  func readerIsMissed(_ database: LoopDatabase, for asker: Asker) {
    guard let since = database.lacksReaderSince, let open = database.database,
      ServerClock.now >= since.advanced(milliseconds: ServerLimits.readerPauseMs)
    else { return }
    database.lacksReaderSince = nil
    let key = database.key
    // The session that asked may go, and the others still miss the reader.
    let asker = Asker(share: asker.share, presence: Presence())
    obtain(key, for: asker) { () throws(RequestError) in
      open
    } then: { [self] result in
      guard let database = databases[key], database.database === open, database.reader == nil else { return }
      let reader: InlineReader? = if case .success(let parts) = result { parts.takeReader() } else { nil }
      give(reader, to: database)
    }
  }

  // MARK: - Sleep

  /// When each database was used last that nobody uses now; nil for those that somebody uses, or that are in steady
  /// use. `isBusy`: of the loop's sessions that have it, one has asked for something.
  func resting(_ isBusy: (LoopDatabase) -> Bool) -> [String: MonotonicTime?] {
    var resting: [String: MonotonicTime?] = [:]
    let now = ServerClock.now
    for database in databases.values {
      guard let open = database.database else { continue }
      let name = database.key.name
      // A fenced one would come back without anybody having looked at it.
      let isUsed = isBusy(database) || database.isInSteadyUse(at: now)
      if isUsed || open.isFenced || open.isLeaving || resting[name] == .some(nil) {
        resting[name] = .some(nil)
      } else {
        let last = max(open.lastUse, database.lastRead)
        resting[name] = .some(max(last, (resting[name] ?? nil) ?? last))
      }
    }
    return resting
  }

  /// Lets go of a database, unless somebody uses it by now. Returns what is to be closed, on another thread.
  func sleep(named name: String, _ isBusy: (LoopDatabase) -> Bool) -> DatabaseRemains? {
    let concerned = databases.values.filter { $0.key.name == name && $0.database != nil }
    if concerned.contains(where: isBusy) { return nil }
    let remains = DatabaseRemains(nil, [])
    for database in concerned {
      guard let open = database.database, let nap = context.engine.nap(open) else { continue }
      remains.add(database.sleep(nap))
    }
    return remains
  }

  /// Opens a database that sleeps; `woken` is called on the loop, with the reason if that cannot be.
  func wake(
    _ database: LoopDatabase, subject: Subject, for asker: Asker, woken: @escaping (RequestError?) -> Void
  ) {
    guard database.nap != nil else { return woken(nil) }
    database.waking.append(LoopDatabase.Waker(subject: subject, asker: asker, woken: woken))
    if database.waking.count == 1 { wakeForFirst(database) }
  }

  /// The database is opened for the session that has waited for longest. If that one is refused, others may still have
  /// the database: then it is the next one's turn.
  private func wakeForFirst(_ database: LoopDatabase) {
    guard let first = database.waking.first, let nap = database.nap else { return }
    let (key, subject) = (database.key, first.subject)
    // The session that asked may go, and the others still wait.
    let asker = Asker(share: first.asker.share, presence: Presence())
    obtain(key, for: asker) { () throws(RequestError) in
      try nap.wake(for: subject)
    } then: { [self] result in
      guard let database = databases[key] else { return }
      switch result {
      case .success(let parts):
        if let open = parts.database, database.database == nil {
          database.reattach(open, reader: nil)
          give(parts.takeReader(), to: database)
        }
      case .failure(let refusal):
        // If the nap is another one, the database woke and went to sleep again, and this answer is not for the sessions
        // that wait now.
        guard database.database != nil else {
          if database.nap === nap { refuseFirst(of: database, refusal.error) }
          return
        }
      }
      let waiting = database.waking
      database.waking = []
      for waker in waiting { waker.woken(nil) }
    }
  }

  private func refuseFirst(of database: LoopDatabase, _ error: RequestError) {
    guard !database.waking.isEmpty else { return }
    let refused = database.waking.removeFirst()
    // Before the refused one is told, because it may ask again at once.
    wakeForFirst(database)
    refused.woken(error)
  }

  // MARK: - A database is closed under its sessions

  /// The readers of that database close when `remains` does. Returns the setups for which the loop has it, too.
  func detach(named name: String) -> (setups: [DatabaseSetup], remains: DatabaseRemains) {
    let concerned = databases.values.filter { $0.key.name == name }
    return (concerned.map(\.key.setup), DatabaseRemains(nil, concerned.map { $0.detach() }))
  }

  /// The sessions of that name and setup go on with the database that was opened anew. Its reader is opened when one of
  /// them reads, because that may wait for a lock, and the loop may not.
  func reattach(_ database: Database) {
    guard let open = databases[LoopDatabase.Key(name: database.name, setup: database.setup)] else { return }
    open.reattach(database, reader: nil)
    open.lacksReaderSince = ServerClock.now
  }

  /// The database is dropped or renamed: its readers close, and nobody gets it any more.
  func remove(named name: String) {
    for (key, database) in databases where key.name == name {
      _ = database.detach()
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
