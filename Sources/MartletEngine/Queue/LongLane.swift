import MartletValues

/// Writes that run long, in turns by session: whoever has a hundred of them waits as if it had one.
///
/// Always true: a session's writes keep their order; each session that waits has its turn before any has its second.
struct LongLane<Job> {
  struct Entry {
    let id: UInt64
    let job: Job
    let session: UInt64
    let deadline: MonotonicTime
    /// How long its next turn is while others wait.
    var askMs: Int
  }

  private var queues: [UInt64: [Entry]] = [:]
  /// Sessions with writes here, the next one first.
  private var rotation: [UInt64] = []
  private var sessions: [UInt64: UInt64] = [:]
  /// No entry's deadline is earlier; may be too early after a withdrawal.
  private(set) var earliestDeadline = MonotonicTime.distantFuture

  var count: Int { sessions.count }
  var isEmpty: Bool { sessions.isEmpty }

  mutating func arrived(_ entry: Entry) { insert(entry, atFront: false) }

  /// It was undone and goes on waiting: first of its session, whose next turn comes after those of the others.
  mutating func returned(_ entry: Entry) { insert(entry, atFront: true) }

  private mutating func insert(_ entry: Entry, atFront: Bool) {
    defer { invariant() }
    assert(sessions[entry.id] == nil, "a write that waits twice")
    if queues[entry.session] == nil { rotation.append(entry.session) }
    var queue = queues.removeValue(forKey: entry.session) ?? []
    queue.insert(entry, at: atFront ? 0 : queue.count)
    queues[entry.session] = queue
    sessions[entry.id] = entry.session
    if entry.deadline < earliestDeadline { earliestDeadline = entry.deadline }
  }

  /// Takes what runs next.
  mutating func next() -> Entry? {
    defer { invariant() }
    guard let session = rotation.first, let entry = queues[session]?.first else { return nil }
    rotation.removeFirst()
    queues[session]?.removeFirst()
    sessions[entry.id] = nil
    if queues[session]?.isEmpty ?? true { queues[session] = nil } else { rotation.append(session) }
    if sessions.isEmpty { earliestDeadline = .distantFuture }
    return entry
  }

  /// How many wait that are not the session's.
  func count(without session: UInt64) -> Int { count - (queues[session]?.count ?? 0) }

  mutating func withdrawn(_ id: UInt64) -> Job? {
    guard let session = sessions[id], let index = queues[session]?.firstIndex(where: { $0.id == id }) else {
      return nil
    }
    return remove(session, index)
  }

  private mutating func remove(_ session: UInt64, _ index: Int) -> Job? {
    defer { invariant() }
    guard let entry = queues[session]?.remove(at: index) else { return nil }
    sessions[entry.id] = nil
    if queues[session]?.isEmpty ?? true {
      queues[session] = nil
      rotation.removeAll { $0 == session }
    }
    if sessions.isEmpty { earliestDeadline = .distantFuture }
    return entry.job
  }

  private func invariant() {
    assert(rotation.count == queues.count, "a session that has no turn, or two")
    assert(sessions.isEmpty == queues.isEmpty && sessions.count >= queues.count, "a session without writes")
    assert(!sessions.isEmpty || earliestDeadline == .distantFuture)
    assert(
      rotation.count > Invariants.countedMax
        || queues.values.reduce(0) { $0 + $1.count } == sessions.count, "writes are miscounted")
  }

  /// The jobs whose deadline has passed while they waited.
  mutating func ticked(_ now: MonotonicTime) -> [Job] {
    guard earliestDeadline <= now else { return [] }
    var expired: [Job] = []
    for session in rotation {
      while let index = queues[session]?.firstIndex(where: { $0.deadline <= now }) {
        if let job = remove(session, index) { expired.append(job) }
      }
    }
    earliestDeadline = queues.values.joined().map(\.deadline).min() ?? .distantFuture
    return expired
  }

  /// Everything that waits; the lane is empty afterwards.
  mutating func closed() -> [Job] {
    defer { self = LongLane() }
    return rotation.flatMap { queues[$0] ?? [] }.map(\.job)
  }
}
