package import MartletValues

/// What a server says, as values: what both codecs read and write, and both sessions decide on.
///
/// Always true: rows that were decoded are well formed; the parts of one message belong to one request, each stands
/// once, and they are in the order of `session.proto`: columns, rows, then completion or error.
package struct ServerMessage: Sendable, Equatable {
  /// 0: about the connection.
  package var requestID: UInt32
  /// Which step of a batch, counted from 1; 0: not a step's.
  package var step: UInt32
  package var parts: [Part]

  package init(requestID: UInt32 = 0, step: UInt32 = 0, parts: [Part]) {
    self.requestID = requestID
    self.step = step
    self.parts = parts
  }

  package init(requestID: UInt32, step: UInt32 = 0, _ parts: Part...) {
    self.init(requestID: requestID, step: step, parts: parts)
  }

  /// What a server says.
  package enum Part: Sendable, Equatable {
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

    /// The part ends its request, unless it is about a step.
    package var isEnd: Bool {
      switch self {
      case .hello, .completion, .error, .pong, .inspection, .databases: true
      case .columns, .rows, .transactionEnded, .closing: false
      }
    }
  }
}

/// What a server says of itself once the session is open.
package struct HelloReply: Sendable, Equatable {
  package var protocolVersion: UInt32
  package var server: String
  package var sqlite: String
  /// The longest message that the server takes.
  package var frameBytesMax: UInt32
  /// How many requests may be in flight on one connection.
  package var requestsMax: UInt32
  /// The most unused credit that one request may have; 0: the server does not say, and counts
  /// `ProtocolLimits.creditBytesAssumed`.
  package var creditBytesMax: UInt64
  /// What a credit of 0 means, in bytes; 0: the server does not say.
  package var creditBytesDefault: UInt32
  /// The server counts required statements, so a commit can depend on them.
  package var countsRequired: Bool
  /// The most tables, indexes, views and triggers that a database may have; 0: the server does not say.
  package var schemaObjectsMax: UInt32
  /// The same for the bytes of their SQL.
  package var schemaBytesMax: UInt64

  package init(
    protocolVersion: UInt32 = ProtocolLimits.version, server: String, sqlite: String, frameBytesMax: UInt32,
    requestsMax: UInt32, creditBytesMax: UInt64, creditBytesDefault: UInt32, countsRequired: Bool = false,
    schemaObjectsMax: UInt32 = 0, schemaBytesMax: UInt64 = 0
  ) {
    self.protocolVersion = protocolVersion
    self.server = server
    self.sqlite = sqlite
    self.frameBytesMax = frameBytesMax
    self.requestsMax = requestsMax
    self.creditBytesMax = creditBytesMax
    self.creditBytesDefault = creditBytesDefault
    self.countsRequired = countsRequired
    self.schemaObjectsMax = schemaObjectsMax
    self.schemaBytesMax = schemaBytesMax
  }

  /// What a client assumes before the server has said anything.
  package static let unsaid = HelloReply(
    server: "", sqlite: "", frameBytesMax: UInt32(clamping: ProtocolLimits.helloBytesMax), requestsMax: 1,
    creditBytesMax: 0, creditBytesDefault: 0)

  package var schemaRoom: SchemaRoom {
    SchemaRoom(objectsMax: Int(clamping: schemaObjectsMax), bytesMax: Int(clamping: schemaBytesMax))
  }
}
