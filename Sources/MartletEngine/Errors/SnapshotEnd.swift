/// Why the registry of snapshots ended an open read.
enum SnapshotEnd: Sendable, Equatable {
  /// The read's deadline has passed, or the time that it may be idle or last.
  case due
  /// The log has grown by `grownBytes` since the snapshot was taken, and cannot start anew because of it.
  case logGrew(ageMs: Int, grownBytes: UInt64)
  /// The log has lost its name, and nothing may keep a part of it from being copied.
  case logLost
  case shutDown
}
