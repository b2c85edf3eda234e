import Foundation
import MartletSQLite
import MartletValues
import Synchronization

/// The files of one open database: holds their locks, opens connections to them, and notices when they go.
///
/// Always true: a connection that `open` returned is one to the file that is locked; once a fault was found it stays.
/// What the file's bytes are expected to be is changed on the writer's thread only, and looked at there.
// Unchecked because the descriptor of the lock file is written once, and closed with the object.
final class DatabaseFiles: @unchecked Sendable {
  let name: String
  let directory: DataDirectory
  let path: String
  /// The file did not exist and was made.
  let isNew: Bool
  /// Another process had the file open with SQLite when it was opened here.
  let foreignProcess: Int32?

  /// The file's permissions, as they were when it was opened.
  let mode: UInt32

  private let databaseName: String
  private let logName: String
  private let sharedName: String
  private let lookedAt = Atomic<UInt64>(0)
  /// The process that was last reported; -1: none.
  let toldProcess = Atomic<Int32>(-1)
  let lockDescriptor: Int32
  let inode: InodeLock
  private let expectation = Mutex(FileExpectation())
  private let found = Mutex<FileFault?>(nil)
  private let hasFault = Atomic<Bool>(false)

  /// Checks and locks the files; makes an empty one for its owner alone if there is none and `create` says so.
  init(name: String, in directory: DataDirectory, create: Bool) throws(RequestError) {
    self.name = name
    self.directory = directory
    path = DatabaseName.path(of: name, in: directory.path)
    databaseName = Self.fileName(.database, at: path)
    logName = Self.fileName(.log, at: path)
    sharedName = Self.fileName(.shared, at: path)
    guard directory.isThere else {
      throw FileFault(.directoryGone, of: "").refusal(database: name)
    }
    do throws(FileFault) {
      isNew = try Self.look(.database, at: path) == nil
      guard !isNew || create else { throw FileFault(.missing, of: "") }
      for part in [FileExpectation.Part.log, .shared, .journal] { _ = try Self.look(part, at: path) }
    } catch {
      throw Self.refusal(error, name: name)
    }
    // Before the file is made: who cannot be given the lock leaves nothing behind.
    lockDescriptor = try Self.lock(path: path, name: name)
    let status: FileStatus
    do throws(RequestError) {
      (status, inode) = try Self.lockedFile(path, name: name, isNew: isNew)
    } catch {
      Foundation.close(lockDescriptor)
      throw error
    }
    mode = status.mode
    foreignProcess = inode.foreignProcess()
    expectation.withLock { $0.identities[.database] = status.identity }
  }

  deinit { Foundation.close(lockDescriptor) }

  static func isThere(_ name: String, in directory: DataDirectory) -> Bool {
    // If the system does not say whether the file is there, opening it reports why.
    do throws(SystemFailure) {
      return try FileStatus.look(at: DatabaseName.path(of: name, in: directory.path)) != nil
    } catch { return true }
  }

  /// Lets another server have the file. Connections that are still open, to read, keep SQLite's locks.
  func release() {
    flock(lockDescriptor, LOCK_UN)
    inode.release()
  }

  // MARK: - Opening

  private static func look(_ part: FileExpectation.Part, at path: String) throws(FileFault) -> FileStatus? {
    let file = fileName(part, at: path)
    let status: FileStatus?
    do throws(SystemFailure) {
      status = try FileStatus.look(at: path + part.rawValue)
    } catch {
      throw FileFault(.unreadable(error), of: file)
    }
    if let fault = FileExpectation.openingFault(status, named: file) { throw fault }
    return status
  }

  private static func fileName(_ part: FileExpectation.Part, at path: String) -> String {
    PathParts.name(of: path) + part.rawValue
  }

  private static func refusal(_ fault: FileFault, name: String) -> RequestError {
    fault == FileFault(.missing, of: "") ? .databaseUnknown(name) : fault.refusal(database: name)
  }

  /// The database's file, which is made if it is new, and the lock on it. A file that was made and cannot be locked
  /// goes again; one that somebody else made meanwhile stays.
  private static func lockedFile(
    _ path: String, name: String, isNew: Bool
  ) throws(RequestError) -> (FileStatus, InodeLock) {
    let status: FileStatus
    do throws(FileFault) {
      if isNew { try make(path) }
      guard let made = try look(.database, at: path) else { throw FileFault(.missing, of: "") }
      status = made
    } catch {
      throw refusal(error, name: name)
    }
    do throws(InodeLock.Failure) {
      return (status, try InodeLock.acquire(path: path, identity: status.identity, mode: .exclusive))
    } catch {
      if isNew { removeEmpty(path, status.identity) }
      throw lockRefusal(error, name: name, path: path)
    }
  }

  /// SQLite gives the log and the shared file the mode of the database's file.
  private static func make(_ path: String) throws(FileFault) {
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FileFault(.unreadable(SystemFailure(code: errno)), of: fileName(.database, at: path))
    }
    // Nobody of this process has a lock on a file that did not exist.
    Foundation.close(descriptor)
  }

  private static func lock(path: String, name: String) throws(RequestError) -> Int32 {
    do throws(SystemFailure) {
      return try DataDirectory.lockFile(path + "-lock")
    } catch {
      if error.code == EWOULDBLOCK { throw lockRefusal(.held, name: name, path: path) }
      throw FileFault(.unreadable(error), of: PathParts.name(of: path) + "-lock")
        .refusal(database: name)
    }
  }

  private static func lockRefusal(_ failure: InodeLock.Failure, name: String, path: String) -> RequestError {
    switch failure {
    case .held:
      .databaseHeldElsewhere(name)
    case .otherFile: FileFault(.replaced, of: fileName(.database, at: path)).refusal(database: name)
    case .system(let failure):
      FileFault(.unreadable(failure), of: fileName(.database, at: path)).refusal(database: name)
    }
  }

  /// Asked by a connection that has just opened the path to write, before it reads: is it the file that is locked, with
  /// its own log beside it? The connection will open the log by its name.
  func confirm(_ connection: Connection) throws(SQLiteError) {
    try confirm(connection) { lookAt([.database, .log]) }
  }

  /// The same for a connection that reads only, which does not mind what would harm writes alone.
  func confirmReading(_ connection: Connection) throws(SQLiteError) { try confirm(connection) { readingFault } }

  private func confirm(_ connection: Connection, _ look: () -> FileFault?) throws(SQLiteError) {
    // Asked before and after the look, so that a file that was there only at the moment of the opening is not taken.
    let wasMoved = connection.hasMoved
    if let fault = look() { throw Self.moved(fault) }
    if wasMoved || connection.hasMoved { throw Self.moved(FileFault(.replaced, of: file(.database))) }
  }

  /// Why a connection that is opened now could not read what was last acknowledged; nil if it can.
  private var readingFault: FileFault? {
    guard directory.isThere else { return FileFault(.directoryGone, of: "") }
    return lookAt([.database, .log]) { $0.readingFault(of: $1, $2, named: $3) }
  }

  private static func moved(_ fault: FileFault) -> SQLiteError {
    SQLiteError(extendedCode: SQLiteCode.cannotOpen, message: fault.words)
  }

  /// What to tell a client who writes about an error of SQLite: that the files have gone, if they have.
  func explained(_ error: SQLiteError) -> RequestError {
    if let fault = fault ?? lookAt([.database, .log, .shared]) { return fault.fencedError(database: name) }
    return RequestError(error)
  }

  /// The same for whoever opened a connection to read: a fault that harms writes alone is no reason.
  func explainedReading(_ error: SQLiteError) -> RequestError {
    // What kept it from opening may have been taken back since, and the database is fenced all the same.
    guard let fault = readingFault ?? (error.code == SQLiteCode.cannotOpen ? fault : nil) else {
      return RequestError(error)
    }
    return fault.readingError(database: name)
  }

  /// The writer has opened the files, so all of them are there from now on.
  func opened() throws(RequestError) {
    do throws(FileFault) {
      for part in [FileExpectation.Part.log, .shared] {
        guard let status = try Self.look(part, at: path) else { throw FileFault(.missing, of: file(part)) }
        expectation.withLock { $0.identities[part] = status.identity }
      }
    } catch {
      throw error.refusal(database: name)
    }
    settleBytes(log: 0)
  }

  // MARK: - Watching

  /// What was found wrong, by whichever thread; it stays.
  var fault: FileFault? { hasFault.load(ordering: .acquiring) ? found.withLock { $0 } : nil }

  /// Looks at the two files that hold the data, which is cheap enough for each commit before it is acknowledged. They
  /// are looked up in the directory as it was opened, so its path is looked at too.
  func checkData() -> FileFault? {
    if !directory.isThere { note(FileFault(.directoryGone, of: "")) }
    return check([.database, .log])
  }

  /// Looks at the log.
  func checkLog() -> FileFault? { check([.log]) }

  /// Whether it is time for somebody to look at everything.
  func isLookDue(at now: MonotonicTime) -> Bool {
    guard
      MonotonicTime(nanoseconds: lookedAt.load(ordering: .relaxed)).advanced(milliseconds: EngineLimits.filesLookMs)
        <= now
    else {
      return false
    }
    lookedAt.store(now.nanoseconds, ordering: .relaxed)
    return true
  }

  /// Looks at everything.
  func checkAll() -> FileFault? {
    if !directory.isThere { note(FileFault(.directoryGone, of: "")) }
    return check([.database, .log, .shared])
  }

  private func check(_ parts: [FileExpectation.Part]) -> FileFault? {
    if let fault { return fault }
    if let fault = lookAt(parts) { note(fault) }
    return fault
  }

  private func lookAt(_ parts: [FileExpectation.Part]) -> FileFault? {
    lookAt(parts) { $0.fault(of: $1, $2, named: $3) }
  }

  @inline(__always)
  private func lookAt(
    _ parts: [FileExpectation.Part],
    _ judge: (FileExpectation, FileExpectation.Part, FileStatus?, String) -> FileFault?
  ) -> FileFault? {
    let expected = expectation.withLock { $0 }
    for part in parts {
      do throws(SystemFailure) {
        if let fault = judge(expected, part, try FileStatus.look(at: file(part), in: directory.folder), file(part)) {
          return directory.isThere ? fault : FileFault(.directoryGone, of: "")
        }
      } catch {
        return FileFault(.unreadable(error), of: file(part))
      }
    }
    return nil
  }

  private func note(_ fault: FileFault) {
    found.withLock { if $0 == nil { $0 = fault } }
    hasFault.store(true, ordering: .releasing)
  }

  private func file(_ part: FileExpectation.Part) -> String {
    switch part {
    case .database: databaseName
    case .log: logName
    case .shared: sharedName
    case .journal: databaseName + part.rawValue
    }
  }

  /// Which of the log and the shared file has lost its name, if whoever has both open can still copy the log into the
  /// database's file and has to. Nil if neither has, or that file is not what it was.
  var lostPart: FileExpectation.Part? {
    guard directory.isThere, lookAt([.database]) == nil else { return nil }
    let expected = expectation.withLock { $0 }
    do throws(SystemFailure) {
      let log = try FileStatus.look(at: file(.log), in: directory.folder)
      return expected.lostPart(log: log, shared: try FileStatus.look(at: file(.shared), in: directory.folder))
    } catch {
      return nil
    }
  }

  // MARK: - Bytes

  /// The log holds frames up to there. On the writer's thread.
  func logReaches(_ bytes: Int64) { expectation.withLock { $0.logBytes = bytes } }

  /// The writer is about to change the files' lengths, or that of the database's file only.
  func bytesMayShrink(isLogKept: Bool) {
    expectation.withLock { expected in
      expected.databaseBytes = 0
      if !isLogKept { expected.logBytes = 0 }
    }
  }

  /// The writer has changed the database's file. From now on it must not become shorter than it is.
  func settleBytes(log bytes: Int64) {
    let status = try? FileStatus.look(at: path)
    expectation.withLock { expected in
      if status?.identity == expected.identities[.database] { expected.databaseBytes = status?.bytes ?? 0 }
      expected.logBytes = bytes
    }
  }

  // MARK: - After a fault

  /// Whether the cause has gone: the path leads to a file that may be opened, with its own log beside it.
  func remainingFault(in directory: DataDirectory) -> FileFault? {
    do throws(FileFault) {
      guard let status = try Self.look(.database, at: path) else { return FileFault(.missing, of: file(.database)) }
      _ = try Self.look(.journal, at: path)
      _ = try Self.look(.shared, at: path)
      let log = try Self.look(.log, at: path)
      let (known, bytes) = expectation.withLock { ($0.identities, ($0.databaseBytes, $0.logBytes)) }
      if status.identity == known[.database] {
        if status.bytes < bytes.0 { return FileFault(.truncated, of: file(.database)) }
        guard let log else { return bytes.1 > 0 ? FileFault(.missing, of: file(.log)) : nil }
        return log.bytes < bytes.1 ? FileFault(.truncated, of: file(.log)) : nil
      }
      // Another database file: the log of the former one must not be replayed into it.
      if let log, log.bytes > 0, log.identity == known[.log] { return FileFault(.foreignLog, of: file(.log)) }
      return nil
    } catch {
      return error
    }
  }
}
