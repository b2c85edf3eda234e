internal import Foundation
internal import Synchronization

/// Starts threads. The system may have none to give for a while: it counts them, and each needs room for its stack.
///
/// Always true: what `start` is given runs once, on a thread of its own. If there is none now, it runs as soon as there
/// is one and somebody asks for that: at the next `start`, or by `tryAgain`. What `startNow` is given never runs late.
package final class ThreadStarter: Sendable {
  /// What a thread is for.
  struct Order: Sendable {
    let name: String
    let stackBytes: Int
    let work: @Sendable () -> Void
  }

  package static let shared = ThreadStarter(create: systemThread)

  private let late = Mutex<[Order]>([])
  /// How many are late; changed with their lock held.
  private let lateCount = Atomic<Int>(0)
  /// False if the system has no thread to give.
  private let create: @Sendable (Order) -> Bool

  init(create: @escaping @Sendable (Order) -> Bool) { self.create = create }

  /// Runs `work` on a thread of its own. Its stack is large enough for SQLite's deepest expressions, unless
  /// `stackBytes` says less.
  package func start(
    named name: String, stackBytes: Int = ThreadLimits.stackBytes, _ work: @escaping @Sendable () -> Void
  ) {
    // In the order in which they came.
    tryAgain(with: Order(name: name, stackBytes: stackBytes, work: work))
  }

  /// The same for who cannot wait: false if there is no thread now, and then `work` does not run.
  package func startNow(named name: String, _ work: @escaping @Sendable () -> Void) -> Bool {
    create(Order(name: name, stackBytes: ThreadLimits.stackBytes, work: work))
  }

  /// Starts what could not start before. Called from time to time. Returns how many threads are still missing.
  @discardableResult
  package func tryAgain() -> Int { lateCount.load(ordering: .acquiring) == 0 ? 0 : tryAgain(with: nil) }

  @discardableResult
  private func tryAgain(with order: Order?) -> Int {
    late.withLock { late in
      if let order { late.append(order) }
      while let first = late.first, create(first) { late.removeFirst() }
      lateCount.store(late.count, ordering: .releasing)
      return late.count
    }
  }

  // MARK: - The system

  private final class Work: Sendable {
    let order: Order
    init(_ order: Order) { self.order = order }

    func run() {
      Thread.current.name = order.name
      order.work()
    }
  }

  private static func systemThread(_ order: Order) -> Bool {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    guard pthread_attr_init(attributes) == 0 else { return false }
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(attributes, order.stackBytes)
    // Retained because the thread holds only the pointer; it takes the reference over.
    let context = Unmanaged.passRetained(Work(order))
    #if os(Linux)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let pointer = context.toOpaque()
    #if os(Linux)
      // `!` because the system hands the thread what is passed here.
      let code = pthread_create(
        &thread, attributes,
        { context in
          Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
          return nil
        }, pointer)
    #else
      let code = pthread_create(
        &thread, attributes,
        { context in
          // Sound because it is the work whose reference was retained above.
          Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, pointer)
    #endif
    if code != 0 { context.release() }
    return code == 0
  }
}
