import MartletValues

/// Wants a connection. It is called back when it gets one, and knows nothing of who lends it.
protocol LeaseHolder: AnyObject, Sendable {
  /// The connection is the holder's until it gives it back. Called on any thread; must not block.
  func leased(_ reader: ReaderConnection)
  /// The holder waits no more, because others wait that have less, or there is no connection for it.
  func refused(_ error: RequestError)
  var share: SessionShare { get }
  /// What the holder's connection is to be prepared with.
  var script: SetupScript { get }
}

/// Holds a connection while it waits for its client, and can be asked to give it up.
protocol PausedHolder: AnyObject, Sendable {
  /// Others need the connection.
  func reclaim()
}

/// What a read on a leased connection asks of those who lend it, and tells them.
protocol LeaseSeat: ReadSeat {
  /// The session has so many connections that one is due to another session.
  var isOverShare: Bool { get }
  /// The holder of the connection waits for its client.
  func paused(_ holder: any PausedHolder)
  func resumed()
}
