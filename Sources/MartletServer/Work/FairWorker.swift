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
/// Always true: the time is shared by subject and session, and no subject has all threads (`FairWork`); what is asked
/// for is done, refused, or dropped if whoever asked has gone; no more wait than `waitingMax`, and where that many do
/// whoever has the most of them gives way. What waited beyond its deadline is refused when a thread becomes free or
/// somebody else asks for something. There are threads only while there is something to do.
final class FairWorker: Sendable {
  private struct Job: Sendable {
    let asker: Asker
    let run: @Sendable () -> Void
    let refuse: @Sendable (RequestError) -> Void
  }

  private let state: Mutex<FairWork<Job>>
  private let label: String
  private let waitingMax: Int
  private let stepsBack: Bool

  /// `stepsBack`: loops and writers come first where there are more threads than processors.
  init(
    label: String, width: Int = 1, waitingMax: Int = WorkLimits.waitingMax, stepsBack: Bool = false
  ) {
    self.label = label
    state = Mutex(FairWork(width: width, waitingMax: waitingMax))
    self.waitingMax = waitingMax
    self.stepsBack = stepsBack
  }

  /// Calls `run` when it is the asker's turn, or `refuse`; either on any thread, and neither where the asker has gone.
  func submit(
    for asker: Asker, refuse: @escaping @Sendable (RequestError) -> Void, _ run: @escaping @Sendable () -> Void
  ) {
    let job = Job(asker: asker, run: run, refuse: refuse)
    let arrival = state.withLock {
      $0.arrived(job, of: asker.share, deadline: asker.deadline, now: ServerClock.now)
    }
    for job in arrival.late { job.refuse(.deadlinePassed) }
    arrival.refused?.refuse(.serverBusy(waitingMax))
    if arrival.needsThread { startThread() }
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
      let (late, next) = state.withLock { $0.next(now: now) }
      for job in late { job.refuse(.deadlinePassed) }
      guard let next else { return }
      if !next.asker.presence.isGone { next.run() }
      let took = ServerClock.now.nanoseconds &- now.nanoseconds
      state.withLock { $0.ended(next.asker.share, nanoseconds: took) }
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
