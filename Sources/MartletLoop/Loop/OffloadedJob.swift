internal import CLibuv

/// One piece of work on libuv's worker threads.
///
/// Always true: the job keeps itself alive until the worker is done with it.
final class OffloadedJob {
  private let request: UnsafeMutablePointer<uv_work_t>
  private let work: () -> Void

  init(_ work: @escaping () -> Void) {
    self.work = work
    request = .allocate(capacity: 1)
  }

  deinit { request.deallocate() }

  func start(on loop: EventLoop) {
    // Retained because libuv holds only the pointer; the after-work callback takes the reference back.
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let code = uv_queue_work(
      loop.raw, request,
      { request in
        // `!` because libuv passes the request that `start` queued, whose data it had set.
        Unmanaged<OffloadedJob>.fromOpaque(request!.pointee.data).takeUnretainedValue().work()
      },
      // `!` because `start` set the data, and because the reference it retained is released here.
      { request, _ in Unmanaged<OffloadedJob>.fromOpaque(request!.pointee.data).release() })
    precondition(code == 0, "libuv refuses only a job without work, and every job has some.")
  }
}
