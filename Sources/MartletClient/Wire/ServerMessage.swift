internal import MartletValues
internal import NIOCore
internal import SwiftProtobuf

/// One message of the server, decoded and checked.
///
/// Always true: row batches in it are well-formed and texts are UTF-8; the envelope and its frequent parts are decoded
/// by hand, the rare parts by SwiftProtobuf.
struct ServerMessage: Sendable, Equatable {
  struct Hello: Sendable, Equatable {
    var `protocol` = 0
    var frameBytesMax = 0
    var requestsMax = 0
    /// 0 where the server is older than the field, and drops what goes beyond 64 MiB.
    var creditBytesMax = 0
  }

  struct TransactionEnd: Sendable, Equatable {
    var transaction: UInt32
    var error: RequestError
  }

  var requestID: UInt32 = 0
  var step = 0
  var hello: Hello?
  var columns: ResultColumns?
  var rows: RowBatch?
  var completion: Completion?
  var error: RequestError?
  var isPong = false
  var inspection: Inspection?
  var transactionEnd: TransactionEnd?
  var closing: String?
  var databases: DatabaseList?

  init() {}

  init(_ frame: ByteBuffer) throws(Malformed) {
    self = try frame.withUnsafeReadableBytes { bytes throws(Malformed) in
      var message = ServerMessage()
      var reader = WireReader(bytes)
      while let field = try reader.field() { try message.read(field, from: &reader) }
      return message
    }
  }

  private mutating func read(_ field: WireReader.Field, from reader: inout WireReader) throws(Malformed) {
    switch field.number {
    case 1:
      try field.expect(.fixed32)
      requestID = try reader.fixed32()
    case 2:
      try field.expect(.varint)
      let number = try reader.varint()
      guard number <= UInt64(UInt32.max) else { throw Malformed() }
      step = Int(number)
    case 3...12:
      try field.expect(.bytes)
      try read(part: field.number, try reader.lengthDelimited())
    default: try reader.skip(field.type)
    }
  }

  private mutating func read(part: UInt64, _ bytes: UnsafeRawBufferPointer) throws(Malformed) {
    switch part {
    case 3: hello = Hello(try Self.parse(ProtoHelloReply.self, bytes))
    case 4: columns = ResultColumns(try Self.parse(ProtoColumns.self, bytes))
    case 5: rows = try RowBatchReader.read(bytes)
    case 6: completion = try CompletionReader.read(bytes)
    case 7: error = RequestError(try Self.parse(ProtoError.self, bytes))
    case 8: isPong = true
    case 9: inspection = try Inspection(try Self.parse(ProtoInspection.self, bytes))
    case 10:
      let ended = try Self.parse(ProtoTransactionEnded.self, bytes)
      transactionEnd = TransactionEnd(transaction: ended.transaction, error: RequestError(ended.error))
    case 12: databases = DatabaseList(try Self.parse(ProtoDatabaseList.self, bytes))
    default: closing = try Self.parse(ProtoClosing.self, bytes).message
    }
  }

  private static func parse<M: SwiftProtobuf.Message>(
    _ type: M.Type, _ bytes: UnsafeRawBufferPointer
  ) throws(Malformed) -> M {
    do {
      return try M(serializedBytes: Array(bytes))
    } catch {
      throw Malformed()
    }
  }
}

/// The end of every request, so it is decoded by hand.
private enum CompletionReader {
  static func read(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> Completion {
    var reader = WireReader(bytes)
    var completion = Completion()
    while let field = try reader.field() {
      switch (field.number, field.type) {
      case (1, .varint): completion.rowsChanged = Int64(zigzag: try reader.varint())
      case (2, .varint): completion.lastInsertRowID = Int64(zigzag: try reader.varint())
      case (3, .fixed64): completion.commitSequence = try reader.fixed64()
      case (4, .varint):
        completion.transaction = TransactionStatus(rawValue: UInt32(clamping: try reader.varint())) ?? .none
      case (5, .bytes): completion.shape = ShapeID(bytes: try reader.lengthDelimited())
      case (6, .varint): completion.isSkipped = try reader.varint() != 0
      case (7, .varint): completion.rowsReturned = Int64(zigzag: try reader.varint())
      case (1...7, _): throw Malformed()
      default: try reader.skip(field.type)
      }
    }
    return completion
  }
}

extension ServerMessage.Hello {
  init(_ proto: ProtoHelloReply) {
    self.init(
      protocol: Int(proto.protocol), frameBytesMax: Int(proto.frameBytesMax), requestsMax: Int(proto.requestsMax),
      creditBytesMax: Int(clamping: proto.creditBytesMax))
  }
}

extension ResultColumns {
  init(_ proto: ProtoColumns) {
    self.init(
      version: proto.version,
      columns: proto.columns.map {
        Column(
          name: $0.name, declaredType: $0.declaredType, database: $0.database, table: $0.table, origin: $0.origin)
      })
  }
}

extension RequestError {
  init(_ proto: ProtoError) {
    self.init(
      Code(rawValue: proto.code), Reason(rawValue: proto.reason), proto.message, sqliteCode: proto.sqliteCode,
      path: proto.path, constraint: proto.constraint, table: proto.table, column: proto.column,
      isRetryable: proto.retryable, isOutcomeUnknown: proto.outcomeUnknown)
  }
}

extension Inspection {
  init(_ proto: ProtoInspection) throws(Malformed) {
    self.init(counters: proto.counters.map { Counter(name: $0.name, value: $0.value) })
    for shape in proto.shapes {
      guard let id = [UInt8](shape.shape).withUnsafeBytes({ ShapeID(bytes: $0) }) else { throw Malformed() }
      shapes.append(
        ShapeStatistics(
          shape: id, database: shape.database, sql: shape.sql, executions: shape.executions, errors: shape.errors,
          rows: shape.rows, microseconds: shape.microseconds))
    }
    latencies = proto.latencies.map {
      LatencyCounts(kind: $0.kind, boundsUs: $0.boundsUs, counts: $0.counts, microseconds: $0.microseconds)
    }
    sessions = proto.sessions.map {
      SessionInfo(
        id: $0.id, peer: $0.peer, client: $0.client, database: $0.database, ageMs: $0.ageMs, requests: $0.requests)
    }
  }
}

extension DatabaseList {
  init(_ proto: ProtoDatabaseList) {
    self.init(
      entries: proto.databases.map {
        Entry(
          name: $0.name, state: State(rawValue: UInt32($0.state.rawValue)) ?? .open, bytes: $0.bytes,
          logBytes: $0.logBytes, sessions: Int($0.sessions))
      }, hasMore: proto.more)
  }
}
