package import MartletValues

/// What a client says, as values: what both codecs read and write, and both sessions decide on.
///
/// Always true: a message that the server's codec decoded has passed every check that needs no session and no database:
/// shapes have 16 bytes, text is UTF-8, lists are well formed, counts are within the limits.
package struct ClientMessage: Sendable, Equatable {
  /// Not 0. For `credit` and `cancel`: the request that they are for.
  package var requestID: UInt32
  package var kind: Kind

  package init(requestID: UInt32, kind: Kind) {
    self.requestID = requestID
    self.kind = kind
  }

  /// What a client says.
  package enum Kind: Sendable, Equatable {
    case hello(Hello)
    /// The rest of the statements that a hello announced.
    case setup([[UInt8]])
    /// Answered under its own id.
    case request(Request)
    case credit(bytes: UInt32)
    case cancel
  }

  /// The first message: which database, who asks, and what the session declares.
  package struct Hello: Sendable, Equatable {
    package var protocolVersion: UInt32
    /// The name as it was sent; the session checks it.
    package var database: String
    package var client: String
    package var create: Bool
    /// Serialized statements that prepare the session's connections.
    package var setup: [[UInt8]]
    /// More statements of the setup come in a message of their own, before the hello is answered.
    package var setupFollows: Bool
    /// A token that says who asks; empty: the transport says it. Never logged.
    package var credential: String

    package init(
      protocolVersion: UInt32 = ProtocolLimits.version, database: String, client: String = "", create: Bool = false,
      setup: [[UInt8]] = [], setupFollows: Bool = false, credential: String = ""
    ) {
      self.protocolVersion = protocolVersion
      self.database = database
      self.client = client
      self.create = create
      self.setup = setup
      self.setupFollows = setupFollows
      self.credential = credential
    }
  }

  /// One statement with its values.
  package struct Execute: Sendable, Equatable {
    package var source: StatementSource
    package var parameters: [Value]
    /// The request id of its Begin; 0: a transaction of its own.
    package var transaction: UInt32
    package var deadlineMs: UInt32
    /// Bytes of rows that may be sent at once.
    package var credit: UInt32
    /// The version of the columns' metadata that the client holds; 0: none.
    package var columnsVersion: UInt64
    /// Nobody chose the deadline, so the server may cut it to what it allows.
    package var mayShortenDeadline: Bool
    /// The statement counts among those that the transaction's commit requires.
    package var isRequired: Bool

    package init(
      source: StatementSource, parameters: [Value] = [], transaction: UInt32 = 0, deadlineMs: UInt32 = 0,
      credit: UInt32 = 0, columnsVersion: UInt64 = 0, mayShortenDeadline: Bool = false, isRequired: Bool = false
    ) {
      self.source = source
      self.parameters = parameters
      self.transaction = transaction
      self.deadlineMs = deadlineMs
      self.credit = credit
      self.columnsVersion = columnsVersion
      self.mayShortenDeadline = mayShortenDeadline
      self.isRequired = isRequired
    }
  }

  /// Several statements in one message.
  package struct Batch: Sendable, Equatable {
    package var steps: [StatementStep]
    /// All in one transaction, rolled back at the first step that fails.
    package var isAtomic: Bool
    package var transaction: UInt32
    package var deadlineMs: UInt32
    package var credit: UInt32
    /// As in `Execute`.
    package var mayShortenDeadline: Bool

    package init(
      steps: [StatementStep], isAtomic: Bool = false, transaction: UInt32 = 0, deadlineMs: UInt32 = 0,
      credit: UInt32 = 0, mayShortenDeadline: Bool = false
    ) {
      self.steps = steps
      self.isAtomic = isAtomic
      self.transaction = transaction
      self.deadlineMs = deadlineMs
      self.credit = credit
      self.mayShortenDeadline = mayShortenDeadline
    }
  }
}

/// Why a message was not taken.
package struct MessageError: Error, Sendable, Equatable {
  /// 0 if the message does not tell.
  package var requestID: UInt32
  package var error: RequestError
  /// The peer does not speak the protocol: answer and close. Otherwise only this request fails.
  package var isFatal: Bool

  package init(requestID: UInt32, error: RequestError, isFatal: Bool) {
    self.requestID = requestID
    self.error = error
    self.isFatal = isFatal
  }
}
