internal import Foundation
internal import Synchronization

/// Threads of our own for work that waits, so that it uses up neither the shared pool of tasks nor Dispatch's bounded
/// one.
///
/// Always true: there are at most `most` threads; if all are busy, work waits in line. A thread that was made stays.
package final class ThreadPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// Where the next job is; those before it are done.
    var first = 0
    var idle = 0
    var count = 0

    mutating func next() -> (@Sendable () -> Void)? {
      guard first < jobs.count else { return nil }
      defer {
        first += 1
        if first > 256, first > jobs.count / 2 {
          jobs.removeFirst(first)
          first = 0
        }
      }
      return jobs[first]
    }
  }

  private let name: String
  private let most: Int
  private let state = Mutex(State())
  private let wakes = DispatchSemaphore(value: 0)

  package init(name: String, most: Int) {
    self.name = name
    self.most = max(1, most)
  }

  package func run(_ job: @escaping @Sendable () -> Void) {
    let (wakesOne, startsOne) = state.withLock { state in
      state.jobs.append(job)
      if state.idle > 0 {
        state.idle -= 1
        return (true, false)
      }
      guard state.count < most else { return (false, false) }
      state.count += 1
      return (false, true)
    }
    if wakesOne { wakes.signal() }
    if startsOne { start() }
  }

  private func start() {
    let thread = Thread { [self] in
      while true {
        let job = state.withLock { state in
          let job = state.next()
          if job == nil { state.idle += 1 }
          return job
        }
        if let job { job() } else { wakes.wait() }
      }
    }
    thread.name = name
    thread.stackSize = 4 << 20
    thread.start()
  }
}
