/// What work inside a read transaction is given.
struct ReadLease {
  var session: ReaderConnection.Session
  var reader: ReaderConnection
  var snapshotSequence: UInt64
  /// Cancelled once it must end: work stops soon then.
  var transaction: ReadTransaction
  /// The turn in which the work runs.
  var turn: Turn
}
