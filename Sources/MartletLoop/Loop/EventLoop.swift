internal import CLibuv
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One libuv loop on a thread of its own: runs handles' callbacks and whatever other threads post to it.
///
/// Always true: everything that hangs on a loop (streams, timers, listeners) is touched on the loop's thread only, and
/// what breaks this stops with a sentence; only `post`, `offload`, `stop`, `join` and `isOnLoop` may be called from
/// elsewhere.
// @unchecked because every stored property is immutable, behind the mutex, or touched on the loop's thread only, which
// `checkIsOnLoop` demands.
package final class EventLoop: @unchecked Sendable {
  /// The loop's name in logs and failures.
  package let label: String

  let raw: UnsafeMutablePointer<uv_loop_t>

  /// Where every stream of this loop reads to: a read is handed out before the next one begins.
  let readBuffer: UnsafeMutableRawBufferPointer

  private struct Mailbox {
    var posted: [@Sendable () -> Void] = []
    var isClosed = false
    var doorbell: WakeUp?
  }

  private let mailbox = Mutex(Mailbox())
  private var running: [@Sendable () -> Void] = []
  private var thread = uv_thread_t()
  private let owner = Atomic<UInt>(0)
  private let hasJoined = Mutex(false)

  /// How much one read may bring; less if what is read has to be kept. On the loop.
  package var readBytesMax = LoopLimits.readBytesMax
  /// Bytes that one read brings if the socket has so many.
  package var readCapacity: Int { min(readBuffer.count, max(1, readBytesMax)) }

  /// Starts the loop and its thread, whose stack is 8 MiB whatever the system's default is.
  package init(label: String) throws(LoopError) {
    self.label = label
    raw = .allocate(capacity: 1)
    readBuffer = .allocate(byteCount: LoopLimits.readBytesMax, alignment: 16)
    let code = uv_loop_init(raw)
    guard code == 0 else {
      raw.deallocate()
      readBuffer.deallocate()
      throw LoopError(code: code, operation: "start the loop \(label)")
    }
    // Nobody else can see the loop yet, so its first handle may be made on this thread.
    // `unowned` because the loop owns the handle and closes it before it goes itself.
    let doorbell = try WakeUp(firstOf: self) { [unowned self] in runPosted() }
    mailbox.withLock { $0.doorbell = doorbell }
    try startThread()
  }

  deinit {
    raw.deallocate()
    readBuffer.deallocate()
  }

  private func startThread() throws(LoopError) {
    var options = uv_thread_options_t()
    options.flags = UInt32(UV_THREAD_HAS_STACK_SIZE.rawValue)
    options.stack_size = LoopLimits.stackBytes
    // Retained because the thread needs the loop for as long as it runs; `main` takes the reference over.
    let context = Unmanaged.passRetained(self)
    let code = uv_thread_create_ex(
      &thread, &options,
      // `!` because libuv hands the thread the context that is passed here.
      { Unmanaged<EventLoop>.fromOpaque($0!).takeRetainedValue().main() },
      context.toOpaque())
    guard code == 0 else {
      context.release()
      throw LoopError(code: code, operation: "start a thread for the loop \(label)")
    }
  }

  private func main() {
    owner.store(Self.currentThread, ordering: .sequentiallyConsistent)
    uv_run(raw, UV_RUN_DEFAULT)
    uv_loop_close(raw)
    mailbox.withLock { $0.doorbell = nil }
  }
}

// MARK: - From any thread

extension EventLoop {
  /// Runs `work` on the loop's thread soon. False if the loop has stopped and never will.
  @discardableResult
  package func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, doorbell): (Bool, WakeUp?) = mailbox.withLock { mailbox in
      if mailbox.isClosed { return (false, nil) }
      mailbox.posted.append(work)
      return (true, mailbox.posted.count == 1 ? mailbox.doorbell : nil)
    }
    doorbell?.signal()
    return isTaken
  }

  /// Runs `work` on one of libuv's worker threads, and then `completion` on the loop's: for what would block the loop.
  package func offload<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, then completion: @escaping @Sendable (Result) -> Void
  ) {
    post { [self] in
      let job = OffloadedJob { [self] in
        let result = work()
        post { completion(result) }
      }
      job.start(on: self)
    }
  }

  /// Starts libuv's worker threads, which all loops of the process share; `started` is called when they run. Throws if
  /// the system has too few threads, or the loop has stopped. Without this libuv would end the process at the first
  /// `offload`.
  package func startWorkers(_ started: @escaping @Sendable () -> Void) throws(LoopError) {
    try Self.workersRun.withLock { run throws(LoopError) in
      if !run { try ThreadProbe.run(count: Self.workerCount + LoopLimits.spareThreads, for: "offloaded work") }
      run = true
    }
    let isTaken = post { [self] in OffloadedJob(started).start(on: self) }
    if !isTaken { throw .loopStopped }
  }

  /// Whether libuv's workers run, or are about to: it starts them once in a process.
  private static let workersRun = Mutex(false)

  /// As many as libuv starts.
  private static var workerCount: Int {
    guard let setting = getenv("UV_THREADPOOL_SIZE"), let count = Int(String(cString: setting)) else {
      return LoopLimits.workers
    }
    return max(1, min(count, LoopLimits.workersMax))
  }

  /// Closes every handle of the loop; its thread ends once their close callbacks have run.
  package func stop() {
    post { [self] in
      let last = mailbox.withLock { mailbox in
        mailbox.isClosed = true
        defer { mailbox.posted = [] }
        return mailbox.posted
      }
      for work in last { work() }
      LoopHandle.closeAll(of: self)
    }
  }

  /// Waits for the loop's thread to end. Never call it on the loop itself.
  package func join() {
    precondition(!isOnLoop, "The loop \(label) cannot wait for its own end. Call join() from another thread.")
    hasJoined.withLock { hasJoined in
      if !hasJoined { uv_thread_join(&thread) }
      hasJoined = true
    }
  }

  package var isOnLoop: Bool { owner.load(ordering: .relaxed) == Self.currentThread }

  private static var currentThread: UInt {
    #if os(Linux)
      uv_thread_self()
    #else
      UInt(bitPattern: uv_thread_self())
    #endif
  }
}

// MARK: - On the loop

extension EventLoop {
  /// Stops the process if the caller is on another thread: a race here would corrupt memory later and elsewhere.
  @inline(__always)
  package func checkIsOnLoop(_ function: StaticString = #function) {
    precondition(isOnLoop, "\(function) must be called on the loop \(label). Wrap the call in post { }.")
  }

  /// The monotonic clock in nanoseconds, read now.
  package static var nanoseconds: UInt64 { uv_hrtime() }

  private func runPosted() {
    // The two arrays take turns, so that a busy loop posts without allocating.
    mailbox.withLock { swap(&$0.posted, &running) }
    for work in running { work() }
    running.removeAll(keepingCapacity: true)
  }
}
