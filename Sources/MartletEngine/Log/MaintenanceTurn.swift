import MartletValues

/// Lets one check of a database run at a time, and makes closing the database wait for it.
///
/// Always true: once closed nothing begins.
final class MaintenanceTurn: Sendable {
  private struct State {
    var isRunning = false
    var isClosed = false
  }

  private let monitor = Monitor(State())

  /// Takes the turn. Throws if another check runs, or the database is being closed.
  func begin() throws(RequestError) {
    let refusal: RequestError? = monitor.change { state in
      if state.isClosed { return .shuttingDown }
      if state.isRunning { return .maintenanceBusy }
      state.isRunning = true
      return nil
    }
    if let refusal { throw refusal }
  }

  func end() { monitor.change { $0.isRunning = false } }

  /// Returns when nothing runs any more; the caller has told the running check to stop.
  func close() {
    monitor.change { $0.isClosed = true }
    monitor.wait { $0.isRunning ? .wait(nanoseconds: nil) : .found(()) }
  }
}
