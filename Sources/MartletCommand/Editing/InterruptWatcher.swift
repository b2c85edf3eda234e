import Foundation
import Synchronization

/// Control-C while a statement runs: the statement is cancelled at the server, and the program goes on.
///
/// Always true: without a running statement the signal does what it did before. The handler itself only writes a byte
/// to a pipe, which is all that a signal handler may do; a thread that waits at the pipe does the rest.
final class InterruptWatcher: Sendable {
  private static let shared = InterruptWatcher()

  private let cancel = Mutex<(@Sendable () -> Void)?>(nil)
  private let readEnd: Int32
  /// Where the signal handler finds the pipe; a handler can capture nothing.
  private static let writeEnd = Atomic<Int32>(-1)
  private static let hasCome = Atomic(false)

  /// The work that ran last was cancelled by Control-C.
  static var wasInterrupted: Bool { hasCome.load(ordering: .relaxed) }

  private init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    readEnd = ends[0]
    Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    let thread = Thread { [self] in forwardInterrupts() }
    thread.name = "interrupts"
    thread.start()
  }

  private func forwardInterrupts() {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) == 1 {
      Self.hasCome.store(true, ordering: .relaxed)
      cancel.withLock { $0 }?()
    }
  }

  /// Control-C between two statements does not end the program. Programs that it starts have their own way with it.
  static func survive() { signal(SIGINT) { _ in } }

  /// Runs `work` in a task, and cancels it when the process is interrupted meanwhile.
  static func cancelling<Success: Sendable>(
    _ work: sending @escaping () async throws -> Success
  ) async throws -> Success {
    hasCome.store(false, ordering: .relaxed)
    let interruption = Interruption()
    shared.cancel.withLock { $0 = { interruption.came() } }
    let previous = signal(SIGINT) { _ in
      let end = InterruptWatcher.writeEnd.load(ordering: .relaxed)
      var byte: UInt8 = 0
      _ = write(end, &byte, 1)
    }
    defer {
      _ = signal(SIGINT, previous)
      shared.cancel.withLock { $0 = nil }
    }
    // From here on an interrupt is heard, so that nothing that the work begins is left half done.
    let task = Task { try await work() }
    interruption.cancels { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// An interrupt and what it cancels, whichever comes first.
private final class Interruption: Sendable {
  private struct State {
    var hasCome = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func came() {
    let cancel = state.withLock { state in
      state.hasCome = true
      return state.cancel
    }
    cancel?()
  }

  func cancels(_ cancel: @escaping @Sendable () -> Void) {
    let hasCome = state.withLock { state in
      state.cancel = cancel
      return state.hasCome
    }
    if hasCome { cancel() }
  }
}
