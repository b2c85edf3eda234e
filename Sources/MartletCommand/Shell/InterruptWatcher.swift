/// Control-C while a statement runs: the statement is cancelled at the server, and the program goes on.
///
/// Always true: without a running statement the signal does what it always does.
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

final class InterruptWatcher: Sendable {
  /// Waits for `task` and cancels it when the process is interrupted meanwhile.
  func cancelling<Success: Sendable>(_ task: Task<Success, any Error>) async throws -> Success {
    let previous = signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT)
    source.setEventHandler { task.cancel() }
    source.activate()
    defer {
      source.cancel()
      _ = signal(SIGINT, previous)
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
