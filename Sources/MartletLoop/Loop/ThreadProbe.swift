internal import CLibuv

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Finds out whether the system has threads to give: it counts them, and each needs room for its stack. libuv ends the
/// process if it cannot start its workers, and cannot be asked before.
///
/// Always true: the threads that it starts have ended when it returns.
enum ThreadProbe {
  /// Throws if the system does not have so many threads now; `purpose` names them in the error. `stackBytes`: 0 for as
  /// much as libuv takes by itself.
  static func run(count: Int, for purpose: String, stackBytes: Int = 0) throws(LoopError) {
    let gate = UnsafeMutablePointer<uv_sem_t>.allocate(capacity: 1)
    defer { gate.deallocate() }
    try LoopError.check(uv_sem_init(gate, 0), "make a semaphore")
    defer { uv_sem_destroy(gate) }
    var options = uv_thread_options_t()
    options.flags = UInt32(UV_THREAD_HAS_STACK_SIZE.rawValue)
    options.stack_size = stackBytes
    var threads: [uv_thread_t] = []
    var code: Int32 = 0
    while threads.count < count, code == 0 {
      var thread = uv_thread_t()
      // Sound because the gate outlives the threads, which are joined below. `!` because it is what is passed here.
      code = uv_thread_create_ex(
        &thread, &options, { uv_sem_wait($0!.assumingMemoryBound(to: uv_sem_t.self)) }, gate)
      if code == 0 { threads.append(thread) }
    }
    for _ in threads { uv_sem_post(gate) }
    for index in threads.indices { uv_thread_join(&threads[index]) }
    if code != 0 { throw LoopError(code: code, operation: "start a thread for \(purpose)") }
  }
}
