/// Why the registry of snapshots ended an open read.
enum SnapshotEnd: Sendable, Equatable {
  /// Its deadline, or the time it may be idle or last, has passed.
  case due
  /// The log has grown so much since it began, and cannot start anew because of it.
  case logGrew(ageMs: Int, grownBytes: UInt64)
  case shutDown
}
