internal import Foundation
internal import MartletEngine
internal import MartletValues
internal import Synchronization

/// Who asks for something that no loop can do.
struct Asker: Sendable {
  var share: SessionShare
  var deadline = MonotonicTime.distantFuture
  var presence: Presence
}

/// Whether a session is still there, for those on other threads who do something for it.
final class Presence: Sendable {
  private let gone = Atomic<Bool>(false)

  var isGone: Bool { gone.load(ordering: .relaxed) }
  func leave() { gone.store(true, ordering: .relaxed) }
}

/// Does what the sessions of all loops ask for on threads that no loop waits for, so many at a time.
///
/// Always true: the time is shared by subject and session (`FairQueue`); what is asked for is done, refused when its
/// deadline has passed, or dropped when whoever asked has gone; no more wait than `waitingMax`, and where that many do
/// whoever has the most of them gives way. There are threads only while there is something to do.
final class FairWorker: Sendable {
  private struct Job: Sendable {
    let asker: Asker
    let run: @Sendable () -> Void
    let refuse: @Sendable (RequestError) -> Void
  }

  private struct State {
    var jobs = FairQueue<Job>()
    var threads = 0
  }

  private let state = Mutex(State())
  private let label: String
  private let width: Int
  private let waitingMax: Int
  private let stepsBack: Bool

  /// `stepsBack`: loops and writers come first where there are more threads than processors.
  init(
    label: String, width: Int = 1, waitingMax: Int = WorkLimits.waitingMax, stepsBack: Bool = false
  ) {
    self.label = label
    self.width = width
    self.waitingMax = waitingMax
    self.stepsBack = stepsBack
  }

  /// Calls `run` when it is the asker's turn, or `refuse`; either on any thread, and neither where the asker has gone.
  func submit(
    for asker: Asker, refuse: @escaping @Sendable (RequestError) -> Void, _ run: @escaping @Sendable () -> Void
  ) {
    let job = Job(asker: asker, run: run, refuse: refuse)
    let (isThreadMissing, displaced) = state.withLock { state -> (Bool, Job?) in
      var displaced: Job?
      if state.jobs.count >= waitingMax {
        displaced = state.jobs.displaced(by: asker.share)
        if displaced == nil { return (false, job) }
      }
      state.jobs.arrived(job, of: asker.share, deadline: asker.deadline)
      guard state.threads < width else { return (false, displaced) }
      state.threads += 1
      return (true, displaced)
    }
    displaced?.refuse(.serverBusy(waitingMax))
    if isThreadMissing { startThread() }
  }

  private func startThread() {
    let thread = Thread { [self] in
      if stepsBack { ThreadPriority.stepBack() }
      work()
    }
    thread.name = label
    // SQLite compiles here, too.
    thread.stackSize = 8 << 20
    thread.start()
  }

  private func work() {
    while true {
      let now = ServerClock.now
      let (late, next) = state.withLock { state -> ([Job], Job?) in
        let late = state.jobs.ticked(now)
        let next = state.jobs.next()
        if next == nil { state.threads -= 1 }
        return (late, next)
      }
      for job in late { job.refuse(.deadlinePassed) }
      guard let next else { return }
      if !next.asker.presence.isGone { next.run() }
      let took = ServerClock.now.nanoseconds &- now.nanoseconds
      state.withLock { $0.jobs.charge(took, to: next.asker.share) }
    }
  }
}

extension RequestError {
  fileprivate static func serverBusy(_ waiting: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .overloaded, "\(waiting) requests of this kind wait already: try again in a moment.",
      isRetryable: true)
  }
}
