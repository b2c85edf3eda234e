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
    let names = try Self.names(in: directory).filter { $0 > name && isListed($0) }.sorted()
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

  static func names(in directory: String) throws(RequestError) -> [String] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw .directoryUnreadable
    }
    return files.compactMap { file in
      guard file.hasSuffix(Self.suffix) else { return nil }
      let name = String(file.dropLast(Self.suffix.count))
      return DatabaseName.isValid(name) ? name : nil
    }
  }

  /// The files of the directory that nobody can open as databases, because no database can have such a name; hidden
  /// ones are not meant to be any.
  package var unservableFiles: [String] {
    guard let directory = directoryPath,
      let files = try? FileManager.default.contentsOfDirectory(atPath: directory)
    else { return [] }
    return files.filter { file in
      file.hasSuffix(Self.suffix) && !file.hasPrefix(".")
        && !DatabaseName.isValid(String(file.dropLast(Self.suffix.count)))
    }.sorted()
  }

  /// Throws LIMIT if there is no room for another database. Several threads may make the last one at a time, so there
  /// may be a few more.
  func checkRoom(in directory: DataDirectory) throws(RequestError) {
    let limits = configuration.limits
    guard TemporaryFileRoom.freeBytes(of: directory.path) >= UInt64(max(0, limits.diskFreeBytesMin)) else {
      throw .diskTooFullForDatabase
    }
    guard try Self.names(in: directory.path).count < limits.databasesInDirectoryMax else {
      throw .directoryFull(limits.databasesInDirectoryMax)
    }
  }

  /// Makes an empty database, which counts as one of the subject's. Throws ALREADY_EXISTS if there is one of that name.
  package func createDatabase(named name: String, subject: Subject = .program) throws(RequestError) {
    try reserve(name)
    let database = try open(name, create: true, subject: subject)
    // Who asked for it tells of it.
    _ = database.takeNews()
    database.leases.giveBack()
  }

  /// Takes a name that no database has. Throws if there is one, or if something of a former one is left.
  private func reserve(_ name: String) throws(RequestError) {
    guard DatabaseName.isValid(name) else { throw .databaseNameInvalid }
    let refusal: RequestError? = monitor.wait { state in
      if state.isShutDown { return .found(.shuttingDown) }
      switch state.entries[name] {
      case .opening, .closing: return .wait(nanoseconds: nil)
      case .open, .barred: return .found(.databaseExists(name))
      case nil:
        state.entries[name] = .opening
        return .found(nil)
      }
    }
    if let refusal { throw refusal }
    do throws(RequestError) { try checkNothingIsLeft(of: name) } catch {
      monitor.change { $0.entries[name] = nil }
      throw error
    }
  }

  private func checkNothingIsLeft(of name: String) throws(RequestError) {
    guard let directory = monitor.withLock({ $0.directory }) else { throw .shuttingDown }
    let path = DatabaseName.path(of: name, in: directory.path)
    for part in FileExpectation.Part.allCases where (try? FileStatus.look(at: path + part.rawValue)) != .some(nil) {
      throw part == .database ? .databaseExists(name) : .leftover("\(name)\(Self.suffix)\(part.rawValue)")
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
    guard DatabaseName.isValid(newName) else { throw .databaseNameInvalid }
    try withClosed(name, reserving: newName, endSessions: endSessions) { directory throws(RequestError) in
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

  /// Closes the database, and keeps everybody from it, and from the name that it is to have, while `body` runs.
  private func withClosed(
    _ name: String, reserving newName: String? = nil, endSessions: (() -> Void)?,
    _ body: (DataDirectory) throws(RequestError) -> Void
  ) throws(RequestError) {
    guard DatabaseName.isValid(name) else { throw .databaseNameInvalid }
    let former = try take(name, reserving: newName, evenIfUsed: endSessions != nil)
    if let newName {
      // Before anybody is made to let go, so that a name that is taken ends no session.
      do throws(RequestError) { try checkNothingIsLeft(of: newName) } catch {
        monitor.change { state in
          state.entries[name] = former
          state.entries[newName] = nil
        }
        throw error
      }
    }
    defer {
      monitor.change { state in
        for name in [name, newName].compactMap({ $0 }) { state.entries[name] = nil }
      }
    }
    let database: DatabaseFile? = if case .open(let database) = former { database } else { nil }
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

  /// Marks the names as closing and returns what was known of the first. Connections that have just ended let go a
  /// moment later, so it waits for up to a second. Both names are taken at once: who held one and waited for the other
  /// would wait for ever beside somebody who does so the other way round.
  private func take(
    _ name: String, reserving newName: String?, evenIfUsed: Bool
  ) throws(RequestError) -> EngineState.Entry? {
    for attempt in 0...EngineLimits.takeAttemptsMax {
      let taken: Result<EngineState.Entry?, RequestError> = monitor.wait { state in
        if state.isShutDown { return .found(.failure(.shuttingDown)) }
        for name in [name, newName].compactMap({ $0 }) {
          switch state.entries[name] {
          case .opening, .closing: return .wait(nanoseconds: nil)
          case .open, .barred, nil: break
          }
        }
        if let newName, state.entries[newName] != nil { return .found(.failure(.databaseExists(newName))) }
        if !evenIfUsed, state.isInUse(name) { return .found(.failure(.databaseInUse(name))) }
        defer {
          state.entries[name] = .closing
          if let newName { state.entries[newName] = .closing }
        }
        return .found(.success(state.entries[name]))
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
