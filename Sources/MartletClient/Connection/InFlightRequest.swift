/// A handle on a request that was given to a connection.
///
/// Always true: it keeps the route alive by which it was sent. So if the program releases the database, rows that are
/// still being read are not cut off.
struct InFlightRequest: Sendable {
  let connection: ClientConnection
  let id: UInt32
  /// The pool, which closes its connections when nobody has it any more.
  var route: (any RequestRoute)?

  /// Asks the server to stop. The receiver is still told of the end.
  func cancel() { connection.perform { session, actions in session.cancelled(self.id, &actions) } }

  /// The most bytes that one message can give, for rows that are wanted whatever their size.
  static let creditForAll = Int(UInt32.max)

  /// The consumer took rows of `bytes` bytes.
  func extendCredit(_ bytes: Int) {
    connection.perform { session, actions in session.consumed(self.id, bytes: bytes, &actions) }
  }
}
