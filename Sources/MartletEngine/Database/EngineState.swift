import MartletValues

/// Which databases of an engine are open, opening or closing. Used with the engine's lock held.
///
/// Always true: a name has one entry; a thread marks a database before it opens or closes it, and takes the mark away
/// when that is done; nothing is opened after the shutdown.
struct EngineState {
  enum Entry {
    case opening
    case open(DatabaseFile)
    case closing
    /// The database was fenced and closed, and could not be opened anew: the error for everybody, the former file, and
    /// when that was.
    case barred(RequestError, DatabaseFile, at: MonotonicTime)
  }

  /// What a thread that wants a database finds.
  enum Arrival {
    /// The database is open, with a lease for the caller.
    case found(DatabaseFile)
    /// Another thread opens or closes the database.
    case wait
    case refused(RequestError)
    /// The database is marked as being opened, and the caller has to open it.
    case mustOpen
    /// The same, and somebody has to try once more to open it anew, because the cause may be gone by now.
    case refusedForNow(RequestError)
  }

  var entries: [String: Entry] = [:]
  var retired = CounterSum()
  private(set) var isShutDown = false
  var directory: DataDirectory?
  /// How many sessions have a database of that name and do not use it.
  var naps: [String: Int] = [:]
  /// Databases that were opened anew for somebody who came, after the one who had asked for it was told that it failed.
  private var recovered: Set<String> = []
  var letGo: (@Sendable (_ names: [String]) -> Bool)?
  var retry: (@Sendable (_ name: String) -> Void)?

  var open: [DatabaseFile] {
    entries.values.compactMap { if case .open(let database) = $0 { database } else { nil } }
  }

  /// The names of those that could not be opened anew.
  var barred: Set<String> { Set(entries.compactMap { if case .barred = $1 { $0 } else { nil } }) }

  /// Whether somebody has the database, or takes it again when it is used.
  func isInUse(_ name: String) -> Bool {
    if naps[name] != nil { return true }
    if case .open(let database) = entries[name] { return !database.leases.isFree }
    return false
  }

  // MARK: Opening

  mutating func arrived(for name: String, at now: MonotonicTime) -> Arrival {
    if isShutDown { return .refused(.shuttingDown) }
    switch entries[name] {
    case .open(let database):
      database.leases.take()
      return .found(database)
    case .opening, .closing: return .wait
    case .barred(let error, let former, let moment):
      guard now >= moment.advanced(milliseconds: EngineLimits.reopeningRetryMs) else { return .refused(error) }
      entries[name] = .barred(error, former, at: now)
      return .refusedForNow(error)
    case nil:
      entries[name] = .opening
      return .mustOpen
    }
  }

  /// The database has been opened. False if that is too late, and the caller has to close it.
  mutating func opened(_ database: DatabaseFile) -> Bool {
    entries[database.name] = isShutDown ? nil : .open(database)
    return !isShutDown
  }

  mutating func openingFailed(_ name: String) {
    if case .opening = entries[name] { entries[name] = nil }
  }

  // MARK: Closing

  /// Marks as closing the database that has been without a holder for longest, and returns it; nil if none has been for
  /// `ms` milliseconds.
  mutating func chooseIdle(
    _ now: MonotonicTime, unusedFor ms: Int, where isConcerned: (DatabaseFile) -> Bool
  ) -> DatabaseFile? {
    let candidates = open.filter { database in
      database.leases.isFree && database.idleSince.advanced(milliseconds: ms) <= now && isConcerned(database)
        // A fenced one is left open: it would otherwise be opened again without anybody having looked at it.
        && !database.writer.isFenced
    }
    let chosen = candidates.min { $0.idleSince < $1.idleSince }
    if let chosen { entries[chosen.name] = .closing }
    return chosen
  }

  mutating func closed(_ database: DatabaseFile) {
    retired.retire(database.counters())
    entries[database.name] = nil
  }

  /// Nothing is opened any more: marks all as closing, and returns them.
  mutating func shutDown() -> [DatabaseFile] {
    isShutDown = true
    var open: [DatabaseFile] = []
    for (name, entry) in entries {
      if case .barred = entry { entries[name] = nil }
      guard case .open(let database) = entry else { continue }
      open.append(database)
      entries[name] = .closing
    }
    return open
  }

  // MARK: Opening anew

  /// Marks a fenced database as closing, so that the caller can open it anew. False if another thread was faster.
  mutating func takenForReopening(_ former: DatabaseFile) -> Bool {
    switch entries[former.name] {
    case .open(let database) where database === former: break
    case .barred(_, let database, _) where database === former: break
    default: return false
    }
    entries[former.name] = .closing
    return true
  }

  /// As `opened`, for a database that was opened in the place of `former`, which is closed.
  mutating func reopened(_ database: DatabaseFile, former: DatabaseFile) -> Bool {
    retired.retire(former.counters())
    return opened(database)
  }

  mutating func reopeningFailed(_ error: RequestError, former: DatabaseFile, at now: MonotonicTime) {
    entries[former.name] = isShutDown ? nil : .barred(error, former, at: now)
  }

  /// Another attempt at a barred database has failed.
  mutating func postponed(_ name: String, _ error: RequestError, at now: MonotonicTime) {
    if case .barred(_, let former, _) = entries[name] { entries[name] = .barred(error, former, at: now) }
  }

  /// The database was opened anew for somebody who came.
  mutating func recovered(_ name: String) { if case .open = entries[name] { recovered.insert(name) } }

  /// Whether that is so, and nobody was told so far who asked for it.
  mutating func takeRecovery(of name: String) -> Bool {
    guard recovered.remove(name) != nil, case .open(let database) = entries[name] else { return false }
    return !database.writer.isFenced
  }
}
