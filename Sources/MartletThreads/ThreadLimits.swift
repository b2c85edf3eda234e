/// The bounds of threads for work that waits.
enum ThreadLimits {
  /// Of each thread. What a program's closure runs on it is the program's, so it has half of what its main thread has.
  static let stackBytes = 4 << 20
}
