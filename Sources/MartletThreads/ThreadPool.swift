internal import Foundation
internal import Synchronization

/// Threads of our own for work that waits, so that it uses up neither the shared pool of tasks nor Dispatch's bounded
/// one.
///
/// Always true: there are at most `most` threads; if all are busy, work waits in line. `offer` refuses work if
/// `waitingMax` wait, which is unlimited unless it is set; `run` never refuses. A thread that was made stays.
package final class ThreadPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// Where the next job is; those before it are done.
    var first = 0
    var idle = 0
    var count = 0

    var waiting: Int { jobs.count - first }

    mutating func next() -> (@Sendable () -> Void)? {
      guard first < jobs.count else { return nil }
      defer {
        first += 1
        if first > ThreadLimits.doneJobsMax, first > jobs.count / 2 {
          jobs.removeFirst(first)
          first = 0
        }
      }
      return jobs[first]
    }
  }

  private let name: String
  private let most: Int
  private let waitingMax: Int
  private let starter: ThreadStarter
  private let state = Mutex(State())
  private let wakes = DispatchSemaphore(value: 0)

  /// A job that is offered is refused if all threads are busy and `waitingMax` jobs wait.
  package init(name: String, most: Int, waitingMax: Int = .max, starter: ThreadStarter = .shared) {
    self.name = name
    self.starter = starter
    self.most = max(1, most)
    self.waitingMax = max(0, waitingMax)
  }

  private enum Arrival {
    case refused
    case waits
    case wakes
    case starts
  }

  /// Takes the job in any case: for those who give no more than one for each thing that is counted elsewhere.
  package func run(_ job: @escaping @Sendable () -> Void) { _ = arrive(job, waitingMax: .max) }

  /// Returns false if too many jobs wait. The job is not kept then, and does not run.
  package func offer(_ job: @escaping @Sendable () -> Void) -> Bool { arrive(job, waitingMax: waitingMax) }

  private func arrive(_ job: @escaping @Sendable () -> Void, waitingMax: Int) -> Bool {
    let arrival: Arrival = state.withLock { state in
      if state.idle == 0, state.count >= most, state.waiting >= waitingMax { return .refused }
      state.jobs.append(job)
      if state.idle > 0 {
        state.idle -= 1
        return .wakes
      }
      guard state.count < most else { return .waits }
      state.count += 1
      return .starts
    }
    switch arrival {
    case .refused: return false
    // Perhaps for a thread that the system did not have.
    case .waits: starter.tryAgain()
    case .wakes: wakes.signal()
    case .starts: start()
    }
    return true
  }

  private func start() {
    starter.start(named: name, stackBytes: ThreadLimits.poolStackBytes) { [self] in
      while true {
        let job = state.withLock { state in
          let job = state.next()
          if job == nil { state.idle += 1 }
          return job
        }
        if let job { job() } else { wakes.wait() }
      }
    }
  }
}
