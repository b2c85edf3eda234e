internal import MartletThreads
internal import MartletValues
internal import NIOPosix
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits on a plain thread for the result of an asynchronous function.
///
/// Always true: never on an event loop's thread, where the answer could not arrive.
enum Blocking {
  /// Throws if the calling thread is an event loop's.
  static func checkThread() throws(ClientError) {
    guard MultiThreadedEventLoopGroup.currentEventLoop == nil else {
      throw .blockingOnLoop
    }
  }

  /// Runs `operation` in a task of its own, which inherits the deadline, and waits for it.
  static func wait<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) throws -> Success {
    try start(operation).result.wait().get()
  }

  /// The same, and `canceller` cancels the task.
  static func wait<Success: Sendable>(
    endedBy canceller: RequestCanceller, _ operation: @escaping @Sendable () async throws -> Success
  ) throws -> Success {
    let (task, result) = try start(operation)
    let number = canceller.add { task.cancel() }
    defer { canceller.remove(number) }
    do {
      return try result.wait().get()
    } catch is CancellationError {
      throw RequestError.cancelledBetween
    }
  }

  private static func start<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) throws -> (task: Task<Void, Never>, result: AwaitedResult<Success>) {
    try checkThread()
    let result = AwaitedResult<Success>()
    let task = Task(executorPreference: WaitingExecutor.one) { result.arrived(await Result(of: operation)) }
    return (task, result)
  }
}

/// Runs the tasks that plain threads wait for, on threads of its own: the threads that wait may be all that the shared
/// pool has.
private final class WaitingExecutor: TaskExecutor {
  static let one = WaitingExecutor()

  private let threads = ThreadPool(name: "martlet waiting", most: ClientLimits.waitingThreads)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Result where Failure == any Error, Success: Sendable {
  fileprivate init(of operation: @Sendable () async throws -> Success) async {
    do {
      self = .success(try await operation())
    } catch {
      self = .failure(error)
    }
  }
}

/// One result, and a thread that waits for it.
// Unchecked because `result` is only touched under the mutex, and the two pointers never change.
private final class AwaitedResult<Success: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var result: Result<Success, any Error>?

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func arrived(_ result: Result<Success, any Error>) {
    pthread_mutex_lock(mutex)
    self.result = result
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  func wait() -> Result<Success, any Error> {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}
