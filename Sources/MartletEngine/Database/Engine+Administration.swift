import Foundation
package import MartletValues

/// The databases of the directory as a whole: what there is, and making, renaming and dropping them.
///
/// Always true: nobody has a database open while its files change their names or go; what was acknowledged before is
/// under the new name, whenever the process or the machine stops; a name that is taken is never overwritten.
extension Engine {
  /// The databases whose names come after `name`, at most `limit`, if `isListed` is true for them; who has them open is
  /// not known here.
  package func databases(
    after name: String, limit: Int, where isListed: (String) -> Bool = { _ in true }
  ) throws(RequestError) -> DatabaseList {
    guard let directory = directoryPath else { throw .shuttingDown }
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw .directoryUnreadable
    }
    let names = files.compactMap { file -> String? in
      guard file.hasSuffix(Self.suffix) else { return nil }
      let found = String(file.dropLast(Self.suffix.count))
      return DatabaseName.isValid(found) && found > name && isListed(found) ? found : nil
    }.sorted()
    let states = monitor.withLock { state in
      names.prefix(limit).map { name -> DatabaseList.State in
        switch state.entries[name] {
        case .open(let database): database.writer.isFenced ? .fenced : .open
        case .barred: .fenced
        case .opening, .closing, nil: .closed
        }
      }
    }
    let entries = zip(names, states).compactMap { name, state -> DatabaseList.Entry? in
      let path = DatabaseName.path(of: name, in: directory)
      guard let status = try? FileStatus.look(at: path), status.kind == .file else { return nil }
      let logPath = path + FileExpectation.Part.log.rawValue
      let log = try? FileStatus.look(at: logPath)
      // What was written last stands in the log only, and goes into the file later.
      let bytes = max(status.bytes, LogTail.databaseBytes(logAt: logPath) ?? 0)
      return DatabaseList.Entry(
        name: name, state: state, bytes: UInt64(clamping: bytes), logBytes: UInt64(clamping: log?.bytes ?? 0))
    }
    return DatabaseList(entries: entries, hasMore: names.count > limit && !entries.isEmpty)
  }

  private static let suffix = ".sqlite"

  /// Makes an empty database, which counts as one of the subject's. Throws ALREADY_EXISTS if there is one of that name.
  package func createDatabase(named name: String, subject: Subject = .program) throws(RequestError) {
    try reserve(name, as: .opening)
    try open(name, create: true, subject: subject).leases.giveBack()
  }

  /// Takes a name that no database has. Throws if there is one, or if something of a former one is left.
  private func reserve(_ name: String, as entry: EngineState.Entry) throws(RequestError) {
    guard DatabaseName.isValid(name) else { throw .databaseNameInvalid }
    let refusal: RequestError? = monitor.wait { state in
      if state.isShutDown { return .found(.shuttingDown) }
      switch state.entries[name] {
      case .opening, .closing: return .wait(nanoseconds: nil)
      case .open, .barred: return .found(.databaseExists(name))
      case nil:
        state.entries[name] = entry
        return .found(nil)
      }
    }
    if let refusal { throw refusal }
    do throws(RequestError) {
      guard let directory = monitor.withLock({ $0.directory }) else { throw .shuttingDown }
      let path = DatabaseName.path(of: name, in: directory.path)
      for part in FileExpectation.Part.allCases where (try? FileStatus.look(at: path + part.rawValue)) != .some(nil) {
        throw part == .database ? .databaseExists(name) : .leftover("\(name)\(Self.suffix)\(part.rawValue)")
      }
    } catch {
      monitor.change { $0.entries[name] = nil }
      throw error
    }
  }

  // MARK: - What needs it closed

  /// Removes a database for good. `endSessions` is called when nobody new gets it any more: it makes everybody let go;
  /// if it is nil and somebody has the database, throws FAILED_PRECONDITION. Blocks.
  package func dropDatabase(named name: String, endSessions: (() -> Void)?) throws(RequestError) {
    try withClosed(name, endSessions: endSessions) { directory throws(RequestError) in
      let files = try DatabaseFiles(name: name, in: directory, create: false)
      defer { files.release() }
      try files.checkNobodyElse()
      // The database's file first: a log without it is no database, while a database without its log lacks rows.
      try files.remove([.database])
      try directory.sync()
      try files.remove([.log, .shared, .journal])
      try files.removeLockFile()
      try directory.sync()
    }
    configuration.report(EngineNotice(.notice, database: name, "The database was dropped"))
  }

  /// Gives a database another name. `endSessions` as in `dropDatabase`. Blocks.
  package func renameDatabase(
    named name: String, to newName: String, endSessions: (() -> Void)?
  ) throws(RequestError) {
    guard name != newName else { throw .databaseExists(newName) }
    // Reserved before anybody is made to let go, so that a name that is taken ends no session.
    try reserve(newName, as: .closing)
    defer { monitor.change { $0.entries[newName] = nil } }
    try withClosed(name, endSessions: endSessions) { directory throws(RequestError) in
      let files = try DatabaseFiles(name: name, in: directory, create: false)
      defer { files.release() }
      try files.checkNobodyElse()
      // Two files cannot change their names in one step, so everything has to be in one of them.
      try files.recover(limits: configuration.limits, clock: configuration.clock)
      try files.checkLogIsEmpty()
      try files.remove([.log, .shared])
      let newPath = DatabaseName.path(of: newName, in: directory.path)
      try files.carrySequence(to: newPath)
      try files.rename(to: newPath, newName)
      try directory.sync()
      try files.removeLockFile()
    }
    configuration.report(EngineNotice(.notice, database: name, "The database is called \(newName) now"))
  }

  /// Closes the database, and keeps everybody from it while `body` runs.
  private func withClosed(
    _ name: String, endSessions: (() -> Void)?, _ body: (DataDirectory) throws(RequestError) -> Void
  ) throws(RequestError) {
    guard DatabaseName.isValid(name) else { throw .databaseNameInvalid }
    let database = try take(name, evenIfUsed: endSessions != nil)
    defer { monitor.change { $0.entries[name] = nil } }
    database?.leave()
    // Also for sessions that have the database and do not use it.
    endSessions?()
    if let database {
      waitUntilFree(database)
      database.close()
      monitor.change { $0.retired.retire(database.counters()) }
    }
    guard let directory = monitor.withLock({ $0.directory }) else { throw .shuttingDown }
    guard DatabaseFiles.isThere(name, in: directory) else { throw .databaseUnknown(name) }
    try body(directory)
  }

  /// Marks the name as closing and returns the open database, nil if it is not open. Connections that have just ended
  /// let go a moment later, so it waits for up to a second.
  private func take(_ name: String, evenIfUsed: Bool) throws(RequestError) -> DatabaseFile? {
    for attempt in 0...EngineLimits.takeAttemptsMax {
      let taken: Result<DatabaseFile?, RequestError> = monitor.wait { state in
        if state.isShutDown { return .found(.failure(.shuttingDown)) }
        switch state.entries[name] {
        case .opening, .closing: return .wait(nanoseconds: nil)
        case .open, .barred, nil: break
        }
        if !evenIfUsed, state.isInUse(name) { return .found(.failure(.databaseInUse(name))) }
        defer { state.entries[name] = .closing }
        guard case .open(let database) = state.entries[name] else { return .found(.success(nil)) }
        return .found(.success(database))
      }
      if case .failure(let error) = taken, error.reason == .notAllowed, attempt < EngineLimits.takeAttemptsMax {
        usleep(EngineLimits.takePauseMicroseconds)
        continue
      }
      return try taken.get()
    }
    throw .databaseInUse(name)
  }

  /// A holder that was made to let go closes its connections a moment later, on another thread. A connection that is
  /// still open to read would share what SQLite keeps beside the file, under the former name, with the next opening,
  /// and that is refused then. Waits for a second at most.
  private func waitUntilFree(_ database: DatabaseFile) {
    for _ in 0..<EngineLimits.freeAttemptsMax {
      if monitor.withLock({ _ in database.leases.isFree }) { return }
      usleep(EngineLimits.freePauseMicroseconds)
    }
  }
}
