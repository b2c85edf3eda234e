import MartletValues

/// What every read of one database's pool needs to know.
///
/// Always true: made once with the pool, and the same for all its reads.
struct ReadContext: Sendable {
  var limits: Limits
  var limitsInForce: LimitsInForce
  var clock: @Sendable () -> MonotonicTime
  var commits: CommitClock
  var snapshots: SnapshotRegistry
  var workers: WorkerThreads
  var counters: ReadCounters
  /// The database whose time reads take, beside that of their sessions.
  var database: Int
}

/// Gave a stream its connection and wants it back.
protocol StreamHome: AnyObject, Sendable {
  /// The status that completions of the streams say.
  var transactionStatus: TransactionStatus { get }
  /// The commit that the snapshot holds; nil if each stream takes a snapshot of its own.
  var snapshotSequence: UInt64? { get }
  /// The stream has ended and been answered; the connection runs nothing.
  func streamEnded(_ reader: ReaderConnection)
  /// The stream has ended before it got a connection.
  func streamWithdrew(_ stream: any LeaseHolder)
  /// A stream waits for its client: others that wait for a connection may have that of the stream.
  func streamPaused()
  /// The stream gives its connection to others, and wants one among the long reads.
  func streamPutBack(_ stream: any LeaseHolder, from reader: ReaderConnection)
}
