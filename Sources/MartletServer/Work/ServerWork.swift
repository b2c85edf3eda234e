internal import MartletEngine
internal import MartletValues

/// What a client asks of the whole server rather than of its own loop: the way from a session to all loops.
protocol ServerWork: AnyObject, Sendable {
  /// Totals of all loops, and the busiest shapes and sessions, `shapes` and `sessions` of them at most. Answers soon,
  /// on another thread; the next answer waits until the asker has opened the gate that came with the last one.
  func inspect(
    shapes: Int, sessions: Int, for asker: Asker, seenBy identity: Identity?,
    answer: @escaping @Sendable (Result<Inspection, RequestError>, Gate?) -> Void
  )

  /// Lets a fenced database take writes again, on a thread of its own; its sessions stay open.
  func unfence(_ name: String, deadline: MonotonicTime, token: RequestToken, sink: any ReplySink)

  /// Changes the directory's databases, or lists those that `isListed` is true of. Answers soon, on any thread.
  func run(
    _ task: Administration, of subject: Subject, for asker: Asker, isListed: @escaping @Sendable (String) -> Bool,
    answer: @escaping @Sendable (Result<DatabaseList?, RequestError>) -> Void
  )
}
