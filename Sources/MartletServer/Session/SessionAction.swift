internal import MartletProtocol
internal import MartletValues

/// What a session wants done; one small layer does it on libuv and the engine.
///
/// Always true: actions are carried out in their order, and none needs an answer at once: answers come as events.
enum SessionAction: Equatable, Sendable {
  /// Append a message to the output, for one request (0: the connection) and step (0: the request itself).
  case send(ServerMessage.Part, to: UInt32, step: UInt32)

  /// Look up who shows this credential, or whoever the transport knows; `identified` or `identityRefused` follows.
  case identify(credential: String)

  /// The session is for the server as a whole; `databaseOpened` follows.
  case openServer

  /// Open the database for sessions of that setup; `databaseOpened` or `databaseRefused` follows. Take no frames until
  /// then.
  case openDatabase(name: String, create: Bool, setup: [[UInt8]])
  /// Frames may be this long from now on.
  case setFrameLimit(bytes: Int)

  /// Carry out what was asked. It was let in: its permissions are held, its transaction is open.
  case start(UInt32, ClientMessage.Request, deadline: MonotonicTime, credit: Int)

  case extendCredit(UInt32, bytes: Int)
  case cancel(UInt32)
  /// The client has left the request's rows where they are for too long: they need not be kept.
  case dropUntakenRows(UInt32)
  /// The request has ended: forget its execution.
  case forgetRequest(UInt32)
  /// The transaction has ended: forget it; roll it back if it may still be open.
  case forgetTransaction(UInt32)

  case pauseReading
  case resumeReading
  /// Write what there is and then the end of the stream; ignore what still comes.
  case finishWriting
  /// Abandon every execution and transaction, write what can be written at once, and close.
  case close(CloseReason)
}

/// Why a session closed; the server counts each.
enum CloseReason: String, Sendable, CaseIterable {
  case peerClosed = "peer_closed"
  case connectionFailed = "connection_failed"
  case protocolViolation = "protocol_violation"
  case helloTooLate = "hello_too_late"
  case frameTooSlow = "frame_too_slow"
  case idleTooLong = "idle_too_long"
  case outputStalled = "output_stalled"
  case refused = "refused"
  case databaseGone = "database_gone"
  case shuttingDown = "shutting_down"
  case unidentified = "unidentified"
  case identityEnded = "identity_ended"
  case databaseTaken = "database_taken"
  case quotaExceeded = "quota_exceeded"
}
