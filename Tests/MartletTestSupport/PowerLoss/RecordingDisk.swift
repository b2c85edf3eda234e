/// What happens to the SQLite files of one directory, written down, and made to fail where a test says so.
///
/// Always true: the log's order is the order in which the operations happened, across threads and connections; files
/// elsewhere are left alone. The `-shm` file is memory, so it is neither recorded nor made to fail.
import Foundation

// Unchecked because everything that changes is reached with the lock held.
package final class RecordingDisk: @unchecked Sendable {
  package let directory: String
  private let lock = NSLock()
  private var log = DiskLog()
  private var numbers: [String: Int] = [:]
  private var lastNumber = 0
  private var fault: DiskFault?
  private var seen = 0
  private var hits = 0
  private var isSkipping = false
  private var syncMicroseconds = 0

  /// Records everything below `directory` from now on, whoever opens it.
  package init(directory: String) {
    // SQLite gives the file system whole paths without links.
    let whole = realpath(directory, nil)
    defer { free(whole) }
    self.directory = whole.map { String(cString: $0) } ?? directory
    RecordingVFS.install()
    RecordingVFS.add(self)
  }

  deinit { RecordingVFS.remove(directory) }

  /// Ends the recording of files that are opened from now on.
  package func stop() { RecordingVFS.remove(directory) }

  package var recorded: DiskLog { lock.withLock { log } }

  /// The names of the files that have been synced.
  package var syncedNames: Set<String> {
    lock.withLock {
      var synced: Set<String> = []
      for case .synced(let file) in log.entries { synced.formUnion(numbers.filter { $0.value == file }.keys) }
      return synced
    }
  }

  /// The program has told somebody that this piece of its work is done.
  package func acknowledged(unit: Int) { lock.withLock { log.append(.acknowledged(unit: unit)) } }

  /// The program has synced the directory by itself.
  package func directorySynced() { lock.withLock { log.append(.directorySynced) } }

  /// Somebody takes a file away behind SQLite's back.
  package func delete(_ path: String) {
    lock.withLock {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      guard unlink(path) == 0, numbers.removeValue(forKey: name) != nil else { return }
      log.append(.deleted(name: name))
      log.append(.directorySynced)
    }
  }

  // MARK: - Faults

  /// Makes an operation fail, counted from now on; nil: none any more.
  package func arm(_ fault: DiskFault?) {
    lock.withLock {
      self.fault = fault
      seen = 0
      hits = 0
    }
  }

  /// Operations that were made to fail.
  package var faultsMet: Int { lock.withLock { hits } }

  /// From now on a sync answers that all is well and does nothing, as some disks do.
  package func skipSyncs() { lock.withLock { isSkipping = true } }

  /// From now on a sync takes so long, while others write.
  package func slowSyncs(microseconds: Int) { lock.withLock { syncMicroseconds = microseconds } }

  private func isHit(_ operation: DiskFault.Operation, _ name: String) -> DiskFault.Kind? {
    guard let fault, fault.operation == operation else { return nil }
    switch fault.files {
    case .any: break
    case .log: if !name.hasSuffix("-wal") { return nil }
    case .database: if name.hasSuffix("-wal") || name.hasSuffix("-journal") { return nil }
    }
    seen += 1
    guard fault.isPersistent ? seen >= fault.number : seen == fault.number else { return nil }
    hits += 1
    return fault.kind
  }

  // MARK: - What the file system does

  /// What an operation comes to: how it failed, if it did, after how many of its bytes.
  struct Outcome {
    var failure: DiskFault.Kind?
    var result: Int32
  }

  func open(_ name: String, isThere: Bool, _ body: () -> Int32) -> (outcome: Outcome, file: Int) {
    lock.withLock {
      if let kind = isHit(.open, name) { return (Outcome(failure: kind, result: 0), 0) }
      let known = isThere ? numbers[name] : nil
      // Before SQLite has it open: to close another descriptor of it would drop SQLite's locks.
      let before = isThere && known == nil ? FileManager.default.contents(atPath: "\(directory)/\(name)") : nil
      let result = body()
      guard result == 0 else { return (Outcome(result: result), 0) }
      if let known { return (Outcome(result: 0), known) }
      lastNumber += 1
      numbers[name] = lastNumber
      if let before {
        log.append(.found(file: lastNumber, name: name, bytes: [UInt8](before)))
      } else {
        log.append(.created(file: lastNumber, name: name))
      }
      return (Outcome(result: 0), lastNumber)
    }
  }

  /// `body` writes so many of the bytes.
  func write(_ file: RecordedFile, _ bytes: UnsafeRawBufferPointer, at offset: Int, _ body: (Int) -> Int32) -> Outcome {
    lock.withLock {
      let kind = isHit(.write, file.name)
      let count =
        switch kind {
        case nil: bytes.count
        case .failed, .full, .quota: 0
        case .torn, .short: bytes.count / 2
        }
      let result = count == 0 ? 0 : body(count)
      if result == 0, count > 0 {
        log.append(.wrote(file: file.number, offset: offset, bytes: [UInt8](bytes.prefix(count))))
      }
      return Outcome(failure: kind, result: result)
    }
  }

  func truncate(_ file: RecordedFile, to size: Int, _ body: () -> Int32) -> Outcome {
    lock.withLock {
      if let kind = isHit(.truncate, file.name) { return Outcome(failure: kind, result: 0) }
      let result = body()
      if result == 0 { log.append(.truncated(file: file.number, size: size)) }
      return Outcome(result: result)
    }
  }

  /// `isFirst`: the file system syncs the directory with the first sync of a log or a journal that it made.
  func sync(_ file: RecordedFile, isFirst: Bool, _ body: () -> Int32) -> Outcome {
    let (failed, microseconds): (Outcome?, Int) = lock.withLock {
      if isSkipping { return (Outcome(result: 0), 0) }
      if let kind = isHit(.sync, file.name) {
        log.append(.syncFailed(file: file.number))
        return (Outcome(failure: kind, result: 0), 0)
      }
      log.append(.syncBegan(file: file.number))
      return (nil, syncMicroseconds)
    }
    if let failed { return failed }
    if microseconds > 0 { usleep(UInt32(microseconds)) }
    return lock.withLock {
      let result = body()
      if result == 0 {
        log.append(.synced(file: file.number))
        if isFirst { log.append(.directorySynced) }
      }
      return Outcome(result: result)
    }
  }

  func read(_ file: RecordedFile) -> DiskFault.Kind? { lock.withLock { isHit(.read, file.name) } }

  func delete(_ name: String, isDurable: Bool, _ body: () -> Int32) -> Int32 {
    lock.withLock {
      let result = body()
      if result == 0 {
        numbers[name] = nil
        log.append(.deleted(name: name))
        if isDurable { log.append(.directorySynced) }
      }
      return result
    }
  }
}

/// One open file of a disk that is recorded.
final class RecordedFile {
  let disk: RecordingDisk
  let number: Int
  let name: String
  /// A log or journal that was made when it was opened, and has not been synced yet.
  var isNewLog: Bool
  /// The last write failed for a quota.
  var isOverQuota = false

  init(disk: RecordingDisk, number: Int, name: String, isNewLog: Bool) {
    self.disk = disk
    self.number = number
    self.name = name
    self.isNewLog = isNewLog
  }
}
