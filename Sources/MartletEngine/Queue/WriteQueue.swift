import MartletValues

/// Which write comes next: a bounded queue in order of arrival, out of which neighbours are taken as one group.
///
/// Always true: the job at the front is in the next turn, so each turn brings every job nearer; a job is overtaken only
/// by shared ones of another setup whose turn it is, and never by one of its own; the live jobs never exceed
/// `capacity`, and the slots of withdrawn ones never exceed the live ones by much.
struct WriteQueue<Job> {
  /// How a job may share the writer.
  enum Company: Equatable {
    /// May share a transaction with other `shared` jobs of the same setup.
    case shared
    /// In a transaction of its own: schema changes, and what only SQLite can judge.
    case alone
    /// It holds the writer until it says so: an interactive transaction.
    case exclusive
  }

  enum Turn {
    case idle
    case group([Job])
    case exclusive(Job)
  }

  private struct Slot {
    let id: UInt64
    let company: Company
    let deadline: MonotonicTime
    let bytes: Int
    let setup: ShapeID
    /// Nil once it has been withdrawn.
    var job: Job?
  }

  let capacity: Int
  private var slots: [Slot] = []
  private var head = 0
  private var nextID: UInt64 = 1
  private(set) var count = 0

  /// No live job's deadline is earlier; may be too early after a withdrawal.
  private(set) var earliestDeadline = MonotonicTime.distantFuture

  init(capacity: Int) { self.capacity = capacity }

  var isEmpty: Bool { count == 0 }

  /// The number of the job that is in the next turn.
  var frontID: UInt64? { isEmpty ? nil : slots[head].id }

  /// The number by which the job can be withdrawn; nil where the queue is full and the job was not taken.
  ///
  /// Jobs share a transaction only where they need the same setup. `id`: a number of the caller's choosing, above all
  /// that were there before.
  mutating func jobArrived(
    _ job: Job, company: Company, deadline: MonotonicTime, bytes: Int, setup: ShapeID = DatabaseSetup.empty.id,
    id chosen: UInt64? = nil
  ) -> UInt64? {
    guard count < capacity else { return nil }
    let id = max(nextID, chosen ?? 0)
    nextID = id + 1
    defer { invariant() }
    slots.append(Slot(id: id, company: company, deadline: deadline, bytes: max(0, bytes), setup: setup, job: job))
    count += 1
    if deadline < earliestDeadline { earliestDeadline = deadline }
    return id
  }

  /// The job, if it was still waiting.
  mutating func withdrawn(_ id: UInt64) -> Job? {
    var low = head
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < slots.count, slots[low].id == id, let job = slots[low].job else { return nil }
    slots[low].job = nil
    count -= 1
    compact()
    return job
  }

  /// The jobs whose deadline has passed while they waited; they are gone from the queue.
  mutating func ticked(_ now: MonotonicTime) -> [Job] {
    guard earliestDeadline <= now else { return [] }
    var expired: [Job] = []
    var earliest = MonotonicTime.distantFuture
    for index in head..<slots.count {
      guard let job = slots[index].job else { continue }
      if slots[index].deadline <= now {
        expired.append(job)
        slots[index].job = nil
        count -= 1
      } else if slots[index].deadline < earliest {
        earliest = slots[index].deadline
      }
    }
    earliestDeadline = earliest
    compact()
    return expired
  }

  /// Takes what runs next: the longest run of jobs from the front that may share a transaction, within the bounds.
  /// Shared jobs of other setups are passed over, as many as there may be members, or else setups that write at the
  /// same time would never have a group.
  mutating func nextTurn(membersMax: Int, bytesMax: Int) -> Turn {
    var members: [Job] = []
    var bytes = 0
    var passed = 0
    var setup: ShapeID?
    var index = head
    while index < slots.count {
      guard let job = slots[index].job else {
        index += 1
        continue
      }
      let company = slots[index].company
      if let setup {
        guard company == .shared else { break }
        if slots[index].setup != setup {
          passed += 1
          if passed > membersMax { break }
          index += 1
          continue
        }
        let (sum, overflow) = bytes.addingReportingOverflow(slots[index].bytes)
        if members.count >= membersMax || overflow || sum > bytesMax { break }
      }
      setup = slots[index].setup
      bytes = bytes &+ slots[index].bytes
      slots[index].job = nil
      index += 1
      count -= 1
      if company == .exclusive {
        compact()
        return .exclusive(job)
      }
      members.append(job)
      if company == .alone { break }
    }
    compact()
    return members.isEmpty ? .idle : .group(members)
  }

  /// Everything that waits, in order; the queue is empty afterwards.
  mutating func closed() -> [Job] {
    let waiting = slots[head...].compactMap(\.job)
    slots.removeAll()
    head = 0
    count = 0
    earliestDeadline = .distantFuture
    return waiting
  }

  private func invariant() {
    assert(count >= 0 && count <= capacity && head <= slots.count)
    assert(count == 0 ? slots.isEmpty && head == 0 : slots[head].job != nil, "a slot at the front that is empty")
    assert(slots.count <= 2 * count + 65, "slots of jobs that have gone")
    assert(
      slots.count > Invariants.countedMax || slots[head...].reduce(0) { $0 + ($1.job == nil ? 0 : 1) } == count,
      "jobs are miscounted")
  }

  private mutating func compact() {
    defer { invariant() }
    while head < slots.count, slots[head].job == nil { head += 1 }
    if count == 0 {
      slots.removeAll(keepingCapacity: true)
      head = 0
      earliestDeadline = .distantFuture
    } else if slots.count > 2 * count + 64 {
      slots = slots[head...].filter { $0.job != nil }
      head = 0
    }
  }
}
