import MartletSQLite
import Synchronization

/// Counts, and tells of, connections that were found in an unexplained state, and what was done about it.
///
/// Always true: it only reports; the caller has rolled back, or fenced, before.
final class Recoveries: Sendable {
  let count = Atomic<UInt64>(0)
  private let database: String
  private let tell: @Sendable (EngineNotice) -> Void
  private let stepFault: (@Sendable (_ connection: String) -> Bool)?

  init(
    database: String = "", tell: @escaping @Sendable (EngineNotice) -> Void = { _ in },
    stepFault: (@Sendable (_ connection: String) -> Bool)? = nil
  ) {
    self.database = database
    self.tell = tell
    self.stepFault = stepFault
  }

  convenience init(database: String, configuration: EngineConfiguration) {
    self.init(database: database, tell: configuration.report, stepFault: configuration.stepFault)
  }

  /// Lets a test's faults into a connection that has opened; does nothing otherwise.
  func attach(to connection: Connection) {
    guard let stepFault else { return }
    let label = connection.label
    connection.limiter.fault = { stepFault(label) }
  }

  /// A transaction was open that should not have been, or one was not open that should have been; `connection` is
  /// usable again.
  func recovered(_ connection: String, _ deed: String) {
    count.wrappingAdd(1, ordering: .relaxed)
    tell(EngineNotice(.warning, database: database, "The connection \(connection) was put right: \(deed)"))
  }

  /// The connection could not be put right, so nothing is written through it any more.
  func fenced(_ connection: String, _ deed: String) {
    count.wrappingAdd(1, ordering: .relaxed)
    tell(
      EngineNotice(.error, database: database, "Writing to the database has stopped (\(connection)): \(deed)"))
  }
}
