internal import MartletEngine
internal import MartletValues

/// Which of the jobs of many sessions a few threads do next: the rules of `FairWorker`, without threads.
///
/// Always true: the jobs of one subject have all places of the quick lane but one at most, and half of those of the
/// slow one, which keeps places free for others; if a lane has one place, anybody may have it. A job that turns out to
/// take long leaves its place to others while the slow lane has room (`WorkLanes`); a job that waits for a place is
/// next when there is one. No more wait than `waitingMax`.
struct FairWork<Job: Sendable> {
  struct Arrival {
    /// The job that does not run, because too many wait: the job that came, or one of somebody who has more.
    var refused: Job?
    /// Jobs whose deadlines passed while they waited.
    var late: [Job] = []
    /// Jobs that waited and that nobody wants any more.
    var unwanted: [Job] = []
    /// Another thread is to be started.
    var needsThread = false
    /// Another thread is to be started, which does nothing for `slowMs` before it asks what is next.
    var needsPatientThread = false
  }

  /// What a thread does next.
  struct Turn {
    /// Jobs whose deadlines passed while they waited.
    var late: [Job] = []
    /// Jobs that waited and that nobody wants any more.
    var unwanted: [Job] = []
    /// The job to run, with the number by which `ended` is told of its end. Nil: the thread ends.
    var job: (id: UInt64, job: Job)?
    var needsThread = false
    var needsPatientThread = false
  }

  private struct Entry {
    let job: Job
    let share: SessionShare
    let topic: String?
  }

  private let waitingMax: Int
  private let isUnwanted: @Sendable (Job) -> Bool
  /// When to look again for jobs that nobody wants.
  private var sweepAt = MonotonicTime(nanoseconds: 0)
  private var entries = FairQueue<Entry>()
  private var lanes: WorkLanes
  private var shares: [UInt64: SessionShare] = [:]
  private var nextID: UInt64 = 1
  private var threads = 0
  /// A thread was started to look which jobs have become slow.
  private var isPatient = false

  /// `isUnwanted`: whether nobody wants the job any more, so that it need not keep its place.
  init(
    _ widths: WorkLanes.Widths = .init(), waitingMax: Int,
    isUnwanted: @escaping @Sendable (Job) -> Bool = { _ in false }
  ) {
    lanes = WorkLanes(widths)
    self.isUnwanted = isUnwanted
    self.waitingMax = waitingMax
  }

  /// `topic`: two jobs of one topic never run at the same time, and the last one tells how long the next is expected to
  /// take.
  mutating func arrived(
    _ job: Job, of share: SessionShare, topic: String? = nil, deadline: MonotonicTime, now: MonotonicTime
  ) -> Arrival {
    var arrival = Arrival(late: ticked(now), unwanted: swept(now))
    if entries.count >= waitingMax {
      guard let displaced = entries.displaced(by: share) else {
        arrival.refused = job
        return arrival
      }
      arrival.refused = displaced.job
    }
    entries.arrived(Entry(job: job, share: share, topic: topic), of: share, deadline: deadline)
    if lanes.isWelcome(topic: topic, of: share.subject) {
      arrival.needsThread = takesThread()
    } else {
      arrival.needsPatientThread = takesPatientThread()
    }
    return arrival
  }

  /// A thread has nothing to do. `wasPatient`: it was started to look which jobs have become slow.
  mutating func next(wasPatient: Bool = false, now: MonotonicTime) -> Turn {
    if wasPatient { isPatient = false }
    var turn = Turn(late: ticked(now), unwanted: swept(now))
    let current = lanes
    if let entry = entries.next(where: { current.isWelcome(topic: $0.topic, of: $0.share.subject) }) {
      lanes.began(nextID, topic: entry.topic, of: entry.share.subject, now: now)
      shares[nextID] = entry.share
      turn.job = (nextID, entry.job)
      nextID += 1
    } else {
      threads -= 1
    }
    guard !entries.isEmpty else { return turn }
    let others = lanes
    if entries.hasNext(where: { others.isWelcome(topic: $0.topic, of: $0.share.subject) }) {
      turn.needsThread = takesThread()
    } else {
      turn.needsPatientThread = takesPatientThread()
    }
    return turn
  }

  /// A job that a thread had has ended.
  mutating func ended(_ id: UInt64, now: MonotonicTime) {
    let nanoseconds = lanes.ended(id, now: now)
    if let share = shares.removeValue(forKey: id) { entries.charge(nanoseconds, to: share) }
  }

  private mutating func ticked(_ now: MonotonicTime) -> [Job] {
    lanes.ticked(now)
    return entries.ticked(now).map(\.job)
  }

  /// What those left behind who have gone; looked for so seldom that it costs nothing.
  private mutating func swept(_ now: MonotonicTime) -> [Job] {
    guard now >= sweepAt, !entries.isEmpty else { return [] }
    sweepAt = now.advanced(milliseconds: WorkLimits.sweepMs)
    let isUnwanted = isUnwanted
    return entries.withdrawn { isUnwanted($0.job) }.map(\.job)
  }

  private mutating func takesThread() -> Bool {
    guard threads < lanes.threadsMax else { return false }
    threads += 1
    return true
  }

  private mutating func takesPatientThread() -> Bool {
    guard !isPatient, lanes.mayTick, takesThread() else { return false }
    isPatient = true
    return true
  }
}
