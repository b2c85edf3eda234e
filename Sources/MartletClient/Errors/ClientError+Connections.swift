internal import MartletValues

// MARK: - Connections that end

/// Why a connection ended, or why a request was not sent on it.
///
/// Always true: a condition has one member, whoever meets it.
extension ClientError {
  static let closedHere = ClientError(.closed, RequestError.databaseClosed.message)

  static let connectionLost = ClientError(.connectionLost, "The connection to the server was lost.")

  static let serverSilent = ClientError(.connectionLost, "The server has stopped answering.")

  /// - Parameter message: the server's.
  static func endedByServer(_ message: String) -> ClientError {
    ClientError(.connectionLost, "The server ended the connection: \(message)")
  }

  /// - Parameter message: the server's.
  static func refusedByServer(_ message: String) -> ClientError {
    ClientError(.cannotConnect, "The server refused the connection: \(message)")
  }
}

// MARK: - What the protocol does not allow

extension ClientError {
  /// - Parameter message: what is wrong with the server's bytes, as whoever read them says it.
  static func protocolViolated(_ message: String) -> ClientError { ClientError(.protocolViolation, message) }

  /// Before the hello's answer it may be no Martlet server at all.
  static let noMartletServer = ClientError(
    .protocolViolation,
    "What answers there speaks another protocol. Is the port a Martlet server's? With TLS its URL begins with martlet+tls://."
  )

  static let otherProtocolVersion = ClientError(
    .protocolViolation, "The server speaks another version of the protocol.")

  package static let otherAnswer = ClientError(
    .protocolViolation, "The server answered something else than it was asked.")
}

// MARK: - Requests that are not sent

extension ClientError {
  static let connectionEnded = ClientError(.connectionLost, "The connection has ended.", isRetryable: true)

  /// Nothing was sent.
  /// - Parameter cause: what ended the connection.
  static func connectionEnded(because cause: ClientError) -> ClientError {
    ClientError(.connectionLost, cause.message, isRetryable: true)
  }

  static let requestNumberInUse = ClientError(.connectionLost, "The request's number is in use.", isRetryable: true)

  static let noRequestNumber = ClientError(
    .connectionLost, "The connection has no free request number.", isRetryable: true)

  static let tooManyWaitForConnection = ClientError(.tooManyWaiting, "Too many requests wait for this connection.")

  static let tooManyWaitForPool = ClientError(
    .tooManyWaiting, "Too many requests wait for a connection. Send fewer at once.", isRetryable: true)

  static let blockingOnLoop = ClientError(
    .wrongThread,
    "A blocking call would stop the event loop that it runs on. Use the asynchronous twin, or another thread.")

  static let unserializable = ClientError(.invalidStatement, "The statement's tree cannot be serialized.")

  static let transactionOver = ClientError(
    .transactionOver, "The transaction has ended. Use it only inside of the closure that it was given to.")
}
