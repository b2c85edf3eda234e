internal import MartletLoop
internal import MartletValues

/// The clock that the server's loops, sessions and engine share.
enum ServerClock {
  static var now: MonotonicTime { MonotonicTime(nanoseconds: EventLoop.nanoseconds) }
}
