import CMartletMemory
import CSQLite
import Foundation
import Synchronization

/// What the process holds: SQLite's memory, which is counted here as it is allocated, and what the engine says of its
/// own. Small blocks are counted by a thread that runs a metered statement, and the process hears of those that it
/// keeps.
///
/// Always true: the sums never count a byte twice; only large allocations of SQLite fail for want of room, and none on
/// a thread that must not fail. For a compilation that must end, any allocation fails.
package enum ProcessMemory {
  private static let sqlite = Atomic<Int>(0)
  private static let held = Atomic<Int>(0)
  private static let limit = Atomic<Int>(.max)
  private static let refusals = Atomic<Int>(0)
  private static let failures = Atomic<Int>(0)

  /// Bytes of SQLite's larger allocations: page caches, sorters, values.
  package static var sqliteBytes: Int { sqlite.load(ordering: .relaxed) }

  /// What the engine and its users hold beside SQLite, as far as they said so.
  package static var heldBytes: Int { held.load(ordering: .relaxed) }

  package static var totalBytes: Int { sqliteBytes &+ heldBytes }

  /// What both together should not exceed; `Int.max` for no bound.
  package static var limitBytes: Int { limit.load(ordering: .relaxed) }

  /// How often SQLite was refused memory.
  package static var refusalCount: Int { refusals.load(ordering: .relaxed) }

  /// How often SQLite got no memory: it was refused, or the system had none.
  static var failureCount: Int { failures.load(ordering: .relaxed) }

  /// What an allocation returns that fails.
  @inline(never)
  private static func failed() -> UnsafeMutableRawPointer? {
    failures.add(1, ordering: .relaxed)
    return nil
  }

  package static func setLimit(bytes: Int) { limit.store(bytes, ordering: .relaxed) }

  /// The engine holds `bytes` more, or fewer if the number is below 0.
  package static func hold(_ bytes: Int) { held.add(bytes, ordering: .relaxed) }

  // MARK: - Threads that must not fail

  /// Not nil on a thread that is in `withoutLimit`. A thread key of the system is fast enough, because only a refusal
  /// looks at it.
  private static let exemption: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// What runs here is given memory as long as the system has any: a commit that failed for want of it would leave its
  /// outcome unknown.
  package static func withoutLimit<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Any address will do, and the library's own stays valid.
    pthread_setspecific(exemption, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(exemption, nil) }
    return try body()
  }

  // MARK: - Compilations that must end

  /// Compilations that are watched, on all threads: while there is none, no allocation looks for its own.
  private static let compilations = Atomic<Int>(0)

  /// The guard of what the thread compiles.
  private static let compilation: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// What SQLite allocates on this thread fails as soon as the guard wants the compilation to end. Returns what to hand
  /// to `endCompiling`, on the same thread; the guard lives until then.
  static func beginCompiling(under watch: CompilationGuard) -> UnsafeMutableRawPointer? {
    let outer = pthread_getspecific(compilation)
    compilations.add(1, ordering: .relaxed)
    // Retained because the thread asks it until `endCompiling`, even if its connection is gone by then.
    pthread_setspecific(compilation, Unmanaged.passRetained(watch).toOpaque())
    return outer
  }

  static func endCompiling(under watch: CompilationGuard, _ outer: UnsafeMutableRawPointer?) {
    // Unretained because only its address is compared; the reference that is let go of is that of `beginCompiling`.
    let own = Unmanaged.passUnretained(watch)
    guard pthread_getspecific(compilation) == own.toOpaque() else { return }
    pthread_setspecific(compilation, outer)
    compilations.subtract(1, ordering: .relaxed)
    own.release()
  }

  @inline(__always)
  private static var mustEnd: Bool { compilations.load(ordering: .relaxed) != 0 && isCompilationOver() }

  @inline(never)
  private static func isCompilationOver() -> Bool {
    guard let watch = pthread_getspecific(compilation) else { return false }
    // Unretained because the thread is inside of the call that holds it.
    return Unmanaged<CompilationGuard>.fromOpaque(watch).takeUnretainedValue().mustEnd()
  }

  /// Whether an allocation of this size must fail.
  fileprivate static func isRefused(_ bytes: Int) -> Bool {
    guard bytes >= SQLiteLimits.refusableBytesMin, totalBytes &+ bytes > limitBytes else { return false }
    guard pthread_getspecific(exemption) == nil else { return false }
    refusals.add(1, ordering: .relaxed)
    return true
  }

  // MARK: - Statements with a bound of their own

  /// Statements that are metered, on all threads: while there is none, no allocation looks for its own.
  private static let metered = Atomic<Int>(0)

  /// The meter of what the thread runs.
  private static let meterKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// What SQLite takes on this thread counts for the statement until `endMetering`; the meter lives until then.
  static func beginMetering(_ meter: StatementMemory) {
    martlet_blocks_count(true)
    meter.begins(at: blocks)
    // Unretained because the limiter that was armed with it holds it until `endMetering`.
    if pthread_getspecific(meterKey) == nil { metered.add(1, ordering: .relaxed) }
    pthread_setspecific(meterKey, Unmanaged.passUnretained(meter).toOpaque())
  }

  static func endMetering() {
    guard let address = pthread_getspecific(meterKey) else { return }
    // Unretained because the limiter that was armed with it holds it until this call.
    Unmanaged<StatementMemory>.fromOpaque(address).takeUnretainedValue().pauses(at: blocks)
    martlet_blocks_count(false)
    pthread_setspecific(meterKey, nil)
    metered.subtract(1, ordering: .relaxed)
  }

  /// The meter of this thread; nil if its statement has no bound.
  static var meter: StatementMemory? {
    guard metered.load(ordering: .relaxed) != 0, let address = pthread_getspecific(meterKey) else { return nil }
    // Unretained because the thread is inside of the statement whose limiter holds it.
    return Unmanaged<StatementMemory>.fromOpaque(address).takeUnretainedValue()
  }

  /// What this thread holds of smaller blocks, if it gave back all that it took while it counted; see
  /// `StatementMemory.look`.
  static var blocks: ThreadBlocks {
    let blocks = martlet_blocks()
    return ThreadBlocks(small: Int(blocks.small), middle: Int(blocks.middle))
  }

  /// The part of an allocation that counts for a statement as it is made.
  @inline(__always)
  private static func charged(_ bytes: Int) -> Int { bytes >= SQLiteLimits.refusableBytesMin ? bytes : 0 }

  // MARK: - Statements that take large blocks

  /// The limiter of what the thread runs.
  private static let limiter: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whenever SQLite takes a large block on this thread, the limiter is asked, until `endLooking` or until another one
  /// is.
  static func beginLooking(with armed: ExecutionLimiter) {
    let present = pthread_getspecific(limiter)
    // Unretained because only its address is compared.
    guard present != Unmanaged.passUnretained(armed).toOpaque() else { return }
    // Retained because its connection may go while nobody has disarmed it.
    pthread_setspecific(limiter, Unmanaged.passRetained(armed).toOpaque())
    // The reference that is let go of is that of an earlier call.
    if let present { Unmanaged<ExecutionLimiter>.fromOpaque(present).release() }
  }

  static func endLooking(with armed: ExecutionLimiter) {
    // Unretained because only its address is compared; the reference that is let go of is that of `beginLooking`.
    let own = Unmanaged.passUnretained(armed)
    guard pthread_getspecific(limiter) == own.toOpaque() else { return }
    pthread_setspecific(limiter, nil)
    own.release()
  }

  @inline(never)
  private static func takesLargeBlock() {
    guard let armed = pthread_getspecific(limiter) else { return }
    // Unretained because the thread holds it until `endLooking`, which is not called within an allocation.
    Unmanaged<ExecutionLimiter>.fromOpaque(armed).takeUnretainedValue().takesLargeBlock()
  }

  // MARK: - SQLite's allocator

  /// Makes SQLite allocate through the functions below; before its start only. False if it was too late.
  static func install() -> Bool {
    var methods = sqlite3_mem_methods(
      xMalloc: { ProcessMemory.allocate(Int($0)) }, xFree: { ProcessMemory.free($0) },
      xRealloc: { ProcessMemory.reallocate($0, Int($1)) }, xSize: { Int32(clamping: ProcessMemory.usable($0)) },
      xRoundup: { ($0 &+ 7) & ~7 }, xInit: { _ in SQLITE_OK }, xShutdown: { _ in }, pAppData: nil)
    return martlet_sqlite_config_malloc(&methods) == SQLITE_OK
  }

  @inline(__always)
  private static func usable(_ memory: UnsafeMutableRawPointer?) -> Int { martlet_sqlite_usable_bytes(memory) }

  /// How many bytes an allocation of that usable size counts for.
  @inline(__always)
  private static func counted(_ usable: Int) -> Int { usable >= SQLiteLimits.countedBytesMin ? usable : 0 }

  /// The thread has a block of that usable size more, or one less if `sign` is below 0.
  @inline(__always)
  private static func note(_ usable: Int, _ sign: Int) {
    guard martlet_blocks_are_counted() else { return }
    if usable < SQLiteLimits.countedBytesMin {
      martlet_small_blocks_add(Int64(usable &* sign))
    } else if usable < SQLiteLimits.refusableBytesMin {
      martlet_middle_blocks_add(Int64(usable &* sign))
    }
  }

  @inline(__always)
  private static func allocate(_ bytes: Int) -> UnsafeMutableRawPointer? {
    if mustEnd { return nil }
    // No allocator rounds up by so much that a smaller request is counted when it is freed.
    guard bytes >= SQLiteLimits.countedBytesMin - 600 else {
      guard let memory = malloc(bytes) else { return failed() }
      if martlet_blocks_are_counted() { martlet_small_blocks_add(Int64(usable(memory))) }
      return memory
    }
    return allocateCounted(bytes)
  }

  @inline(never)
  private static func allocateCounted(_ bytes: Int) -> UnsafeMutableRawPointer? {
    if isRefused(bytes) { return failed() }
    if bytes >= SQLiteLimits.refusableBytesMin {
      if meter?.take(bytes) == false { return failed() }
      takesLargeBlock()
    }
    guard let memory = malloc(bytes) else { return failed() }
    let bytes = usable(memory)
    sqlite.add(counted(bytes), ordering: .relaxed)
    note(bytes, 1)
    return memory
  }

  @inline(__always)
  private static func free(_ memory: UnsafeMutableRawPointer?) {
    let bytes = usable(memory)
    note(bytes, -1)
    if bytes >= SQLiteLimits.countedBytesMin { sqlite.subtract(bytes, ordering: .relaxed) }
    if bytes >= SQLiteLimits.refusableBytesMin { meter?.giveBack(bytes) }
    Foundation.free(memory)
  }

  private static func reallocate(_ memory: UnsafeMutableRawPointer?, _ bytes: Int) -> UnsafeMutableRawPointer? {
    if mustEnd { return nil }
    let old = usable(memory)
    let before = counted(old)
    if bytes > before, isRefused(bytes) { return failed() }
    let more = charged(bytes) &- charged(before)
    if more > 0, meter?.take(more) == false { return failed() }
    guard let moved = realloc(memory, bytes) else { return failed() }
    if more < 0 { meter?.giveBack(-more) }
    let new = usable(moved)
    note(old, -1)
    note(new, 1)
    let after = counted(new)
    if before != after { sqlite.add(after &- before, ordering: .relaxed) }
    return moved
  }
}
