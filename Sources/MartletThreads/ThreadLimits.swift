/// The bounds of threads.
package enum ThreadLimits {
  /// Bytes of stack of each thread that is neither a loop's nor a pool's. A statement that is nested as deeply as
  /// `Limits` lets through needs less.
  package static let stackBytes = 8 << 20

  /// Bytes of stack of each thread of a pool: closures of programs run there, and a statement that nests too deeply
  /// takes up to 8 MiB below them in a debug build, until it is refused. Only what is used takes memory.
  static let poolStackBytes = 16 << 20

  /// Jobs that are done and still take a place in the queue, before the others are moved up.
  static let doneJobsMax = 256
}
