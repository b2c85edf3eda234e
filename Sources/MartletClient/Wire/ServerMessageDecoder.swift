internal import MartletProtobuf
package import MartletProtocol
internal import MartletValues
internal import NIOCore
internal import SwiftProtobuf

/// Reads what a server says: the envelope and its frequent parts by hand, the rare parts with SwiftProtobuf.
///
/// Always true: row batches that it returns are well formed; the parts are in the order of `session.proto`, in whatever
/// order they came. It never traps.
package enum ServerMessageDecoder {
  static func decode(_ frame: ByteBuffer) throws(Malformed) -> ServerMessage {
    try frame.withUnsafeReadableBytes { bytes throws(Malformed) in try decode(bytes) }
  }

  /// Reads a frame's message.
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> ServerMessage {
    var message = ServerMessage(requestID: 0)
    var reader = WireReader(bytes)
    // A bit for each part that came, so that what comes late finds its place.
    var seen: UInt64 = 0
    while let field = reader.next() {
      switch (field.number, field.wireType) {
      case (Fields.ServerMessage.requestID, .fixed32): message.requestID = UInt32(truncatingIfNeeded: field.value)
      case (Fields.ServerMessage.step, .varint):
        guard let step = UInt32(exactly: field.value) else { throw Malformed() }
        message.step = step
      case (Fields.ServerMessage.requestID, _), (Fields.ServerMessage.step, _): throw Malformed()
      default:
        guard let part = try part(field.number, field.bytes) else { continue }
        let bit = UInt64(1) << UInt64(field.number)
        guard field.wireType == .delimited, seen & bit == 0 else { throw Malformed() }
        message.parts.insert(part, at: (seen & (bit - 1)).nonzeroBitCount)
        seen |= bit
      }
    }
    if reader.isMalformed { throw Malformed() }
    return message
  }

  /// Nil: this version does not know the part.
  private static func part(
    _ number: UInt32, _ bytes: UnsafeRawBufferPointer
  ) throws(Malformed) -> ServerMessage.Part? {
    switch number {
    case Fields.ServerMessage.hello: .hello(HelloReply(try parse(ProtoHelloReply.self, bytes)))
    case Fields.ServerMessage.columns: .columns(ResultColumns(try parse(ProtoColumns.self, bytes)))
    case Fields.ServerMessage.rows: .rows(try RowBatchReader.read(bytes))
    case Fields.ServerMessage.completion: .completion(try completion(bytes))
    case Fields.ServerMessage.error: .error(RequestError(try parse(ProtoError.self, bytes)))
    case Fields.ServerMessage.pong: .pong(Array(try parse(ProtoPong.self, bytes).payload))
    case Fields.ServerMessage.inspection: .inspection(try Inspection(try parse(ProtoInspection.self, bytes)))
    case Fields.ServerMessage.transactionEnded: transactionEnded(try parse(ProtoTransactionEnded.self, bytes))
    case Fields.ServerMessage.closing: .closing(try parse(ProtoClosing.self, bytes).message)
    case Fields.ServerMessage.databases: .databases(DatabaseList(try parse(ProtoDatabaseList.self, bytes)))
    default: nil
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

  private static func transactionEnded(_ proto: ProtoTransactionEnded) -> ServerMessage.Part {
    .transactionEnded(
      transaction: proto.transaction, RequestError(proto.error), ageMs: Int(proto.ageMs))
  }

  /// The end of every request, so it is read by hand.
  private static func completion(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> Completion {
    var reader = WireReader(bytes)
    var completion = Completion()
    while let field = reader.next() {
      switch (field.number, field.wireType) {
      case (Fields.Completion.rowsChanged, .varint): completion.rowsChanged = field.signed
      case (Fields.Completion.lastInsertRowid, .varint): completion.lastInsertRowID = field.signed
      case (Fields.Completion.commitSequence, .fixed64): completion.commitSequence = field.value
      case (Fields.Completion.transaction, .varint):
        completion.transaction = TransactionStatus(rawValue: UInt32(clamping: field.value)) ?? .none
      case (Fields.Completion.shape, .delimited): completion.shape = ShapeID(bytes: field.bytes)
      case (Fields.Completion.skipped, .varint): completion.isSkipped = field.value != 0
      case (Fields.Completion.rowsReturned, .varint): completion.rowsReturned = field.signed
      case (Fields.Completion.numbers, _): throw Malformed()
      default: break
      }
    }
    if reader.isMalformed { throw Malformed() }
    return completion
  }
}

/// The bytes are not the message that they should be.
package struct Malformed: Error, Equatable {}

extension HelloReply {
  init(_ proto: ProtoHelloReply) {
    self.init(
      protocolVersion: proto.protocol, server: proto.server, sqlite: proto.sqlite, frameBytesMax: proto.frameBytesMax,
      requestsMax: proto.requestsMax, creditBytesMax: proto.creditBytesMax,
      creditBytesDefault: proto.creditBytesDefault, countsRequired: proto.countsRequired,
      schemaObjectsMax: proto.schemaObjectsMax, schemaBytesMax: proto.schemaBytesMax)
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
          name: $0.name, state: UInt32(exactly: $0.state.rawValue).flatMap(State.init) ?? .open, bytes: $0.bytes,
          logBytes: $0.logBytes, sessions: Int($0.sessions))
      }, hasMore: proto.more)
  }
}
