import CSQLite

/// The file system that this package's connections open files through: the process's own, with page checksums.
///
/// Always true: registered once, before the first connection opens, and never the process's default; whatever is the
/// default when a file is opened does the work.
enum PageFileSystem {
  /// What connections name when they open a file.
  static let name = "martlet-pages"

  /// Whether SQLite accepted the file system. Asked before each connection opens; the first time it is registered.
  static let isRegistered = register(name, nil)

  /// The name of the file system that asks `keeper` of each database's file; nil if SQLite did not accept it.
  static func systemName(for keeper: FileKeeper?) -> String? {
    guard let keeper else { return isRegistered ? name : nil }
    return keeper.isRegistered { register($0.name, $0) } ? keeper.name : nil
  }

  private static func register(_ name: String, _ keeper: FileKeeper?) -> Bool {
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: sqlite3_vfs())
    system.pointee.iVersion = 2
    system.pointee.szOsFile = Int32(MemoryLayout<PageFile>.stride)
    system.pointee.mxPathname = base.pointee.mxPathname
    let characters = Array(name.utf8CString)
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    text.initialize(from: characters, count: characters.count)
    system.pointee.zName = UnsafePointer(text)
    setFiles(&system.pointee)
    setServices(&system.pointee)
    // Retained for good because SQLite keeps the pointer until the process ends.
    system.pointee.pAppData = keeper.map { Unmanaged.passRetained($0).toOpaque() }
    // For the same reason neither the file system nor its name is ever freed.
    return sqlite3_vfs_register(system, 0) == SQLITE_OK
  }

  /// The process's own file system, which is never this one.
  static var base: UnsafeMutablePointer<sqlite3_vfs> {
    // It is there because SQLite registers its own file system before its first call returns.
    guard let found = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no file system.") }
    return found
  }

  private static func setFiles(_ system: inout sqlite3_vfs) {
    system.xOpen = { system, path, file, flags, outFlags in
      // Unretained because the file system keeps it for good.
      let keeper = system?.pointee.pAppData.map { Unmanaged<FileKeeper>.fromOpaque($0).takeUnretainedValue() }
      return PageFileSystem.open(path, file, flags, outFlags, keeper)
    }
    system.xDelete = { _, path, isDurable in
      let base = PageFileSystem.base
      return base.pointee.xDelete(base, path, isDurable)
    }
    system.xAccess = { _, path, flags, out in
      let base = PageFileSystem.base
      return base.pointee.xAccess(base, path, flags, out)
    }
    system.xFullPathname = { _, path, count, out in
      let base = PageFileSystem.base
      return base.pointee.xFullPathname(base, path, count, out)
    }
  }

  private static func setServices(_ system: inout sqlite3_vfs) {
    // No extension is ever loaded.
    system.xDlOpen = { _, _ in nil }
    system.xDlError = { _, _, _ in }
    system.xDlSym = { _, _, _ in nil }
    system.xDlClose = { _, _ in }
    system.xRandomness = { _, count, out in
      let base = PageFileSystem.base
      return base.pointee.xRandomness(base, count, out)
    }
    system.xSleep = { _, microseconds in
      let base = PageFileSystem.base
      return base.pointee.xSleep(base, microseconds)
    }
    system.xCurrentTime = { _, out in
      let base = PageFileSystem.base
      return base.pointee.xCurrentTime(base, out)
    }
    system.xGetLastError = { _, count, out in
      let base = PageFileSystem.base
      return base.pointee.xGetLastError(base, count, out)
    }
    system.xCurrentTimeInt64 = { _, out in
      let base = PageFileSystem.base
      if base.pointee.iVersion >= 2, let now = base.pointee.xCurrentTimeInt64 { return now(base, out) }
      var days = 0.0
      let result = base.pointee.xCurrentTime(base, &days)
      out?.pointee = Int64(days * 86_400_000)
      return result
    }
  }

  // MARK: - Opening

  /// A sorter's files are opened as temporary journals.
  private static let temporary = SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_TEMP_JOURNAL

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?, _ keeper: FileKeeper?
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    // SQLite closes a file that could not be opened only if it has methods.
    file.pointee.pMethods = nil
    guard let keeper, let path, flags & SQLITE_OPEN_MAIN_DB != 0 else { return open(path, file, flags, outFlags) }
    let isReadOnly = flags & SQLITE_OPEN_READONLY != 0
    do throws(FileKeeper.Refusal) {
      let name = String(cString: path)
      var kept = try keeper.take(name, isReadOnly: isReadOnly)
      let result = open(path, file, flags, outFlags)
      guard result == SQLITE_OK, let opened = PageFileMethods.pageFile(file) else { return result }
      // A file that SQLite has just made was not there before.
      if kept == nil { kept = try keeper.take(name, isReadOnly: isReadOnly) }
      opened.pointee.kept = kept
      return SQLITE_OK
    } catch {
      if let methods = file.pointee.pMethods { _ = methods.pointee.xClose(file) }
      file.pointee.pMethods = nil
      return error.code
    }
  }

  private static func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let base = base
    let size = UInt64(base.pointee.szOsFile)
    guard let memory = sqlite3_malloc64(size) else { return SQLITE_NOMEM }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size))
    // It is the file system's to lay out, because it asked for that many bytes that begin with SQLite's part.
    let real = memory.assumingMemoryBound(to: sqlite3_file.self)
    let result = base.pointee.xOpen(base, path, real, flags, outFlags)
    guard result == SQLITE_OK, let methods = real.pointee.pMethods else {
      if let methods = real.pointee.pMethods { _ = methods.pointee.xClose(real) }
      sqlite3_free(memory)
      return result == SQLITE_OK ? SQLITE_CANTOPEN : result
    }
    let kind: PageFile.Kind =
      flags & SQLITE_OPEN_MAIN_DB != 0
      ? .database
      : flags & SQLITE_OPEN_WAL != 0
        ? .log : flags & Self.temporary != 0 ? .temporary : flags & SQLITE_OPEN_SUBJOURNAL != 0 ? .undo : .other
    let ours = methods.pointee.iVersion >= 2 ? PageFileMethods.shared : PageFileMethods.alone
    let database = kind == .log ? path.flatMap { PageFileMethods.pageFile(sqlite3_database_file_object($0)) } : nil
    // It has room for one, because SQLite allocates `szOsFile` bytes for each file.
    let opened = UnsafeMutableRawPointer(file).initializeMemory(
      as: PageFile.self, to: PageFile(methods: ours, real: real, kind: kind, database: database))
    opened.pointee.attach(opened)
    return SQLITE_OK
  }
}
