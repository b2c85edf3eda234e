import MartletThreads
import MartletValues
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where closures run: which threads are inside of one, and a queue of threads that may block.
///
/// Always true: a thread is inside of at most one closure of a database, since a second would wait for the first.
package final class ClosureThreads: Sendable {
  private let inside = Mutex<Set<UInt>>([])

  private static let pool = ThreadPool(
    name: "martlet closure", most: DatabaseLimits.closureThreadsMax, waitingMax: DatabaseLimits.waitingCallsMax)

  private static var current: UInt {
    // The thread's handle is only compared, because two living threads never have the same.
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Throws if the calling thread is inside of a closure of this database.
  func checkOutside() throws {
    guard inside.withLock({ !$0.contains(Self.current) }) else {
      throw RequestError.closureInsideClosure
    }
  }

  func run<T>(_ body: () throws -> T) throws -> T {
    let thread = Self.current
    inside.withLock { _ = $0.insert(thread) }
    defer { inside.withLock { _ = $0.remove(thread) } }
    return try body()
  }

  /// Runs `body` on a thread that may block, with the deadline of the task that waits for it. Throws `OVERLOADED` if
  /// too many others wait for one.
  package static func offload<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    let deadline = Deadline.current
    return try await offload { done in done(Result { try Deadline.inherit(deadline, body) }) }
  }

  /// Runs `body` on a thread of `pool`, and waits for the result that it hands over, at once or later. If too many
  /// others wait for a thread, `body` does not run; `refused` is called, and `OVERLOADED` is thrown.
  static func offload<T: Sendable>(
    to pool: ThreadPool = pool,
    _ body: @escaping @Sendable (@escaping @Sendable (Result<T, any Error>) -> Void) -> Void,
    refused: () -> Void = {}
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      if pool.offer({ body { continuation.resume(with: $0) } }) { return }
      refused()
      continuation.resume(throwing: RequestError.tooManyCallsWait)
    }
  }
}
