public import MartletValues

/// What a client says, as Swift values.
///
/// Always true: a message that was decoded has passed every check that needs no session and no database: shapes have 16
/// bytes, text is UTF-8, lists are well formed, counts are within the limits.
public struct ClientMessage: Sendable, Equatable {
  /// Not 0. For `credit` and `cancel`: the request that they are for.
  public var requestID: UInt32
  public var kind: Kind

  public init(requestID: UInt32, kind: Kind) {
    self.requestID = requestID
    self.kind = kind
  }

  public enum Kind: Sendable, Equatable {
    case hello(Hello)
    case execute(Execute)
    case batch(Batch)
    case begin(TransactionKind, deadlineMs: UInt32)
    case finish(transaction: UInt32, commit: Bool)
    case savepoint(transaction: UInt32, SavepointVerb, number: UInt32)
    case credit(bytes: UInt32)
    case cancel
    case ping([UInt8])
    case inspect(shapes: UInt32, sessions: UInt32)
    case administer(Administration)
    case maintain(MaintenanceTask, deadlineMs: UInt32, credit: UInt32)
    /// The rest of the statements that a hello announced.
    case setup([[UInt8]])
  }

  public enum TransactionKind: UInt32, Sendable {
    case read = 1
    case write = 2
  }

  public enum SavepointVerb: UInt32, Sendable {
    case set = 1
    case release = 2
    case rollBackTo = 3
  }

  public struct Hello: Sendable, Equatable {
    public var protocolVersion: UInt32
    /// As it was sent; the session checks the name.
    public var database: String
    public var client: String
    public var create: Bool
    /// Serialized statements that prepare the session's connections.
    public var setup: [[UInt8]]
    /// More of them come in a message of their own, before the hello is answered.
    public var setupFollows: Bool

    public init(
      protocolVersion: UInt32 = 1, database: String, client: String = "", create: Bool = false, setup: [[UInt8]] = [],
      setupFollows: Bool = false
    ) {
      self.protocolVersion = protocolVersion
      self.database = database
      self.client = client
      self.create = create
      self.setup = setup
      self.setupFollows = setupFollows
    }
  }

  /// A statement by the id of its shape, or by its serialized bytes.
  public enum Source: Sendable, Equatable {
    case shape(ShapeID)
    case statement([UInt8])
  }

  public struct Execute: Sendable, Equatable {
    public var source: Source
    public var parameters: [Value]
    /// The request id of its Begin; 0: a transaction of its own.
    public var transaction: UInt32
    /// 0: the server's default.
    public var deadlineMs: UInt32
    /// Bytes of rows that may be sent at once; 0: the server's default.
    public var credit: UInt32
    public var columnsVersion: UInt64
    /// Nobody chose the deadline, so the server may cut it to what it allows.
    public var mayShortenDeadline: Bool

    public init(
      source: Source, parameters: [Value] = [], transaction: UInt32 = 0, deadlineMs: UInt32 = 0, credit: UInt32 = 0,
      columnsVersion: UInt64 = 0, mayShortenDeadline: Bool = false
    ) {
      self.source = source
      self.parameters = parameters
      self.transaction = transaction
      self.deadlineMs = deadlineMs
      self.credit = credit
      self.columnsVersion = columnsVersion
      self.mayShortenDeadline = mayShortenDeadline
    }
  }

  public struct Batch: Sendable, Equatable {
    public var steps: [Step]
    public var isAtomic: Bool
    public var transaction: UInt32
    public var deadlineMs: UInt32
    public var credit: UInt32
    /// As in `Execute`.
    public var mayShortenDeadline: Bool

    public init(
      steps: [Step], isAtomic: Bool = false, transaction: UInt32 = 0, deadlineMs: UInt32 = 0, credit: UInt32 = 0,
      mayShortenDeadline: Bool = false
    ) {
      self.mayShortenDeadline = mayShortenDeadline
      self.steps = steps
      self.isAtomic = isAtomic
      self.transaction = transaction
      self.deadlineMs = deadlineMs
      self.credit = credit
    }
  }

  public struct Step: Sendable, Equatable {
    public var source: Source
    public var parameters: [StepParameter]
    public var columnsVersion: UInt64
    public var conditions: [Condition]
    public var isAnyEnough: Bool

    public init(
      source: Source, parameters: [StepParameter] = [], columnsVersion: UInt64 = 0, conditions: [Condition] = [],
      isAnyEnough: Bool = false
    ) {
      self.source = source
      self.parameters = parameters
      self.columnsVersion = columnsVersion
      self.conditions = conditions
      self.isAnyEnough = isAnyEnough
    }
  }

  /// A value, or what an earlier step (counted from 1) produced.
  public enum StepParameter: Sendable, Equatable {
    case value(Value)
    case lastInsertRowID(step: Int)
    case rowsChanged(step: Int)
    case firstRow(step: Int, column: Int)
  }

  public struct Condition: Sendable, Equatable {
    public enum Outcome: UInt32, Sendable {
      case succeeded = 1
      case failed = 2
      case skipped = 3
      case returnedRows = 4
      case changedRows = 5
    }
    public var step: Int
    public var outcome: Outcome
    public var isNegated: Bool

    public init(step: Int, outcome: Outcome, isNegated: Bool = false) {
      self.step = step
      self.outcome = outcome
      self.isNegated = isNegated
    }
  }
}

/// Why a message was not taken.
public struct MessageError: Error, Sendable, Equatable {
  /// 0 where the message does not tell.
  public var requestID: UInt32
  public var error: RequestError
  /// The peer does not speak the protocol: answer and close. Otherwise only this request fails.
  public var isFatal: Bool

  public init(requestID: UInt32, error: RequestError, isFatal: Bool) {
    self.requestID = requestID
    self.error = error
    self.isFatal = isFatal
  }
}
