import MartletSQLite
import MartletValues

/// Copies a log that has lost its name, or whose shared file has, into the database's file, and says whether all of it
/// was. The descriptors of both are still open.
///
/// A part of a log is worse than nothing of it: a checkpoint leaves out each page that has a newer version behind that
/// part, so the file would hold pages of several commits. So the snapshots that would keep some of it back are ended.
///
/// Always true: used on the writer's thread only, by a connection that is fenced and has no transaction open, and only
/// while the database's file is what it was; after a failed sync nothing is tried again.
final class LogRescue {
  private let files: DatabaseFiles
  private let waitMs: Int
  private let report: @Sendable (EngineNotice) -> Void
  /// Ends the snapshots from before so many bytes had ever been written to the log.
  private let endOldSnapshots: @Sendable (_ writtenBytes: UInt64) -> Void

  /// Something is left in the log, and may be copied later, when the disk has room or a snapshot has ended after all.
  private(set) var isOwed = false

  init(
    files: DatabaseFiles, configuration: EngineConfiguration,
    endOldSnapshots: @escaping @Sendable (_ writtenBytes: UInt64) -> Void
  ) {
    self.files = files
    self.endOldSnapshots = endOldSnapshots
    waitMs = configuration.limits.busyTimeoutMs
    report = configuration.report
  }

  /// Something is wrong with the files, and `writer` has been fenced for it. Ends snapshots that are older than the
  /// last commit, and waits for those who hold them, each time for as long as a connection waits for a lock.
  func begin(on writer: WriterConnection) {
    guard !isOwed, let part = files.lostPart else { return }
    guard writer.connection.isLogWhole else { return tell(.error, part, "what the log held could not be copied") }
    // The second time all of them, because a snapshot may have been taken while its commit was not counted yet.
    for writtenBytes in [writer.connection.walWrittenBytes, .max] {
      endOldSnapshots(writtenBytes)
      if copy(by: writer, waitMs: waitMs) { return tell(.warning, part, "all that the log held was copied") }
      guard isOwed else { break }
    }
    tell(.error, part, "what the log held could not all be copied")
  }

  /// Tries again to copy what is left, without waiting.
  func goOn(on writer: WriterConnection) {
    guard isOwed, let part = files.lostPart else { return }
    endOldSnapshots(.max)
    guard copy(by: writer, waitMs: 0) else { return }
    tell(.warning, part, "what was left of the log has been copied now, so that all is")
  }

  /// Whether nothing is left.
  private func copy(by writer: WriterConnection, waitMs: Int) -> Bool {
    do throws(SQLiteError) {
      isOwed = !(try writer.rescueLog(waitMs: waitMs))
      return !isOwed
    } catch {
      isOwed = !SQLiteCode.isFailedSync(error.extendedCode)
      return false
    }
  }

  private func tell(_ level: EngineNotice.Level, _ part: FileExpectation.Part, _ outcome: String) {
    let loss = part == .log ? "The log was removed" : "The shared file of the log was removed"
    report(EngineNotice(level, database: files.name, "\(loss); \(outcome) into the database's file"))
  }
}
