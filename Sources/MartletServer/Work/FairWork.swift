internal import MartletEngine
internal import MartletValues

/// Which of the jobs of many sessions a few threads do next: the rules of `FairWorker`, without threads.
///
/// Always true: of one subject no more jobs run at a time than all threads but one, so that there is a thread for
/// whoever else comes; a job that waits for that is next when one of its subject's has ended. No more wait than
/// `waitingMax`.
struct FairWork<Job: Sendable> {
  struct Arrival {
    /// It does not run, because too many wait: the job itself, or one of somebody who has more.
    var refused: Job?
    /// Their deadlines passed while they waited.
    var late: [Job] = []
    /// Another thread is to be started.
    var needsThread = false
  }

  private struct Entry {
    let job: Job
    let share: SessionShare
  }

  private let width: Int
  private let waitingMax: Int
  private var entries = FairQueue<Entry>()
  private var threads = 0
  /// Jobs that run, by subject.
  private var running: [UInt64: Int] = [:]

  init(width: Int, waitingMax: Int) {
    self.width = max(1, width)
    self.waitingMax = waitingMax
  }

  mutating func arrived(_ job: Job, of share: SessionShare, deadline: MonotonicTime, now: MonotonicTime) -> Arrival {
    var arrival = Arrival(late: ticked(now))
    if entries.count >= waitingMax {
      guard let displaced = entries.displaced(by: share) else {
        arrival.refused = job
        return arrival
      }
      arrival.refused = displaced.job
    }
    entries.arrived(Entry(job: job, share: share), of: share, deadline: deadline)
    if threads < width, (running[share.subject] ?? 0) < ownMax {
      threads += 1
      arrival.needsThread = true
    }
    return arrival
  }

  /// A thread has nothing to do: what it does next. Where that is nothing the thread ends.
  mutating func next(now: MonotonicTime) -> (late: [Job], job: Job?) {
    let late = ticked(now)
    let (running, ownMax) = (running, ownMax)
    let entry = entries.next { (running[$0] ?? 0) < ownMax }
    if let entry { self.running[entry.share.subject, default: 0] += 1 } else { threads -= 1 }
    return (late, entry?.job)
  }

  /// A job that a thread had has ended, and took so long.
  mutating func ended(_ share: SessionShare, nanoseconds: UInt64) {
    let left = (running[share.subject] ?? 1) - 1
    running[share.subject] = left > 0 ? left : nil
    entries.charge(nanoseconds, to: share)
  }

  private mutating func ticked(_ now: MonotonicTime) -> [Job] { entries.ticked(now).map(\.job) }

  private var ownMax: Int { max(1, width - 1) }
}
