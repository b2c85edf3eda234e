import MartletValues

/// Wants a connection, or has one, and is called back by the pool that lends it.
protocol LeaseHolder: AnyObject, Sendable {
  /// The connection is the holder's until it gives it back. Called on any thread; must not block.
  func leased(_ reader: ReaderConnection)
  /// The holder waits no more, because others wait that have less, or there is no connection for it.
  func refused(_ error: RequestError)
  /// The holder waited for its client, and others need the connection.
  func reclaim()
  var share: SessionShare { get }
  /// What the holder's connection is to be prepared with.
  var script: SetupScript { get }
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
  /// A stream is about to wait for its client. Called with the stream's lock held.
  func streamWaits(_ stream: any LeaseHolder, on reader: ReaderConnection)
  /// A stream waits for its client: others that wait for a connection may have that of the stream.
  func streamPaused()
  /// The stream gives its connection to others, and wants one among the long reads.
  func streamPutBack(_ stream: any LeaseHolder, from reader: ReaderConnection)
}
