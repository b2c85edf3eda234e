import MartletSQLite

/// What work inside a read transaction is given.
struct ReadLease {
  var session: ReaderConnection.Session
  var reader: ReaderConnection
  var snapshotSequence: UInt64
  /// True once the transaction must end: work stops soon then.
  var cancellation: any CancellationSource
  /// The turn in which the work runs.
  var turn: Turn
}
