/// The bounds of threads for work that waits.
enum ThreadLimits {
  /// The stack of each thread: half of the 8 MiB that a main thread usually has, because closures of programs run here.
  static let stackBytes = 4 << 20

  /// Jobs that are done and still take a place in the queue, before the others are moved up.
  static let doneJobsMax = 256
}
