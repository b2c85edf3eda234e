import CSQLite

/// One open file of SQLite's as this package's file system has it: checksums on the way to the disk and from it.
///
/// Always true: pages of a database with checksums get theirs when they are written to its file, and are compared when
/// they are read from there; frames of its log have SQLite's own checksums, which are compared when a page is read from
/// there. What SQLite handed over is never changed. Used by one connection, so by one thread at a time.
struct PageFile {
  typealias Real = UnsafeMutablePointer<sqlite3_file>

  enum Kind {
    case database
    case log
    /// What a statement sorts, and its own tables.
    case temporary
    /// What a statement within a transaction keeps so that it can be undone. The file stays open for the next
    /// statement, which writes it from its beginning.
    case undo
    case other
  }

  private enum LogOrder {
    case unknown
    case native
    /// Made by a machine with the other order of bytes.
    case foreign
  }

  /// SQLite's own part, which must come first.
  private(set) var head: sqlite3_file
  /// The file of the file system below.
  let real: Real
  let kind: Kind
  /// Of a log: the file of its database.
  private let database: UnsafeMutablePointer<PageFile>?
  var hasChecksums = false
  /// Pages are compared when they are read.
  var verifies = true
  private(set) var pageBytes = 0
  /// Of a database: the last page whose checksum did not hold, here or in its log; 0 if there was none.
  var damagedPage: Int64 = 0
  private var frames = LogFrames()
  private var ownFrames = FrameSums()
  private var logOrder = LogOrder.unknown
  /// Of a database: what is written to its log waits until it is synced or read.
  var gathersFrames = false
  /// Of a log whose database `gathersFrames`: what waits to be written.
  private var waiting = FrameBuffer()
  /// Of a database: asked before each page that is read. Unowned because its connection closes the file before it lets
  /// go of it.
  var limiter: Unmanaged<ExecutionLimiter>?
  /// Of a database: its log, while that is open.
  private var log: UnsafeMutablePointer<PageFile>?
  /// Of a database: which of its logs is open, counted from 1.
  private(set) var logNumber = 0
  /// Of a database: a sync of its log is left to whoever takes `owesSync`.
  var leavesSyncs = false
  /// Of a database: a sync of its log was left out.
  var owesSync = false
  /// Of a log: its header was written, and the frames behind it must not reach the disk before it.
  private var isHeaderNew = false
  /// Of a temporary file: where the farthest write ended; of one to undo a statement: where the last one did.
  private var reached: Int64 = 0
  /// Of a temporary file or one to undo a statement: how far it ever reached, and what of it counts in
  /// `TemporaryFiles`.
  private var extent: Int64 = 0
  private var counted = 0
  /// Of a database: what a `FileKeeper` keeps until the file is closed.
  var kept: (any AnyObject & Sendable)?

  init(
    methods: UnsafePointer<sqlite3_io_methods>, real: Real, kind: Kind, database: UnsafeMutablePointer<PageFile>?
  ) {
    head = sqlite3_file(pMethods: methods)
    self.real = real
    self.kind = kind
    self.database = database
  }

  /// SQLite's code for data that is not what was written.
  static let damaged = SQLITE_IOERR | (32 << 8)

  // MARK: - Reading

  mutating func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int32, at offset: Int64) -> Int32 {
    let settled = settle()
    guard settled == SQLITE_OK else { return settled }
    if mustEnd(reading: count, at: offset) { return SQLITE_INTERRUPT }
    let result = real.pointee.pMethods.pointee.xRead(real, bytes, count, offset)
    guard result == SQLITE_OK, let bytes else { return result }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    switch kind {
    case .temporary, .undo, .other: return SQLITE_OK
    case .database:
      if offset == 0, isClaimDamaged(by: buffer) { return damaged(page: 1) }
      guard isChecked(count, at: offset), verifies, !PageChecksum.holds(buffer) else { return SQLITE_OK }
      // Reads once more, since a cable may have been at fault and not the disk.
      let again = real.pointee.pMethods.pointee.xRead(real, bytes, count, offset)
      guard again == SQLITE_OK else { return again }
      return PageChecksum.holds(buffer) ? SQLITE_OK : damaged(page: offset / Int64(count) + 1)
    case .log:
      guard let database, database.pointee.hasChecksums, database.pointee.verifies else { return SQLITE_OK }
      guard LogFrames.isPage(Int64(count), at: offset), frames.isSettled(offset) else { return SQLITE_OK }
      return checkFrame(of: buffer, at: offset)
    }
  }

  /// Whether the statement that reads a page has to end here.
  private func mustEnd(reading count: Int32, at offset: Int64) -> Bool {
    switch kind {
    case .temporary, .undo, .other: return false
    case .database:
      guard let limiter, Int(count) == pageBytes else { return false }
      return limiter._withUnsafeGuaranteedRef { $0.readsPage { offset == 0 } }
    case .log:
      guard let limiter = database?.pointee.limiter, LogFrames.isPage(Int64(count), at: offset) else { return false }
      return limiter._withUnsafeGuaranteedRef { $0.readsPage { pageNumber(ofFrameWithPageAt: offset) == 1 } }
    }
  }

  private func isChecked(_ count: Int32, at offset: Int64) -> Bool {
    hasChecksums && Int(count) == pageBytes && offset % Int64(count) == 0
  }

  private mutating func damaged(page: Int64) -> Int32 {
    damagedPage = page
    return Self.damaged
  }

  /// Learns from the file's first bytes. True if their claim to have no checksum is damage.
  private mutating func isClaimDamaged(by bytes: UnsafeRawBufferPointer) -> Bool {
    guard let header = PageHeader(bytes) else { return false }
    let isWhole = bytes.count == header.pageBytes
    if !header.hasChecksums, isWhole, verifies, PageHeader.isClaimDamaged(in: bytes) { return true }
    learn(header)
    return false
  }

  private mutating func learn(_ header: PageHeader) {
    hasChecksums = header.hasChecksums
    pageBytes = header.pageBytes
  }

  /// Reads the header again, since another connection may have given the file checksums.
  mutating func refresh() {
    guard kind == .database else { return }
    withUnsafeTemporaryAllocation(byteCount: PageHeader.bytes, alignment: 8) { bytes in
      let result = real.pointee.pMethods.pointee.xRead(real, bytes.baseAddress, Int32(bytes.count), 0)
      if result == SQLITE_OK, let header = PageHeader(UnsafeRawBufferPointer(bytes)) { learn(header) }
    }
  }

  // MARK: - The log

  private mutating func checkFrame(of page: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    if ownFrames.holds(page, at: offset) { return SQLITE_OK }
    if logOrder == .unknown { logOrder = readLogOrder() }
    guard logOrder == .native else { return SQLITE_OK }
    let count = Int64(page.count)
    return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { bytes in
      let seed = UnsafeMutableRawBufferPointer(rebasing: bytes[0..<8])
      let header = UnsafeMutableRawBufferPointer(rebasing: bytes[8..<32])
      guard readAll(seed, at: LogFrames.seedOffset(ofPage: count, at: offset)),
        readAll(header, at: offset - LogFrames.frameHeaderBytes)
      else { return SQLITE_IOERR | (1 << 8) }
      var sums = PageChecksum.Sums(first: Self.number(in: seed, at: 0), second: Self.number(in: seed, at: 4))
      sums.add(UnsafeRawBufferPointer(rebasing: header[0..<8]))
      sums.add(page)
      let stored = PageChecksum.Sums(first: Self.number(in: header, at: 16), second: Self.number(in: header, at: 20))
      guard sums != stored else { return SQLITE_OK }
      database?.pointee.damagedPage = Int64(Self.number(in: header, at: 0))
      return Self.damaged
    }
  }

  /// nil if it cannot be read.
  private func pageNumber(ofFrameWithPageAt offset: Int64) -> UInt32? {
    withUnsafeTemporaryAllocation(byteCount: 4, alignment: 4) { bytes in
      readAll(bytes, at: offset - LogFrames.frameHeaderBytes) ? Self.number(in: bytes, at: 0) : nil
    }
  }

  private func readAll(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    real.pointee.pMethods.pointee.xRead(real, bytes.baseAddress, Int32(bytes.count), offset) == SQLITE_OK
  }

  /// A number as the log writes it.
  private static func number(in bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// A log tells in its magic number in which order its checksums take the bytes of a word. Those of this order are
  /// compared; SQLite begins a log of the other one anew as soon as it may.
  private func readLogOrder() -> LogOrder {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { bytes in
      guard readAll(bytes, at: 0) else { return .unknown }
      return Self.number(in: bytes, at: 0) == 0x377f_0682 ? .native : .foreign
    }
  }

  /// The two salts in the header of a log; nil if it has none.
  var logSalts: UInt64? {
    guard kind == .log else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: Int(LogFrames.logHeaderBytes), alignment: 8) { bytes in
      guard readAll(bytes, at: 0) else { return nil }
      return UInt64(Self.number(in: bytes, at: 16)) << 32 | UInt64(Self.number(in: bytes, at: 20))
    }
  }

  // MARK: - Writing

  mutating func write(_ bytes: UnsafeRawPointer?, _ count: Int32, at offset: Int64) -> Int32 {
    switch kind {
    case .other: break
    case .temporary, .undo:
      if kind == .undo, offset < reached { rewind(to: offset) }
      let end = offset + Int64(count)
      if end > extent, !grow(to: end) { return SQLiteCode.temporaryFull }
      if end > reached {
        if ProcessMemory.meter?.take(Int(end - reached)) == false { return SQLITE_FULL }
        reached = end
      }
      return Self.putTemporary(bytes, count, at: offset, in: real)
    case .log:
      if offset == 0 { isHeaderNew = true }
      frames.wrote(Int64(count), at: offset)
      if let database, database.pointee.hasChecksums {
        ownFrames.wrote(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      }
      if let database, database.pointee.gathersFrames {
        return gather(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      }
    case .database:
      let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      if offset == 0, let header = PageHeader(buffer) { learn(header) }
      if isChecked(count, at: offset) { return writeSealed(buffer, at: offset) }
    }
    return Self.put(bytes, count, at: offset, in: real)
  }

  /// Grows the temporary file. False if all temporary files together may not have so much.
  private mutating func grow(to end: Int64) -> Bool {
    let more = Int(end - extent)
    switch TemporaryFiles.grow(by: more, from: counted) {
    case .refused: return false
    case .uncounted: break
    case .counted: counted += more
    }
    extent = end
    return true
  }

  /// Nobody needs what was written behind `offset`, so the statement that runs gets those bytes back. If another
  /// statement wrote them, this one can come to twice its bound.
  private mutating func rewind(to offset: Int64) {
    ProcessMemory.meter?.giveBack(Int(reached - offset))
    reached = offset
  }

  /// A commit writes two pieces for each page, one behind the other; here they become one write before its sync.
  private mutating func gather(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    let isAppended = offset == 0 || bytes.count == Int(LogFrames.frameHeaderBytes)
    if let code = waiting.refusal(at: offset, isAppended: isAppended) { return code }
    if waiting.take(bytes, at: offset) { return SQLITE_OK }
    let settled = settle()
    guard settled == SQLITE_OK else { return settled }
    if waiting.take(bytes, at: offset) { return SQLITE_OK }
    return Self.put(bytes.baseAddress, Int32(bytes.count), at: offset, in: real)
  }

  /// Writes what waits. Before anything that asks what the file holds.
  mutating func settle() -> Int32 {
    waiting.empty { bytes, offset in
      Self.put(bytes.baseAddress, Int32(bytes.count), at: offset, in: real)
    }
  }

  /// SQLite is about to show a commit to others, so the commit has to be in the file. After the sync of a commit
  /// nothing waits any more, so this only matters if SQLite leaves the sync out.
  func settleLog() { _ = log?.pointee.settle() }

  /// Of a database: how much was written to its log since `forgetLogWritten`.
  var logWrittenBytes: Int64 { log?.pointee.frames.writtenBytes ?? 0 }

  func forgetLogWritten() { log?.pointee.frames.forgetWritten() }

  /// Of a log: its database knows it from now on.
  func attach(_ own: UnsafeMutablePointer<PageFile>) {
    database?.pointee.log = own
    database?.pointee.logNumber += 1
  }

  func detach() {
    if kind == .log { database?.pointee.log = nil }
    if reached > 0 { ProcessMemory.meter?.giveBack(Int(reached)) }
    TemporaryFiles.shrink(by: counted)
  }

  /// A write that failed before is no reason to refuse this: a commit appends a frame, which is refused by then, and
  /// a checkpoint on a full disk must go on, because it makes room.
  mutating func sync(_ flags: Int32) -> Int32 {
    let settled = settle()
    guard settled == SQLITE_OK else { return settled }
    if kind == .log, !isHeaderNew, let database, database.pointee.leavesSyncs {
      database.pointee.owesSync = true
      return SQLITE_OK
    }
    let result = real.pointee.pMethods.pointee.xSync(real, flags)
    if result == SQLITE_OK { isHeaderNew = false }
    return result
  }

  mutating func truncate(to size: Int64) -> Int32 {
    let settled = settle()
    guard settled == SQLITE_OK else { return settled }
    return real.pointee.pMethods.pointee.xTruncate(real, size)
  }

  mutating func size(_ size: UnsafeMutablePointer<Int64>?) -> Int32 {
    let settled = settle()
    guard settled == SQLITE_OK else { return settled }
    return real.pointee.pMethods.pointee.xFileSize(real, size)
  }

  private func writeSealed(_ page: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 8) { copy in
      copy.copyMemory(from: page)
      PageChecksum.seal(copy)
      return Self.put(copy.baseAddress, Int32(copy.count), at: offset, in: real)
    }
  }

  // MARK: - Looking at the whole file

  /// Pages that lie in the file.
  func pageCount() -> Int {
    var size: Int64 = 0
    guard pageBytes > 0, real.pointee.pMethods.pointee.xFileSize(real, &size) == SQLITE_OK else { return 0 }
    return Int(size) / pageBytes
  }

  /// Whether a page of the file holds; nil if it cannot be read. `page` counts from 1.
  func pageHolds(_ page: Int) -> Bool? {
    withUnsafeTemporaryAllocation(byteCount: pageBytes, alignment: 8) { bytes in
      guard readAll(bytes, at: Int64(page - 1) * Int64(pageBytes)) else { return nil }
      return PageChecksum.holds(UnsafeRawBufferPointer(bytes))
    }
  }
}
