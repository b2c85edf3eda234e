internal import Foundation
internal import MartletEngine
internal import MartletThreads
internal import MartletValues
internal import Synchronization

/// Does what the sessions of all loops ask for on threads that no loop waits for, so many at a time.
///
/// Always true: the time is shared by subject and session, and where there are several threads no subject has all; what
/// takes long leaves threads for what does not (`WorkLanes`); a job is done, refused, or dropped if the asker has gone,
/// whose place is free soon; no more than `waitingMax` wait, and beyond that the asker with the most jobs loses one. A
/// job that waited beyond its deadline is refused when a thread becomes free or somebody else asks for something. There
/// are threads only while there is something to do.
final class FairWorker: Sendable {
  private struct Job: Sendable {
    let asker: Asker
    let run: @Sendable () -> Void
    let refuse: @Sendable (RequestError) -> Void
    let drop: (@Sendable () -> Void)?
  }

  private let state: Mutex<FairWork<Job>>
  private let label: String
  private let waitingMax: Int
  private let slowMs: Int
  private let stepsBack: Bool

  /// `stepsBack`: loops and writers come first if there are more threads than processors.
  init(
    label: String, _ widths: WorkLanes.Widths = .init(), waitingMax: Int = WorkLimits.waitingMax,
    stepsBack: Bool = false
  ) {
    self.label = label
    state = Mutex(FairWork(widths, waitingMax: waitingMax) { $0.asker.presence.isGone })
    slowMs = widths.slowMs
    self.waitingMax = waitingMax
    self.stepsBack = stepsBack
  }

  /// Calls `run` when it is the asker's turn, or `refuse`; either on any thread, and neither if the asker has gone.
  /// `topic`: what it is about; of two jobs about the same the second waits without a thread. `dropped`: the asker has
  /// gone, and neither of the others is called.
  func submit(
    for asker: Asker, topic: String? = nil, refuse: @escaping @Sendable (RequestError) -> Void,
    dropped: (@Sendable () -> Void)? = nil, _ run: @escaping @Sendable () -> Void
  ) {
    let job = Job(asker: asker, run: run, refuse: refuse, drop: dropped)
    let arrival = state.withLock {
      $0.arrived(job, of: asker.share, topic: topic, deadline: asker.deadline, now: ServerClock.now)
    }
    for job in arrival.unwanted { job.drop?() }
    for job in arrival.late { job.refuse(.deadlinePassed) }
    arrival.refused?.refuse(.serverBusy(waitingMax))
    if arrival.needsThread { startThread() }
    if arrival.needsPatientThread { startThread(isPatient: true) }
  }

  private func startThread(isPatient: Bool = false) {
    ThreadStarter.shared.start(named: label) { [self] in
      if stepsBack { ThreadPriority.stepBack() }
      if isPatient { Thread.sleep(forTimeInterval: Double(slowMs) / 1_000) }
      work(isPatient: isPatient)
    }
  }

  private func work(isPatient: Bool) {
    var turn = state.withLock { $0.next(wasPatient: isPatient, now: ServerClock.now) }
    while true {
      for job in turn.unwanted { job.drop?() }
      for job in turn.late { job.refuse(.deadlinePassed) }
      if turn.needsThread { startThread() }
      if turn.needsPatientThread { startThread(isPatient: true) }
      guard let (id, job) = turn.job else { return }
      if job.asker.presence.isGone { job.drop?() } else { job.run() }
      turn = state.withLock { state in
        let now = ServerClock.now
        state.ended(id, now: now)
        return state.next(now: now)
      }
    }
  }
}

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
