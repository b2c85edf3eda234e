import MartletValues

/// How a write may share the writer.
enum WriteCompany {
  /// May share a transaction with other `shared` ones of the same setup.
  case shared
  /// In a transaction of its own: schema changes, and what only SQLite can judge.
  case alone
  /// Holds the writer until it ends: an interactive transaction.
  case exclusive
}

/// Which write comes next: a queue that sessions share, out of which several are taken as one group.
///
/// Always true: a session's writes keep their order; `FairQueue` says whose turn it is, and that write is in the next
/// turn whatever it needs; the jobs never exceed `capacity`.
struct WriteQueue<Job> {
  enum Turn {
    case idle
    case group([Job])
    case exclusive(Job)
  }

  private struct Entry {
    let job: Job
    let company: WriteCompany
    let bytes: Int
    let setup: ShapeID
  }

  /// What there is room for in the transaction of the group that was taken last.
  private struct Room {
    let setup: ShapeID
    var members: Int
    var bytes: Int
  }

  let capacity: Int
  private var queue = FairQueue<Entry>()
  /// Nil if somebody waited whom the last group did not take, or nobody may share its transaction.
  private var room: Room?

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { queue.count }
  var isEmpty: Bool { queue.isEmpty }

  /// No waiting job's deadline is earlier; may be too early after a withdrawal.
  var earliestDeadline: MonotonicTime { queue.earliestDeadline }

  /// The number by which the job can be withdrawn; nil if the queue is full and the job was not taken.
  ///
  /// Jobs share a transaction only if they need the same setup. `id`: a number of the caller's choosing, above all
  /// that were there before, unless the job comes back.
  mutating func jobArrived(
    _ job: consuming Job, of share: SessionShare, company: WriteCompany, deadline: MonotonicTime, bytes: Int,
    setup: ShapeID = DatabaseSetup.empty.id, id: UInt64? = nil
  ) -> UInt64? {
    guard count < capacity else { return nil }
    return queue.arrived(
      Entry(job: job, company: company, bytes: max(0, bytes), setup: setup), of: share, deadline: deadline, id: id)
  }

  /// How many jobs of the session wait.
  func count(of share: SessionShare) -> Int { queue.count(of: share) }

  /// Whether one of those waits that came up to the job of that number.
  func hasWaiting(upTo id: UInt64) -> Bool { queue.hasWaiting(upTo: id) }

  /// Adds how many of each session wait.
  func addCounts(to counts: inout WaitingCounts) { queue.addCounts(to: &counts) }

  /// The job of the session that came last.
  mutating func removedLast(of share: SessionShare) -> Job? { queue.removedLast(of: share)?.job }

  /// The job, if it was still waiting.
  mutating func withdrawn(_ id: UInt64, of share: SessionShare) -> Job? { queue.withdrawn(id, of: share)?.job }

  /// The jobs whose deadline has passed while they waited; they are gone from the queue.
  mutating func ticked(_ now: MonotonicTime) -> [Job] { queue.ticked(now).map(\.job) }

  /// Takes what runs next: whose turn it is, and with it what may share its transaction, within the bounds and in the
  /// order of shares. Sessions whose next job may not are passed over, and are before these next time.
  mutating func nextTurn(membersMax: Int, bytesMax: Int) -> Turn {
    var members: [Job] = []
    members.reserveCapacity(min(count, membersMax))
    var bytes = 0
    var first: Entry?
    queue.take { entry in
      guard let leader = first else {
        first = entry
        bytes = entry.bytes
        members.append(entry.job)
        return .take
      }
      guard leader.company == .shared, members.count < membersMax else { return .stop }
      guard entry.company == .shared, entry.setup == leader.setup else { return .pass }
      let (sum, overflow) = bytes.addingReportingOverflow(entry.bytes)
      if overflow || sum > bytesMax { return .stop }
      bytes = sum
      members.append(entry.job)
      return .take
    }
    room = nil
    guard let first else { return .idle }
    if first.company == .shared, queue.isEmpty {
      room = Room(setup: first.setup, members: membersMax - members.count, bytes: max(0, bytesMax - bytes))
    }
    return first.company == .exclusive ? .exclusive(first.job) : .group(members)
  }

  /// Takes those that have come since the last group was taken, are welcome, and may share its transaction. Nobody
  /// goes before one that may not: it is next.
  mutating func joiners(most: Int, where isWelcome: (Job) -> Bool = { _ in true }) -> [Job] {
    guard var room, room.members > 0, !queue.isEmpty else { return [] }
    var joining: [Job] = []
    var isBarred = false
    queue.take { entry in
      guard joining.count < most else { return .stop }
      guard entry.company == .shared, entry.setup == room.setup, entry.bytes <= room.bytes, room.members > 0,
        isWelcome(entry.job)
      else {
        isBarred = true
        return .stop
      }
      room.members -= 1
      room.bytes -= entry.bytes
      joining.append(entry.job)
      return .take
    }
    self.room = isBarred ? nil : room
    return joining
  }

  /// Takes the one job that is next among those that are welcome at this moment; others keep their places.
  mutating func next(where isWelcome: (Job) -> Bool) -> Job? { queue.next { isWelcome($0.job) }?.job }

  /// Whether `next` would return one of these.
  func hasNext(where isWelcome: (Job) -> Bool) -> Bool { queue.hasNext { isWelcome($0.job) } }

  /// Charges the sessions for the jobs of the last turn.
  mutating func charge(_ costs: [(share: SessionShare, nanoseconds: UInt64)]) { queue.charge(costs) }

  /// Everything that waits, in order; the queue is empty afterwards.
  mutating func closed() -> [Job] { queue.closed().map(\.job) }
}
