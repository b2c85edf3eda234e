internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A thread of the system, for work that would block a loop. The system may have none to give: it counts threads, and
/// each needs room for its stack.
///
/// Always true: if `start` returns, the work runs, and keeps itself alive until it has ended.
package enum SystemThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `work` on a thread of its own, which nobody waits for. `purpose` names it in the error.
  package static func start(
    for purpose: String, stackBytes: Int = LoopLimits.stackBytes, _ work: @escaping @Sendable () -> Void
  ) throws(LoopError) {
    // Retained because the thread holds only the pointer; it takes the reference back.
    let context = Unmanaged.passRetained(Work(work))
    var thread = uv_thread_t()
    do throws(LoopError) {
      try start(&thread, for: purpose, stackBytes: stackBytes, context.toOpaque()) {
        // `!` because libuv hands the thread the context that is passed above.
        Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body()
      }
    } catch {
      context.release()
      throw error
    }
    pthread_detach(thread)
  }

  /// Throws if the system does not have so many threads now. libuv ends the process if it cannot start its workers.
  /// `stackBytes`: 0 for those that libuv takes by itself.
  static func probe(count: Int, for purpose: String, stackBytes: Int = 0) throws(LoopError) {
    let gate = UnsafeMutablePointer<uv_sem_t>.allocate(capacity: 1)
    defer { gate.deallocate() }
    try LoopError.check(uv_sem_init(gate, 0), "make a semaphore")
    defer { uv_sem_destroy(gate) }
    var threads: [uv_thread_t] = []
    var failure: LoopError?
    while threads.count < count, failure == nil {
      var thread = uv_thread_t()
      do throws(LoopError) {
        // Sound because the gate outlives the threads, which are joined below. `!` because it is what is passed here.
        try start(&thread, for: purpose, stackBytes: stackBytes, gate) {
          uv_sem_wait($0!.assumingMemoryBound(to: uv_sem_t.self))
        }
        threads.append(thread)
      } catch {
        failure = error
      }
    }
    for _ in threads { uv_sem_post(gate) }
    for index in threads.indices { uv_thread_join(&threads[index]) }
    if let failure { throw failure }
  }

  private static func start(
    _ thread: inout uv_thread_t, for purpose: String, stackBytes: Int, _ context: UnsafeMutableRawPointer,
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) throws(LoopError) {
    var options = uv_thread_options_t()
    options.flags = UInt32(UV_THREAD_HAS_STACK_SIZE.rawValue)
    options.stack_size = stackBytes
    let code = uv_thread_create_ex(&thread, &options, body, context)
    guard code == 0 else { throw LoopError(code: code, operation: "start a thread for \(purpose)") }
  }
}
