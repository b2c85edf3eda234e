/// The threads on which reads of the pool run, shared by all databases of an engine.
///
/// Always true: jobs start in the order in which they came; there are never more of them than leased connections, which
/// are bounded, so the queue is. Their stacks are large enough for SQLite's deepest expressions.
import Foundation
import Synchronization

final class WorkerThreads: Sendable {
  typealias Job = @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    /// Where in `jobs` the next one is; those before it are done.
    var next = 0
    var isStopping = false
  }

  private let state = Mutex(State())
  private let waiting = Atomic<Int>(0)
  private let ready = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)
  private let count: Int

  init(count: Int, label: String) {
    self.count = max(1, count)
    for number in 0..<self.count {
      let thread = Thread { [self] in work() }
      thread.name = "\(label).\(number)"
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  func submit(_ job: @escaping Job) {
    waiting.add(1, ordering: .relaxed)
    state.withLock { $0.jobs.append(job) }
    ready.signal()
  }

  /// Whether a job waits for a thread, so that a long one may make room.
  var hasWaiting: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// Runs what was submitted to its end and stops the threads. Blocks until they have stopped.
  func stop() {
    state.withLock { $0.isStopping = true }
    for _ in 0..<count { ready.signal() }
    for _ in 0..<count { stopped.wait() }
  }

  private func work() {
    while true {
      ready.wait()
      guard let job = take() else { break }
      waiting.subtract(1, ordering: .relaxed)
      job()
    }
    stopped.signal()
  }

  /// Nil where there is none left and none may come.
  private func take() -> Job? {
    state.withLock { state in
      guard state.next < state.jobs.count else { return nil }
      let job = state.jobs[state.next]
      state.next += 1
      if state.next == state.jobs.count || state.next > 256 {
        state.jobs.removeFirst(state.next)
        state.next = 0
      }
      return job
    }
  }
}
