/// Lets a test wait for something that happens on another thread, for a minute at most.
import Dispatch
import Testing

final class DispatchSignal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  func wait() { #expect(semaphore.wait(timeout: .now() + 60) == .success) }
}
