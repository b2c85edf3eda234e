public import MartletValues

/// What a server says, as Swift values.
///
/// Always true: rows that were decoded are well formed; the parts of one message belong to one request, in the order
/// columns, rows, completion or error.
public struct ServerMessage: Sendable, Equatable {
  /// 0: about the connection.
  public var requestID: UInt32
  /// Which step of a batch, counted from 1; 0: not a step's.
  public var step: UInt32
  public var parts: [Part]

  public init(requestID: UInt32, step: UInt32 = 0, _ parts: Part...) {
    self.requestID = requestID
    self.step = step
    self.parts = parts
  }

  public enum Part: Sendable, Equatable {
    case hello(HelloReply)
    case columns(ResultColumns)
    case rows(RowBatch)
    case completion(Completion)
    case error(RequestError)
    case pong([UInt8])
    case inspection(Inspection)
    case transactionEnded(transaction: UInt32, RequestError, ageMs: Int)
    case closing(String)
    case databases(DatabaseList)
  }
}

public struct HelloReply: Sendable, Equatable {
  public var protocolVersion: UInt32
  public var server: String
  public var sqlite: String
  /// The longest message that the server takes.
  public var frameBytesMax: UInt32
  /// How many requests may be in flight on one connection.
  public var requestsMax: UInt32
  /// What the credit of one request that is not used yet may come to.
  public var creditBytesMax: UInt64
  /// What a credit of 0 means.
  public var creditBytesDefault: UInt32

  public init(
    protocolVersion: UInt32 = 1, server: String, sqlite: String, frameBytesMax: UInt32, requestsMax: UInt32,
    creditBytesMax: UInt64, creditBytesDefault: UInt32
  ) {
    self.protocolVersion = protocolVersion
    self.server = server
    self.sqlite = sqlite
    self.frameBytesMax = frameBytesMax
    self.requestsMax = requestsMax
    self.creditBytesMax = creditBytesMax
    self.creditBytesDefault = creditBytesDefault
  }
}

/// Counters, and the busiest shapes.
public struct Inspection: Sendable, Equatable {
  public struct Counter: Sendable, Equatable {
    public var name: String
    public var value: Int64

    public init(name: String, value: Int64) {
      self.name = name
      self.value = value
    }
  }

  public struct Shape: Sendable, Equatable {
    public var shape: ShapeID
    public var database: String
    public var sql: String
    public var executions: UInt64
    public var errors: UInt64
    public var rows: UInt64
    public var microseconds: UInt64

    public init(
      shape: ShapeID, database: String, sql: String, executions: UInt64, errors: UInt64, rows: UInt64,
      microseconds: UInt64
    ) {
      self.shape = shape
      self.database = database
      self.sql = sql
      self.executions = executions
      self.errors = errors
      self.rows = rows
      self.microseconds = microseconds
    }
  }

  public var counters: [Counter]
  public var shapes: [Shape]
  public var latencies: [LatencyCounts]
  public var sessions: [SessionInfo]

  public init(
    counters: [Counter], shapes: [Shape], latencies: [LatencyCounts] = [], sessions: [SessionInfo] = []
  ) {
    self.counters = counters
    self.shapes = shapes
    self.latencies = latencies
    self.sessions = sessions
  }
}
