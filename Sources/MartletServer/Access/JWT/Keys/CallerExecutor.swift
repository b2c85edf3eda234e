internal import Dispatch
internal import Synchronization

/// Runs what is asynchronous, the actors without an executor of their own included, on the thread that waits for it.
///
/// Always true: it needs no thread of Swift's pool, so threads of the pool may wait here without holding up one
/// another.
package final class CallerExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  /// Once for each job, and once for the result.
  private let news = DispatchSemaphore(value: 0)

  private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  private init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    news.signal()
  }

  /// For what ends soon: a loop or a signal's thread waits here as it waits for a file.
  package static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let executor = CallerExecutor()
    let answer = Answer<Value>()
    Task(executorPreference: executor) {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      answer.result.withLock { $0 = result }
      executor.news.signal()
    }
    while true {
      let job = executor.jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let job {
        job.runSynchronously(on: executor.asUnownedTaskExecutor())
      } else if let result = answer.result.withLock({ $0 }) {
        return try result.get()
      } else {
        executor.news.wait()
      }
    }
  }
}
