internal import CMartletProto
public import MartletValues

/// Turns one message of a server into Swift values, through protobuf-c: what tests and tools read replies with.
///
/// Always true: rows that it gives are well formed. Text in rows is not checked, because SQLite may hold any bytes.
public final class ServerMessageDecoder {
  private let arena: Arena
  private let limits: Limits

  public init(limits: Limits = Limits()) {
    self.limits = limits
    // A server's row may be as large as a value, beyond the frames that it takes itself.
    arena = Arena(budgetBytes: 4 * limits.decodedBytesMax)
  }

  public func decode(_ bytes: UnsafeRawBufferPointer) throws(MessageError) -> ServerMessage {
    arena.reset()
    guard
      let message = martlet__v1__server_message__unpack(
        arena.protobufAllocator, bytes.count, bytes.octets)?.pointee
    else { throw .malformed(0, "The server's message is not valid protobuf.") }
    var result = ServerMessage(requestID: message.request_id, step: message.step)
    do throws(RequestError) {
      result.parts = try parts(of: message)
    } catch {
      throw MessageError(requestID: message.request_id, error: error, isFatal: true)
    }
    return result
  }

  private func parts(of message: Martlet__V1__ServerMessage) throws(RequestError) -> [ServerMessage.Part] {
    var parts: [ServerMessage.Part] = []
    if let hello = message.hello?.pointee {
      parts.append(
        .hello(
          HelloReply(
            protocolVersion: hello.protocol, server: Self.text(hello.server), sqlite: Self.text(hello.sqlite),
            frameBytesMax: hello.frame_bytes_max, requestsMax: hello.requests_max,
            creditBytesMax: hello.credit_bytes_max, creditBytesDefault: hello.credit_bytes_default)))
    }
    if let columns = message.columns?.pointee { parts.append(.columns(Self.columns(columns))) }
    if let rows = message.rows?.pointee {
      let batch = try RowBatch(
        rows, rowsMax: Int(UInt32.max), columnsMax: limits.resultColumnsMax, mayHoldAnyText: true)
      parts.append(.rows(batch))
    }
    if let completion = message.completion?.pointee { parts.append(.completion(try Self.completion(completion))) }
    if let error = message.error?.pointee { parts.append(.error(Self.error(error))) }
    if let pong = message.pong?.pointee { parts.append(.pong(Array(pong.payload.buffer))) }
    if let inspection = message.inspection?.pointee { parts.append(.inspection(try Self.inspection(inspection))) }
    if let list = message.databases?.pointee { parts.append(.databases(try Self.databases(list))) }
    if let ended = message.transaction_ended?.pointee {
      let error = ended.error.map { Self.error($0.pointee) }
      parts.append(
        .transactionEnded(
          transaction: ended.transaction, error ?? RequestError(.unknown, .transactionEnded, ""),
          ageMs: Int(ended.age_ms)))
    }
    if let closing = message.closing?.pointee { parts.append(.closing(Self.text(closing.message))) }
    return parts
  }

  private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

  private static func columns(_ message: Martlet__V1__Columns) -> ResultColumns {
    var columns: [ResultColumns.Column] = []
    for index in 0..<message.n_columns {
      guard let info = message.columns[index]?.pointee else { continue }
      columns.append(
        ResultColumns.Column(
          name: text(info.name), declaredType: text(info.declared_type), database: text(info.database),
          table: text(info.table), origin: text(info.origin)))
    }
    return ResultColumns(version: message.version, columns: columns)
  }

  private static func completion(_ message: Martlet__V1__Completion) throws(RequestError) -> Completion {
    guard let transaction = TransactionStatus(rawValue: message.transaction.rawValue) else {
      throw .invalid("The server's transaction status is not one that this version knows.")
    }
    return Completion(
      rowsChanged: message.rows_changed, lastInsertRowID: message.last_insert_rowid,
      rowsReturned: message.rows_returned, commitSequence: message.commit_sequence, transaction: transaction,
      shape: ShapeID(bytes: UnsafeRawBufferPointer(message.shape.buffer)), isSkipped: message.skipped != 0)
  }

  private static func error(_ message: Martlet__V1__Error) -> RequestError {
    RequestError(
      RequestError.Code(rawValue: message.code), RequestError.Reason(rawValue: text(message.reason)),
      text(message.message), sqliteCode: message.sqlite_code, path: text(message.path),
      constraint: text(message.constraint), table: text(message.table), column: text(message.column),
      isRetryable: message.retryable != 0, isOutcomeUnknown: message.outcome_unknown != 0)
  }

  private static func inspection(_ message: Martlet__V1__Inspection) throws(RequestError) -> Inspection {
    var inspection = Inspection(counters: [], shapes: [])
    for index in 0..<message.n_counters {
      guard let counter = message.counters[index]?.pointee else { continue }
      inspection.counters.append(.init(name: text(counter.name), value: counter.value))
    }
    for index in 0..<message.n_shapes {
      guard let shape = message.shapes[index]?.pointee else { continue }
      guard let id = ShapeID(bytes: UnsafeRawBufferPointer(shape.shape.buffer)) else {
        throw .invalid("The id of a shape has 16 bytes.")
      }
      inspection.shapes.append(
        .init(
          shape: id, database: text(shape.database), sql: text(shape.sql), executions: shape.executions,
          errors: shape.errors, rows: shape.rows, microseconds: shape.microseconds))
    }
    for index in 0..<message.n_latencies {
      guard let latencies = message.latencies[index]?.pointee else { continue }
      inspection.latencies.append(
        LatencyCounts(
          kind: text(latencies.kind),
          boundsUs: Array(UnsafeBufferPointer(start: latencies.bounds_us, count: latencies.n_bounds_us)),
          counts: Array(UnsafeBufferPointer(start: latencies.counts, count: latencies.n_counts)),
          microseconds: latencies.microseconds))
    }
    for index in 0..<message.n_sessions {
      guard let session = message.sessions[index]?.pointee else { continue }
      inspection.sessions.append(
        SessionInfo(
          id: session.id, peer: text(session.peer), client: text(session.client), database: text(session.database),
          ageMs: session.age_ms, requests: session.requests))
    }
    return inspection
  }

  private static func databases(_ message: Martlet__V1__DatabaseList) throws(RequestError) -> DatabaseList {
    var list = DatabaseList(hasMore: message.more != 0)
    for index in 0..<message.n_databases {
      guard let entry = message.databases[index]?.pointee else { continue }
      guard let state = DatabaseList.State(rawValue: entry.state.rawValue) else {
        throw .invalid("The state of a database is CLOSED, OPEN or FENCED.")
      }
      list.entries.append(
        DatabaseList.Entry(
          name: text(entry.name), state: state, bytes: entry.bytes, logBytes: entry.log_bytes,
          sessions: Int(entry.sessions)))
    }
    return list
  }
}
