import MartletSQLite
package import MartletValues
import Synchronization

/// All databases of one data directory, opened on demand and closed when idle.
///
/// Always true: no other engine, in this process or another, has the same directory open; a database is open once, and
/// never while another thread still closes it.
package final class Engine: Sendable {
  package let configuration: EngineConfiguration

  let monitor: Monitor<EngineState>
  /// What the databases' readers run on.
  private let workers: WorkerThreads
  private let planner: Planner
  /// For the setups of all databases.
  private let setupRoom: SetupRoom
  private let tick: EngineTick
  private let ticker: Ticker

  /// Takes the directory's lock file. Throws if another server holds it, or the directory cannot be used, or the
  /// limits contradict each other, or SQLite lacks something.
  package init(configuration: EngineConfiguration) throws(RequestError) {
    if let contradiction = configuration.limits.check() {
      throw .limitsContradict(contradiction)
    }
    if let missing = SQLiteLibrary.missingFeature() {
      throw .libraryUnfit(missing)
    }
    if configuration.key != nil, !SQLiteLibrary.hasKeys {
      throw .keysMissing
    }
    if configuration.mayCreateDirectory { try DataDirectory.make(configuration.directory) }
    let configuration = configuration.withLimitsOfItsOwn
    self.configuration = configuration
    var state = EngineState()
    state.directory = try DataDirectory(configuration.directory, key: configuration.key)
    let monitor = Monitor(state)
    self.monitor = monitor
    workers = WorkerThreads(
      count: configuration.limits.readerThreads, heavyMax: configuration.limits.heavyReadsMax, label: "martlet-r",
      copiesBytesMax: configuration.limits.streamCopiesBytesMax)
    planner = Planner(queueMax: configuration.limits.planQueueMax)
    let setupRoom = SetupRoom(budgetBytes: configuration.limits.memoryBudgetBytes)
    self.setupRoom = setupRoom
    setupRoom.whenFull {
      EngineTick.closeIdleSetups(
        of: monitor.withLock { $0.open }, now: configuration.clock(), idleMs: 0, keptBytes: 0)
    }
    let tick = EngineTick(monitor, configuration: configuration, workers: workers, setupRoom: setupRoom)
    self.tick = tick
    ticker = Ticker(everyMs: EngineLimits.tickMs, name: "martlet-tick") { tick.look() }
  }

  deinit { shutdown() }

  /// Takes other limits of time. They hold for requests and transactions that begin from now on.
  package func take(_ limits: ServingLimits) { configuration.limitsInForce.replace(with: limits) }

  /// Somebody waits for memory or was refused some, so what is kept for those who may come back goes soon.
  package func memoryIsShort() { tick.memoryIsShort() }

  /// The data directory without links, for as long as the engine has it.
  var directoryPath: String? { monitor.withLock { $0.directory?.path } }

  // MARK: - Databases

  /// The open database of that name (`[A-Za-z0-9_-]{1,64}`), opened if need be, made if `create` says so.
  /// Whatever is started on it runs on connections that are prepared with `setup`.
  ///
  /// Throws UNKNOWN_DATABASE if there is none, PERMISSION if the subject may not make one or not have the setup,
  /// LIMIT if too many databases or setups are in use or there is no room for another one, SHUTTING_DOWN after
  /// `shutdown`, and what is wrong with the setup, with its place in the path.
  package func database(
    named name: String, create: Bool, setup: DatabaseSetup = .empty, subject: Subject = .program
  ) throws(RequestError) -> Database {
    let file = try leasedFile(named: name, create: create, subject: subject)
    defer { file.leases.giveBack() }
    return try file.database(for: setup, subject: subject)
  }

  /// The file with a lease, which the caller gives back.
  func leasedFile(named name: String, create: Bool, subject: Subject) throws(RequestError) -> DatabaseFile {
    guard DatabaseName.isValid(name) else { throw .databaseNameInvalid }
    let clock = configuration.clock
    let arrival: EngineState.Arrival = monitor.wait { state in
      let arrival = state.arrived(for: name, at: clock())
      if case .wait = arrival { return .wait(nanoseconds: nil) }
      return .found(arrival)
    }
    switch arrival {
    case .found(let database):
      database.noteUse()
      return database
    case .refused(let error): throw error
    case .mustOpen, .wait: return try open(name, create: create, subject: subject)
    case .refusedForNow(let error):
      monitor.withLock { $0.retry }?(name)
      throw error
    }
  }

  /// The file with a lease. The entry of `name` is marked as being opened by this thread.
  func open(_ name: String, create: Bool, subject: Subject) throws(RequestError) -> DatabaseFile {
    do throws(RequestError) {
      guard let directory = monitor.withLock({ $0.directory }) else { throw .shuttingDown }
      let isThere = DatabaseFiles.isThere(name, in: directory)
      guard isThere || create else { throw .databaseUnknown(name) }
      if !isThere {
        try subject.check(.create)
        try checkRoom(in: directory)
      }
      try makeRoom(for: subject)
      let database = try makeFile(
        name, in: directory, create: create, owner: subject.origin == .program ? nil : subject.share)
      let isInTime = monitor.change { state in
        database.leases.take()
        return state.opened(database)
      }
      if isInTime { return database }
      database.close()
      throw .shuttingDown
    } catch {
      monitor.change { $0.openingFailed(name) }
      throw error
    }
  }

  /// Locks and opens the files.
  private func makeFile(
    _ name: String, in directory: DataDirectory, create: Bool, owner: UInt64?
  ) throws(RequestError) -> DatabaseFile {
    let files = try DatabaseFiles(name: name, in: directory, create: create)
    if let notice = files.foreignProcessNotice() { configuration.report(notice) }
    if files.mode & 0o077 != 0 {
      configuration.report(
        EngineNotice(.notice, database: name, "Other users may have rights on the file: chmod 600 takes them away"))
    }
    let database: DatabaseFile
    do throws(RequestError) {
      database = try DatabaseFile(
        files: files, configuration: configuration, workers: workers, planner: planner, setupRoom: setupRoom,
        owner: owner)
    } catch {
      files.discard()
      throw error
    }
    do throws(RequestError) {
      if files.isNew { try directory.sync() }
    } catch {
      // Its thread would have it for ever.
      database.close()
      throw error
    }
    return database
  }

  // MARK: - Ends

  /// Closes the one of `databases` that has been without a holder for longest. False if each has a holder.
  func closeOneIdle(among databases: [DatabaseFile]) -> Bool {
    Self.closeOneIdle(monitor, configuration, unusedFor: 0) { candidate in databases.contains { $0 === candidate } }
  }

  /// Closes the one of those that nobody has, and that nobody has used for `ms`, that has been without a holder for
  /// longest. The owner of an inline reader has the database too. False if there is none.
  static func closeOneIdle(
    _ monitor: Monitor<EngineState>, _ configuration: EngineConfiguration, unusedFor ms: Int,
    where isConcerned: (DatabaseFile) -> Bool = { _ in true }
  ) -> Bool {
    let now = configuration.clock()
    let chosen = monitor.change { $0.chooseIdle(now, unusedFor: ms, where: isConcerned) }
    guard let chosen else { return false }
    close(chosen, monitor)
    return true
  }

  private static func close(_ database: DatabaseFile, _ monitor: Monitor<EngineState>) {
    database.close()
    monitor.change { $0.closed(database) }
  }

  /// Lets the writers finish what they have taken, then closes everything: readers first, the writer last. Interactive
  /// transactions are rolled back. Returns when the directory is free for another server.
  /// - Parameter logsDue: the logs of databases that were not open go into their files, too, none later than this. Nil:
  ///   they stay as they are.
  package func shutdown(copyingLogsUntil logsDue: MonotonicTime? = nil) {
    let (barred, open) = monitor.change { ($0.barred, $0.shutDown()) }
    for database in open { Self.close(database, monitor) }
    monitor.wait { $0.entries.isEmpty ? .found(()) : .wait(nanoseconds: nil) }
    ticker.stop()
    if let logsDue, let directory = monitor.withLock({ $0.directory }) {
      copyLogs(in: directory, until: logsDue, fenced: barred.union(open.filter { $0.writer.isFenced }.map(\.name)))
    }
    let isLast = monitor.change { state in
      defer { state.directory = nil }
      state.directory?.release()
      return state.directory != nil
    }
    if isLast {
      planner.stop()
      workers.stop()
    }
  }

  // MARK: - What does not come back

  /// Statements that run on although their deadlines have passed by `ms`, with a number for each, which stays the same
  /// while it runs. Reads among them are interrupted, because some long steps of SQLite see that and not the deadline.
  package func overdueStatements(byMs ms: Int) -> [(id: UInt64, statement: OverdueStatement)] {
    let open = monitor.withLock { state in
      state.entries.compactMap { name, entry in
        if case .open(let database) = entry {
          OverdueLook.Open(name: name, parts: database.parts, watch: database.writer.counters.watch)
        } else {
          nil
        }
      }
    }
    return OverdueLook(databases: open, workers: workers, now: configuration.clock()).statements(byMs: ms)
  }

  /// The statement of a shape as others than its client may see it; nil if no open database knows it.
  package func shown(_ shape: ShapeID) -> ExplainedStatement? {
    let plans = monitor.withLock { state in
      state.entries.values.compactMap { if case .open(let database) = $0 { database.parts.plans } else { nil } }
    }
    return plans.lazy.compactMap { $0.shown(shape) }.first
  }

  /// Ends the running reads by SQLite's own means, for when their limits did not end them.
  package func interruptReads() {
    let scopes = monitor.withLock { state in
      state.entries.values.compactMap { if case .open(let database) = $0 { database.scopes } else { nil } }
    }
    for pool in scopes.flatMap(\.pools) { pool.interrupt() }
  }

  // MARK: - Opening anew

  /// The database was opened anew since somebody asked for it in vain.
  func takesRecovery(of name: String) -> Bool { monitor.withLock { $0.takeRecovery(of: name) } }

  func fencedFile(named name: String) throws(RequestError) -> DatabaseFile {
    let entry = monitor.withLock { $0.entries[name] }
    switch entry {
    case .open(let database) where database.writer.isFenced: return database
    case .barred(_, let database, _): return database
    default: throw .notFenced(name)
    }
  }

  /// The directory at the engine's path: the one that the engine has or, if that has gone for good, the one that took
  /// its place, which is locked now. Databases that are still open in the former one stay as they are.
  func presentDirectory(for database: String) throws(RequestError) -> DataDirectory {
    guard let known = monitor.withLock({ $0.directory }) else { throw .shuttingDown }
    if known.isThere { return known }
    let present: DataDirectory
    do throws(RequestError) {
      present = try DataDirectory(known.path, key: known.key)
    } catch {
      throw FileFault(.directoryGone, of: "").stillThere(database: database)
    }
    return monitor.change { state in
      if let other = state.directory, other !== known { return other }
      state.directory = present
      return present
    }
  }

  /// Closes a fenced database, makes what its log holds durable, and opens it.
  func reopen(_ name: String, former: DatabaseFile, in directory: DataDirectory) throws(RequestError) {
    let isTaken = monitor.change { $0.takenForReopening(former) }
    guard isTaken else { throw .maintenanceBusy }
    former.close()
    do throws(RequestError) {
      let files = try DatabaseFiles(name: name, in: directory, create: false)
      try files.recover(limits: configuration.limits, clock: configuration.clock)
      let database = try DatabaseFile(
        files: files, configuration: configuration, workers: workers, planner: planner, setupRoom: setupRoom,
        owner: former.owner)
      let isInTime = monitor.change { $0.reopened(database, former: former) }
      if !isInTime { database.close() }
    } catch {
      let now = configuration.clock()
      monitor.change { $0.reopeningFailed(error, former: former, at: now) }
      throw error
    }
  }

  // MARK: - Numbers

  /// Named totals since the start, and gauges; the names are stable.
  package func counters() -> [(name: String, value: Int64)] {
    // Summed up without the lock, because threads that open a database wait for it.
    var (sum, open) = monitor.withLock { ($0.retired, $0.open) }
    for database in open { sum.add(database.counters()) }
    return sum.list
  }

  /// The shapes that took the most time, at most `limit`.
  package func shapes(limit: Int) -> [ShapeStatistics] {
    if limit <= 0 { return [] }
    let all = monitor.withLock { $0.open }.flatMap { $0.shapes() }
    return Array(all.sorted { $0.microseconds > $1.microseconds }.prefix(max(0, limit)))
  }

  /// What a server should log when it starts: a sentence each, and whether it is a warning.
  package static var startupNotes: [(isWarning: Bool, text: String)] {
    var notes = [(isWarning: false, text: "SQLite \(SQLiteLibrary.versionText)")]
    if !SQLiteLibrary.isTuned {
      notes.append((isWarning: true, text: "SQLite was started before its settings were made; it will be slower."))
    }
    return notes
  }
}
