/// A file system for SQLite between it and the system's own, which tells `RecordingDisk`s what their files go through.
///
/// Always true: it is the process's default once a disk was made; files of no recorded directory are the system's own.
import CSQLite
import Foundation

enum RecordingVFS {
  static let name = "martlet-recording"

  private static let lock = NSLock()
  // Reached with the lock held.
  nonisolated(unsafe) private static var disks: [String: WeakDisk] = [:]

  private struct WeakDisk {
    weak var disk: RecordingDisk?
  }

  static func add(_ disk: RecordingDisk) { lock.withLock { disks[disk.directory] = WeakDisk(disk: disk) } }
  static func remove(_ directory: String) { _ = lock.withLock { disks.removeValue(forKey: directory) } }

  /// The disk that a file belongs to, and its name there. SQLite gives whole paths without links.
  static func place(of path: UnsafePointer<CChar>?) -> (disk: RecordingDisk, name: String)? {
    guard let path else { return nil }
    let text = String(cString: path)
    guard let slash = text.lastIndex(of: "/") else { return nil }
    let name = String(text[text.index(after: slash)...])
    guard !name.hasSuffix("-shm") else { return nil }
    return lock.withLock { disks[String(text[..<slash])]?.disk }.map { ($0, name) }
  }

  static func install() { _ = isInstalled }

  // Never changed after they were made; SQLite keeps pointers to them until the process ends.
  nonisolated(unsafe) static let base = {
    SQLiteStart.settle()
    return sqlite3_vfs_find("unix")!
  }()
  nonisolated(unsafe) private static let methods = makeMethods()
  /// Bytes in front of the system's own file: the methods, and the `RecordedFile`.
  static let headBytes = 16

  private static let isInstalled: Bool = {
    _ = methods
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // The system's functions do not look at which file system they are called for, but for opening and deleting.
    vfs.initialize(to: base.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(strdup(name))
    vfs.pointee.szOsFile = base.pointee.szOsFile + Int32(headBytes)
    vfs.pointee.xOpen = { _, path, file, flags, outFlags in RecordingVFS.open(path, file, flags, outFlags) }
    vfs.pointee.xDelete = { _, path, isDurable in
      guard let place = RecordingVFS.place(of: path) else { return base.pointee.xDelete(base, path, isDurable) }
      return place.disk.delete(place.name, isDurable: isDurable != 0) { base.pointee.xDelete(base, path, isDurable) }
    }
    return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
  }()

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let recorded = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL
    guard flags & recorded != 0, let place = place(of: path) else {
      return base.pointee.xOpen(base, path, file, flags, outFlags)
    }
    file.pointee.pMethods = nil
    // Not `xAccess`, for which an empty file is not there.
    let isThere = path.map { access($0, F_OK) == 0 } ?? false
    let raw = UnsafeMutableRawPointer(file)
    let real = (raw + headBytes).assumingMemoryBound(to: sqlite3_file.self)
    real.pointee.pMethods = nil
    let (outcome, number) = place.disk.open(place.name, isThere: isThere) {
      base.pointee.xOpen(base, path, real, flags, outFlags)
    }
    if let failure = outcome.failure { return failure == .full ? SQLITE_FULL : SQLITE_CANTOPEN }
    guard outcome.result == SQLITE_OK else { return outcome.result }
    let isLog = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
    let recording = RecordedFile(
      disk: place.disk, number: number, name: place.name, isNewLog: isLog && !isThere)
    raw.storeBytes(of: Unmanaged.passRetained(recording).toOpaque(), toByteOffset: 8, as: UnsafeMutableRawPointer.self)
    file.pointee.pMethods = UnsafePointer(methods)
    return SQLITE_OK
  }

  // MARK: - Files

  private static func makeMethods() -> UnsafeMutablePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    // Version 2 has no memory mapping, which would write behind the recording's back.
    methods.pointee.iVersion = 2
    setChanges(&methods.pointee)
    setLooks(&methods.pointee)
    setSharedMemory(&methods.pointee)
    return methods
  }

  private static func setChanges(_ methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      let result = real(file).pointee.pMethods.pointee.xClose(real(file))
      context(file).release()
      return result
    }
    methods.xWrite = { file, bytes, count, offset in
      let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      let outcome = recorded(file).disk.write(recorded(file), buffer, at: Int(offset)) { count in
        real(file).pointee.pMethods.pointee.xWrite(real(file), bytes, Int32(count), offset)
      }
      recorded(file).isOverQuota = outcome.failure == .quota
      return code(outcome, ioError(3))
    }
    methods.xTruncate = { file, size in
      let outcome = recorded(file).disk.truncate(recorded(file), to: Int(size)) {
        real(file).pointee.pMethods.pointee.xTruncate(real(file), size)
      }
      return code(outcome, ioError(6))
    }
    methods.xSync = { file, flags in
      let recording = recorded(file)
      let outcome = recording.disk.sync(recording, isFirst: recording.isNewLog) {
        // What the disk would do is the replayer's to say, and the test's disk need not wait for it.
        SQLITE_OK
      }
      if outcome.failure == nil { recording.isNewLog = false }
      return outcome.failure == nil ? outcome.result : ioError(4)
    }
  }

  private static func setLooks(_ methods: inout sqlite3_io_methods) {
    methods.xRead = { file, bytes, count, offset in
      if recorded(file).disk.read(recorded(file)) != nil { return ioError(1) }
      return real(file).pointee.pMethods.pointee.xRead(real(file), bytes, count, offset)
    }
    methods.xFileSize = { file, size in real(file).pointee.pMethods.pointee.xFileSize(real(file), size) }
    methods.xLock = { file, level in real(file).pointee.pMethods.pointee.xLock(real(file), level) }
    methods.xUnlock = { file, level in real(file).pointee.pMethods.pointee.xUnlock(real(file), level) }
    methods.xCheckReservedLock = { file, out in
      real(file).pointee.pMethods.pointee.xCheckReservedLock(real(file), out)
    }
    methods.xFileControl = { file, operation, argument in
      if operation == SQLITE_FCNTL_LAST_ERRNO, recorded(file).isOverQuota {
        argument?.storeBytes(of: EDQUOT, as: Int32.self)
        return SQLITE_OK
      }
      return real(file).pointee.pMethods.pointee.xFileControl(real(file), operation, argument)
    }
    methods.xSectorSize = { file in real(file).pointee.pMethods.pointee.xSectorSize(real(file)) }
    methods.xDeviceCharacteristics = { file in real(file).pointee.pMethods.pointee.xDeviceCharacteristics(real(file)) }
  }

  private static func setSharedMemory(_ methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, page, size, extends, out in
      real(file).pointee.pMethods.pointee.xShmMap(real(file), page, size, extends, out)
    }
    methods.xShmLock = { file, offset, count, flags in
      real(file).pointee.pMethods.pointee.xShmLock(real(file), offset, count, flags)
    }
    methods.xShmBarrier = { file in real(file).pointee.pMethods.pointee.xShmBarrier(real(file)) }
    methods.xShmUnmap = { file, deletes in real(file).pointee.pMethods.pointee.xShmUnmap(real(file), deletes) }
  }
}

// Free functions, because what SQLite calls may capture nothing, not even a type.

/// SQLite's extended codes, whose macros Swift does not import.
private func ioError(_ number: Int32) -> Int32 { SQLITE_IOERR | (number << 8) }

private typealias File = UnsafeMutablePointer<sqlite3_file>

private func real(_ file: File?) -> File {
  (UnsafeMutableRawPointer(file!) + RecordingVFS.headBytes).assumingMemoryBound(to: sqlite3_file.self)
}

private func context(_ file: File?) -> Unmanaged<RecordedFile> {
  Unmanaged.fromOpaque(UnsafeRawPointer(file!).load(fromByteOffset: 8, as: UnsafeMutableRawPointer.self))
}

private func recorded(_ file: File?) -> RecordedFile { context(file).takeUnretainedValue() }

/// SQLite's code for what an operation came to.
private func code(_ outcome: RecordingDisk.Outcome, _ failed: Int32) -> Int32 {
  switch outcome.failure {
  case nil: outcome.result
  case .failed, .torn, .quota: failed
  case .full, .short: SQLITE_FULL
  }
}
