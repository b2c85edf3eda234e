internal import MartletEngine
internal import MartletValues

/// What a client asks of the whole server rather than of its own loop: the way from a session to all loops.
protocol ServerWork: AnyObject, Sendable {
  /// Totals of all loops, and the busiest shapes and sessions, so many at most.
  func inspection(shapes: Int, sessions: Int) -> Inspection

  /// Lets a fenced database take writes again, on a thread of its own; its sessions stay open.
  func unfence(_ name: String, deadline: MonotonicTime, token: RequestToken, sink: any ReplySink)

  /// Changes the directory's databases, or lists those that `isListed` is true of. Answers soon, on any thread.
  func run(
    _ task: Administration, isListed: @escaping @Sendable (String) -> Bool,
    answer: @escaping @Sendable (Result<DatabaseList?, RequestError>) -> Void
  )
}
