import MartletValues

// MARK: - Connections

/// What a client is told when its session is refused or ended, or when it asks for something out of turn.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do.
extension RequestError {
  static let connectionsFull = RequestError(
    .resourceExhausted, .overloaded, "The server has no room for another connection. Try again later.",
    isRetryable: true)

  static let noDescriptorsLeft = RequestError(
    .resourceExhausted, .overloaded,
    "The server has no file descriptor left for another connection. Try again later, or ask the operator to raise the "
      + "limit on open files.",
    isRetryable: true)

  static let plainAtTLS = RequestError(
    .failedPrecondition, .notAllowed, "This address speaks TLS. Connect with a martlet+tls:// URL.")

  /// Bytes that are not a message, or a message with an impossible value.
  /// - Parameter message: what is wrong with them, as whoever read them says it.
  static func unreadable(_ message: String) -> RequestError { RequestError(.invalidArgument, .malformed, message) }
}

// MARK: - Who asks

extension RequestError {
  /// One sentence for every cause.
  static let unknownIdentity = RequestError(
    .unauthenticated, .unauthenticated,
    "This server does not know who asks. Show it a token or a certificate that is valid here.")

  /// What the session had shown of itself is not valid any more.
  static let identityEnded = RequestError(
    .unauthenticated, .unauthenticated,
    "The credential of this connection is not valid any more. Connect again with one that is.", isRetryable: true)

  /// What the session had shown of itself is valid, and its rights have become fewer.
  static let databaseTaken = RequestError(
    .permissionDenied, .permission,
    "This client's role does not allow the database of this connection any more, or not what the connection has set up "
      + "in it. Ask the server's operator.")

  static let mayNotWrite = RequestError(
    .permissionDenied, .permission,
    "This client may not begin a transaction that writes: the server's operator has denied it 'insert', 'update', "
      + "'delete' and 'schema'. Begin one that reads.")

  /// Does not tell whether there is a database of the name.
  static let databaseNotForRole = RequestError(
    .permissionDenied, .permission,
    "This client's role does not allow a database of this name. Ask the server's operator.")
}

// MARK: - The first messages

extension RequestError {
  static let helloMissing = RequestError(
    .failedPrecondition, .notAllowed, "The first message of a connection must be a hello.")

  static let helloAgain = RequestError(
    .failedPrecondition, .notAllowed,
    "Only one hello is allowed per connection. Open another connection for another database.")

  static func otherProtocol(ours version: UInt32) -> RequestError {
    RequestError(
      .unimplemented, .unsupported,
      "This server speaks version \(version) of the protocol. Use a client of that version.")
  }

  static let setupMissing = RequestError(
    .failedPrecondition, .notAllowed,
    "The hello announced a setup. It must be the next message, under the hello's request id.")

  static func helloTooLate(_ limits: Limits) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline,
      "No whole hello came within \(limits.helloDeadlineMs) ms. It must be the first message of a connection.")
  }

  static func setupTooLate(_ limits: Limits) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline,
      "The hello announced a setup, and none came within \(limits.helloDeadlineMs) ms. It must be the next message, "
        + "under the hello's request id.")
  }

  static func openedTooLate(_ limits: Limits) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline,
      "The database could not be opened within \(limits.openDeadlineMs) ms, so this connection ended. Try again in a "
        + "moment.", isRetryable: true)
  }

  static func frameTooSlow(_ limits: Limits) -> RequestError {
    RequestError(
      .deadlineExceeded, .deadline,
      "The rest of a message did not come within \(limits.frameCompletionDeadlineMs) ms, so this connection ended. "
        + "Connect again.", isRetryable: true)
  }

  static let setupUnannounced = RequestError(
    .failedPrecondition, .notAllowed, "A setup comes right after the hello that announces it, and once.")
}

// MARK: - Requests

extension RequestError {
  static let requestIDInFlight = RequestError(
    .invalidArgument, .malformed, "The request id is in flight. Every request needs one of its own.")

  static func tooManyRequests(_ limits: Limits) -> RequestError {
    RequestError(
      .resourceExhausted, .overloaded,
      "A connection has at most \(limits.requestsPerConnectionMax) requests in flight. Wait for answers.",
      isRetryable: true)
  }

  static func tooManyTransactions(_ limits: Limits) -> RequestError {
    RequestError(
      .resourceExhausted, .overloaded,
      "A connection has at most \(limits.transactionsPerConnectionMax) transactions open. Finish one.",
      isRetryable: true)
  }

  static let noTransaction = RequestError(
    .notFound, .unknownTransaction, "This connection has no transaction of that id. Begin one on it first.")

  static func serverBusy(_ waiting: Int) -> RequestError {
    RequestError(
      .resourceExhausted, .overloaded, "\(waiting) requests of this kind wait already. Try again in a moment.",
      isRetryable: true)
  }
}

// MARK: - Databases

extension RequestError {
  static let noDatabaseNamed = RequestError(
    .failedPrecondition, .notAllowed,
    "This connection is for the server as a whole. Name a database in the URL to send statements.")

  /// The session asks for a change that needs its own database closed.
  static func databaseOpenHere(_ name: String) -> RequestError {
    RequestError(
      .failedPrecondition, .notAllowed,
      "This connection has the database \(name) open itself. Ask on a connection to the server, without a database.")
  }

  /// `name` was valid, or nobody would have it open.
  static func dropped(_ name: String) -> RequestError {
    RequestError(
      .aborted, .unknownDatabase, "The database \(name) was dropped by its operator, and this connection ended with it."
    )
  }

  static func renamed(_ name: String, _ newName: String) -> RequestError {
    RequestError(
      .aborted, .unknownDatabase,
      "The database \(name) is called \(newName) now, so this connection ended. Connect to that.")
  }

  static func databaseLeft(_ name: String) -> RequestError {
    RequestError(
      .aborted, .unknownDatabase, "The database \(name) was dropped or renamed while it was being opened.",
      isRetryable: true)
  }
}
