import CSQLite

/// The functions that SQLite calls on an open file of `PageFileSystem`.
///
/// Always true: whatever is not about bytes of a database or a log goes to the file below as it came.
enum PageFileMethods {
  /// For files below that have shared memory, and for those that have none. Neither has memory mapping, which would
  /// bring pages that nobody compared.
  // Unsafe but shared because they are written before the first file has them and never after.
  nonisolated(unsafe) static let shared = make(version: 2)
  // Unsafe but shared because it is written before the first file has it and never after.
  nonisolated(unsafe) static let alone = make(version: 1)

  /// A file as this file system has it; nil if another one opened it.
  static func pageFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<PageFile>? {
    guard let file, let methods = file.pointee.pMethods, methods == shared || methods == alone else { return nil }
    return opened(file)
  }

  private static func make(version: Int32) -> UnsafePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.iVersion = version
    setBytes(&methods.pointee)
    setLocks(&methods.pointee)
    setSharedMemory(&methods.pointee)
    return UnsafePointer(methods)
  }

  private static func setBytes(_ methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      let opened = opened(file)
      let real = opened.pointee.real
      opened.pointee.detach()
      let result = real.pointee.pMethods.pointee.xClose(real)
      sqlite3_free(real)
      // What is kept of the file goes here, because closing may have needed it.
      opened.deinitialize(count: 1)
      return result
    }
    methods.xRead = { file, bytes, count, offset in opened(file).pointee.read(bytes, count, at: offset) }
    methods.xWrite = { file, bytes, count, offset in opened(file).pointee.write(bytes, count, at: offset) }
    methods.xTruncate = { file, size in opened(file).pointee.truncate(to: size) }
    methods.xSync = { file, flags in opened(file).pointee.sync(flags) }
    methods.xFileSize = { file, size in opened(file).pointee.size(size) }
  }

  private static func setLocks(_ methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xLock(real, level)
    }
    methods.xUnlock = { file, level in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xUnlock(real, level)
    }
    methods.xCheckReservedLock = { file, out in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xCheckReservedLock(real, out)
    }
    methods.xFileControl = { file, request, argument in control(opened(file), request, argument) }
    methods.xSectorSize = { file in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xSectorSize(real)
    }
    methods.xDeviceCharacteristics = { file in
      let real = opened(file).pointee.real
      // SQLITE_IOCAP_SUBPAGE_READ of later versions: parts of pages, which no checksum covers.
      return real.pointee.pMethods.pointee.xDeviceCharacteristics(real) & ~0x8000
    }
  }

  private static func setSharedMemory(_ methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, page, size, extends, out in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xShmMap(real, page, size, extends, out)
    }
    methods.xShmLock = { file, offset, count, flags in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xShmLock(real, offset, count, flags)
    }
    methods.xShmBarrier = { file in
      opened(file).pointee.settleLog()
      let real = opened(file).pointee.real
      real.pointee.pMethods.pointee.xShmBarrier(real)
    }
    methods.xShmUnmap = { file, deletes in
      let real = opened(file).pointee.real
      return real.pointee.pMethods.pointee.xShmUnmap(real, deletes)
    }
  }
}

// Free functions, because what SQLite calls may capture nothing, not even a type.

private func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<PageFile> {
  // It has one because SQLite calls these methods only for files that it opened.
  guard let file else { preconditionFailure("SQLite called a method without its file.") }
  // A `PageFile` because only `PageFileSystem.open` gives a file these methods.
  return UnsafeMutableRawPointer(file).assumingMemoryBound(to: PageFile.self)
}

private func control(
  _ file: UnsafeMutablePointer<PageFile>, _ request: Int32, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  switch request {
  case PageFileRequest.takeDamagedPage:
    argument?.storeBytes(of: file.pointee.damagedPage, as: Int64.self)
    file.pointee.damagedPage = 0
    return SQLITE_OK
  case PageFileRequest.setVerifies:
    file.pointee.verifies = argument?.load(as: Int32.self) != 0
    return SQLITE_OK
  case SQLITE_FCNTL_CKPT_START: file.pointee.refresh()
  default: break
  }
  let real = file.pointee.real
  return real.pointee.pMethods.pointee.xFileControl(real, request, argument)
}
