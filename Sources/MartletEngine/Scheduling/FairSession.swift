import MartletValues

/// The jobs of one session, and what it has had.
///
/// Always true: their numbers grow from the front to the end.
struct FairSession<Job> {
  var account: TimeAccount
  private var slots: [FairSlot<Job>] = []
  private var head = 0

  init(account: TimeAccount) { self.account = account }

  var count: Int { slots.count - head }
  var first: FairSlot<Job>? { head < slots.count ? slots[head] : nil }
  /// The number of the first, for those who do not need its job.
  var firstID: UInt64? { head < slots.count ? slots[head].id : nil }
  /// What `decide` says of the first job, which stays; nil if there is none.
  func judged<Verdict>(by decide: (Job) -> Verdict) -> Verdict? {
    guard head < slots.count, let job = slots[head].job else { return nil }
    return decide(job)
  }

  var earliestDeadline: MonotonicTime? { slots[head...].lazy.map(\.deadline).min() }
  var isInOrder: Bool { zip(slots[head...], slots[head...].dropFirst()).allSatisfy { $0.id < $1.id } }

  /// Inserts the slot where its number belongs: at the end, unless it comes back.
  mutating func insert(_ slot: consuming FairSlot<Job>) {
    if head == slots.count {
      slots.removeAll(keepingCapacity: slots.count <= EngineLimits.sessionSlotsKept)
      head = 0
    }
    let index = self.index(of: slot.id)
    if index == slots.count { slots.append(slot) } else { slots.insert(slot, at: index) }
  }

  mutating func remove(_ id: UInt64) -> Job? {
    let index = self.index(of: id)
    guard index < slots.count, slots[index].id == id else { return nil }
    return slots.remove(at: index).job
  }

  mutating func removeLast() -> Job? { count > 0 ? slots.removeLast().job : nil }

  mutating func remove(where isConcerned: (FairSlot<Job>) -> Bool) -> [FairSlot<Job>] {
    let gone = slots[head...].filter(isConcerned)
    guard !gone.isEmpty else { return [] }
    slots = slots[head...].filter { !isConcerned($0) }
    head = 0
    return gone
  }

  /// Returns the number of the next one.
  mutating func removeFirst() -> UInt64? {
    slots[head].job = nil
    head += 1
    if head == slots.count {
      slots.removeAll(keepingCapacity: slots.count <= EngineLimits.sessionSlotsKept)
      head = 0
    } else if head > EngineLimits.sessionSlotsKept, head * 2 > slots.count {
      // Moving what is left costs no more than the jobs that have left.
      slots.removeFirst(head)
      head = 0
    }
    return firstID
  }

  /// The first that is not before it.
  private func index(of id: UInt64) -> Int {
    var low = head
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Whose job it is: time is shared between subjects, and within a subject between its sessions.
package struct SessionShare: Hashable, Sendable {
  package var subject: UInt64
  package var session: UInt64

  package init(subject: UInt64, session: UInt64) {
    self.subject = subject
    self.session = session
  }
}

/// A place in a session's queue.
struct FairSlot<Job> {
  let id: UInt64
  let deadline: MonotonicTime
  /// The job; nil once it has been taken.
  fileprivate(set) var job: Job?

  init(id: UInt64, deadline: MonotonicTime, job: consuming Job) {
    self.id = id
    self.deadline = deadline
    self.job = job
  }
}
