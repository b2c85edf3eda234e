import Foundation
import MartletSQLite
package import MartletValues

/// A fenced database that takes writes again: its files and its content are looked at, and it is opened anew.
///
/// Always true: every attempt looks at the same things, whoever asked for it. If the cause is still there, or the
/// content is damaged, it stays fenced; what the former connections had not synced is written and synced before the
/// first write, since a failed sync may have left it in memory only. If that fails, everybody is told why, and whoever
/// comes later has it tried again.
extension Engine {
  /// Opens a fenced database anew. `release` is called when it is about to be closed: the owners of its inline readers
  /// let them go. Blocks, for as long as looking at the content takes.
  ///
  /// Throws FAILED_PRECONDITION if it is not fenced, and what is still wrong; it stays fenced then.
  package func unfence(named name: String, deadline: MonotonicTime, release: () -> Void) throws(RequestError) {
    if takesRecovery(of: name) { return }
    try openAnew(name, deadline: deadline, release)
  }

  /// The same for a database that could not be opened anew before, because somebody wants it.
  package func recover(_ name: String, deadline: MonotonicTime, release: () -> Void) throws(RequestError) {
    do throws(RequestError) {
      try openAnew(name, deadline: deadline, release)
    } catch {
      let now = configuration.clock()
      monitor.change { $0.postponed(name, error, at: now) }
      throw error
    }
    monitor.change { $0.recovered(name) }
  }

  /// `retry` is called when somebody wants a database that could not be opened anew, at most once a second for each. It
  /// must not block.
  package func whenBarredIsWanted(_ retry: @escaping @Sendable (_ name: String) -> Void) {
    monitor.withLock { $0.retry = retry }
  }

  private func openAnew(_ name: String, deadline: MonotonicTime, _ release: () -> Void) throws(RequestError) {
    let former = try fencedFile(named: name)
    let directory = try presentDirectory(for: name)
    if let fault = former.parts.files.remainingFault(in: directory) { throw fault.stillThere(database: name) }
    try checkContent(of: name, beside: former, in: directory, deadline: deadline)
    release()
    try reopen(name, former: former, in: directory)
    configuration.report(EngineNotice(.notice, database: name, "The database takes writes again"))
  }

  private func checkContent(
    of name: String, beside former: DatabaseFile, in directory: DataDirectory, deadline: MonotonicTime
  ) throws(RequestError) {
    let path = DatabaseName.path(of: name, in: directory.path)
    let problem: RequestError?
    do throws(SQLiteError) {
      var setup = ConnectionSetup(limits: configuration.limits)
      setup.followsLinks = false
      setup.key = directory.key?.bytes
      let clock = configuration.clock
      let connection = try Connection(
        path: path, label: "unfence", access: .reader, setup: setup, companion: former.parts.files,
        clock: { clock().nanoseconds })
      connection.limiter.arm(deadlineNanoseconds: deadline.nanoseconds, cancellation: nil)
      defer { connection.limiter.disarm() }
      let words = try connection.text(of: MaintenanceSQL.checkWhole) ?? ""
      // While the disk still fails, what is open goes on to be read; once it was closed nobody could.
      try connection.syncLog()
      problem = words == "ok" ? nil : .damaged(database: name, words)
    } catch {
      problem = RequestError(error)
    }
    if let problem { throw problem }
  }
}
