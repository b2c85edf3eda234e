import Synchronization

/// How much has ever been written to a database's write-ahead log: what snapshots are measured by.
///
/// Always true: only grows; the writer's thread says so after each commit, others read it.
final class LogMeter: Sendable {
  private let bytes = Atomic<UInt64>(0)

  var writtenBytes: UInt64 { bytes.load(ordering: .relaxed) }

  func set(writtenBytes: UInt64) { bytes.store(writtenBytes, ordering: .relaxed) }
}
