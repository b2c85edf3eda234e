/// The loop itself: posting, waking, timers, offloading, stopping.
///
/// Always true: waits end with an event, never with a time.
import Foundation
import MartletLoop
import Synchronization
import Testing

@Suite struct EventLoopTests {
  @Test func `what is posted runs in order on the loop`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let order = Locked<[Int]>([])
    let onLoop: Bool = await withCheckedContinuation { done in
      for number in 0..<1_000 { loop.post { order.withLock { $0.append(number) } } }
      loop.post { done.resume(returning: loop.isOnLoop) }
    }
    #expect(onLoop)
    #expect(order.withLock { $0 } == Array(0..<1_000))
    #expect(!loop.isOnLoop)
  }

  @Test func `posts of many threads all arrive`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let count = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { loop.post { count.withLock { $0 += 1 } } } }
      }
    }
    await loop.run {}
    #expect(count.withLock { $0 } == 4_000)
  }

  @Test func `a stopped loop takes nothing and its thread ends`() throws {
    let loop = try EventLoop(label: "test")
    loop.stop()
    loop.join()
    loop.join()
    #expect(!loop.post {})
  }

  @Test func `signals of a wake-up coalesce but none is lost`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let seen = Locked(0)
    let pending = Locked(0)
    let wakeUp: WakeUp = try await loop.run {
      try WakeUp(on: loop) {
        seen.withLock { seen in
          seen += pending.withLock { pending in
            defer { pending = 0 }
            return pending
          }
        }
      }
    }
    for _ in 0..<1_000 {
      pending.withLock { $0 += 1 }
      wakeUp.signal()
    }
    while seen.withLock({ $0 }) < 1_000 { await loop.run {} }
    await loop.run { wakeUp.close() }
    wakeUp.signal()
    #expect(seen.withLock { $0 } == 1_000)
  }

  @Test func `a repeating timer fires until it is stopped`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let fired: Int = await withCheckedContinuation { done in
      loop.post {
        var count = 0
        var timer: LoopTimer?
        timer = try? LoopTimer(on: loop) {
          count += 1
          guard count == 3 else { return }
          timer?.stop()
          #expect(timer?.isActive == false)
          timer?.close()
          timer = nil
          done.resume(returning: count)
        }
        timer?.start(afterMs: 1, repeatMs: 1)
      }
    }
    #expect(fired == 3)
  }

  @Test func `a signal that was blocked when the process began still arrives`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let seen: Bool = await withCheckedContinuation { done in
      loop.post {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR2)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var watcher: SignalWatcher?
        watcher = try? SignalWatcher(SIGUSR2, on: loop) {
          watcher?.close()
          watcher = nil
          done.resume(returning: true)
        }
        // Sent to this very thread: it waits there until the thread lets it through.
        pthread_kill(pthread_self(), SIGUSR2)
      }
    }
    #expect(seen)
  }

  @Test func `offloaded work leaves the loop and its result comes back to it`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let places: (Bool, Bool) = await withCheckedContinuation { done in
      loop.offload {
        loop.isOnLoop
      } then: { workedOnLoop in
        done.resume(returning: (workedOnLoop, loop.isOnLoop))
      }
    }
    #expect(places == (false, true))
  }
}

/// A value that threads share.
final class Locked<Value: Sendable>: Sendable {
  private let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in
      var copy = value
      defer { value = copy }
      return body(&copy)
    }
  }
}

extension EventLoop {
  func shutDown() {
    stop()
    join()
  }

  /// Runs `body` on the loop and waits for its result.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { done in post { done.resume(returning: body()) } }
  }

  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { done in
      post { done.resume(with: Swift.Result { try body() }) }
    }
  }
}
