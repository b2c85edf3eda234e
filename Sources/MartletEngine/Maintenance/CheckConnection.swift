import Foundation
import MartletSQLite
import MartletValues
import Synchronization

/// A connection that looks a database over and writes nothing, and can be stopped from another thread at any point.
///
/// Always true: between two calls it holds no snapshot; it sees CHECK constraints unless the file may only be read; the
/// thread that makes it runs with low priority from then on.
// Unchecked because one thread uses the connection, and `stop` only interrupts it, under the mutex that ends its life.
final class CheckConnection: @unchecked Sendable {
  private let connection: Connection
  private let isOpen = Mutex(true)
  private let stopped = StopFlag()

  /// An object of its own, because the connection's limiter keeps it.
  private final class StopFlag: CancellationSource {
    let isRaised = Atomic<Bool>(false)
    var isCancelled: Bool { isRaised.load(ordering: .acquiring) }
  }

  init(
    _ files: DatabaseFiles, limits: Limits, clock: @escaping @Sendable () -> MonotonicTime
  ) throws(RequestError) {
    var setup = ConnectionSetup(limits: limits)
    setup.seesChecks = true
    do throws(SQLiteError) {
      connection = try Connection(
        reading: files.path, files: files, label: "check", setup: setup, clock: { clock().nanoseconds })
    } catch {
      throw files.explainedReading(error)
    }
    #if os(Linux)
      // Of this thread only: threads that serve requests come first.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
  }

  /// Ends what runs, and refuses what comes; from any thread.
  func stop() {
    stopped.isRaised.store(true, ordering: .releasing)
    isOpen.withLock { if $0 { connection.interrupt() } }
  }

  /// No call of `stop` reaches the connection after this.
  func retire() { isOpen.withLock { $0 = false } }

  var wasStopped: Bool { stopped.isCancelled }

  /// Whether it sees CHECK constraints. If not, the system let the file be opened for reading only.
  var seesChecks: Bool { !connection.isFileReadOnly }

  /// Whether CHECK constraints are looked at from now on.
  func lookAtChecks(_ isWanted: Bool) throws(RequestError) {
    try run(isWanted ? MaintenanceSQL.lookAtChecks : MaintenanceSQL.leaveOutChecks)
  }

  /// Runs `body` in one snapshot.
  func inSnapshot<Result>(_ body: () throws(RequestError) -> Result) throws(RequestError) -> Result {
    try run(TransactionSQL.begin)
    do throws(RequestError) {
      let result = try body()
      try run(TransactionSQL.commit)
      return result
    } catch {
      // Ending a read transaction writes nothing, so it should not fail.
      try? run(TransactionSQL.commit)
      throw error
    }
  }

  private func run(_ sql: String) throws(RequestError) {
    do throws(SQLiteError) { try connection.execute(sql) } catch { throw RequestError(error) }
  }

  /// Compares the checksums of some pages; nil if the file has none.
  func verifyPages(from page: Int, count: Int) -> PageSlice? { connection.verifyPages(from: page, count: count) }

  /// The rows of one of the engine's statements, each value as text.
  func rows(_ sql: String, _ name: String? = nil, columns: Int) throws(RequestError) -> [[String]] {
    var rows: [[String]] = []
    try addRows(sql, name, columns: columns, to: &rows)
    return rows
  }

  /// The same, one by one: those before an error are there.
  func addRows(
    _ sql: String, _ name: String? = nil, columns: Int, to rows: inout [[String]]
  ) throws(RequestError) {
    do throws(SQLiteError) {
      try stoppable { connection throws(SQLiteError) in
        let statement = try connection.prepare(sql, for: .engine)
        if let name { try statement.bindText(name, at: 1) }
        while try statement.step() {
          rows.append(
            (0..<columns).map { column in
              let value = statement.value(at: column)
              return value.type == .null ? "" : String(decoding: value.textBytes, as: UTF8.self)
            })
        }
      }
    } catch {
      throw RequestError(error)
    }
  }

  /// Does what `stop` ends.
  func stoppable<Result>(_ body: (Connection) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    connection.limiter.arm(deadlineNanoseconds: .max, cancellation: stopped)
    defer { connection.limiter.disarm() }
    return try body(connection)
  }
}
