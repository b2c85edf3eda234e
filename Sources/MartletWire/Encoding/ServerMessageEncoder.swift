internal import CMartletProto
public import MartletValues

/// Writes a server's messages as frames, through protobuf-c, straight from what the engine gave.
///
/// Always true: each call appends exactly one whole frame; no value of a row is copied but into the buffer.
// Not Sendable: it belongs to one loop, whose connections take turns with it.
public final class ServerMessageEncoder {
  private let arena = Arena(budgetBytes: .max)

  public init() {}

  /// Columns, rows and completion of one request (or step), in one frame; what is nil is left out.
  public func reply(
    to requestID: UInt32, step: UInt32 = 0, columns: ResultColumns? = nil, rows: borrowing RowBatch,
    completion: Completion? = nil, into output: OutputBuffer
  ) {
    frame(requestID, step: step, into: output) { message in
      if let columns { message.columns = columnsMessage(columns) }
      message.rows = arena.rowBatch(rows)
      if let completion { message.completion = completionMessage(completion) }
    }
  }

  public func columns(_ columns: ResultColumns, to requestID: UInt32, step: UInt32 = 0, into output: OutputBuffer) {
    frame(requestID, step: step, into: output) { message in
      message.columns = columnsMessage(columns)
    }
  }

  public func completion(
    _ completion: Completion, columns: ResultColumns? = nil, to requestID: UInt32, step: UInt32 = 0,
    into output: OutputBuffer
  ) {
    frame(requestID, step: step, into: output) { message in
      if let columns { message.columns = columnsMessage(columns) }
      message.completion = completionMessage(completion)
    }
  }

  public func error(_ error: RequestError, to requestID: UInt32, step: UInt32 = 0, into output: OutputBuffer) {
    frame(requestID, step: step, into: output) { message in
      message.error = errorMessage(error)
    }
  }

  public func pong(_ payload: [UInt8], to requestID: UInt32, into output: OutputBuffer) {
    frame(requestID, step: 0, into: output) { message in
      let pong = arena.make(Martlet__V1__Pong.self)
      martlet__v1__pong__init(pong)
      pong.pointee.payload = payload.withUnsafeBytes { arena.bytes($0) }
      message.pong = pong
    }
  }

  public func hello(_ reply: HelloReply, to requestID: UInt32, into output: OutputBuffer) {
    frame(requestID, step: 0, into: output) { message in
      let hello = arena.make(Martlet__V1__HelloReply.self)
      martlet__v1__hello_reply__init(hello)
      hello.pointee.protocol = reply.protocolVersion
      hello.pointee.server = arena.string(reply.server)
      hello.pointee.sqlite = arena.string(reply.sqlite)
      hello.pointee.frame_bytes_max = reply.frameBytesMax
      hello.pointee.requests_max = reply.requestsMax
      hello.pointee.credit_bytes_max = reply.creditBytesMax
      hello.pointee.credit_bytes_default = reply.creditBytesDefault
      message.hello = hello
    }
  }

  /// `requestID` is the transaction's.
  public func transactionEnded(
    _ transaction: UInt32, _ error: RequestError, ageMs: Int, into output: OutputBuffer
  ) {
    frame(transaction, step: 0, into: output) { message in
      let ended = arena.make(Martlet__V1__TransactionEnded.self)
      martlet__v1__transaction_ended__init(ended)
      ended.pointee.transaction = transaction
      ended.pointee.error = errorMessage(error)
      ended.pointee.age_ms = UInt32(clamping: ageMs)
      message.transaction_ended = ended
    }
  }

  public func closing(_ text: String, into output: OutputBuffer) {
    frame(0, step: 0, into: output) { message in
      let closing = arena.make(Martlet__V1__Closing.self)
      martlet__v1__closing__init(closing)
      closing.pointee.message = arena.string(text)
      message.closing = closing
    }
  }

  public func inspection(_ inspection: Inspection, to requestID: UInt32, into output: OutputBuffer) {
    frame(requestID, step: 0, into: output) { message in
      let reply = arena.make(Martlet__V1__Inspection.self)
      martlet__v1__inspection__init(reply)
      reply.pointee.n_counters = inspection.counters.count
      reply.pointee.counters = arena.pointers(count: inspection.counters.count) {
        counterMessage(inspection.counters[$0])
      }
      reply.pointee.n_shapes = inspection.shapes.count
      reply.pointee.shapes = arena.pointers(count: inspection.shapes.count) { shapeMessage(inspection.shapes[$0]) }
      reply.pointee.n_latencies = inspection.latencies.count
      reply.pointee.latencies = arena.pointers(count: inspection.latencies.count) {
        latenciesMessage(inspection.latencies[$0])
      }
      reply.pointee.n_sessions = inspection.sessions.count
      reply.pointee.sessions = arena.pointers(count: inspection.sessions.count) {
        sessionMessage(inspection.sessions[$0])
      }
      message.inspection = reply
    }
  }

  public func databases(_ list: DatabaseList, to requestID: UInt32, into output: OutputBuffer) {
    frame(requestID, step: 0, into: output) { message in
      let reply = arena.make(Martlet__V1__DatabaseList.self)
      martlet__v1__database_list__init(reply)
      reply.pointee.n_databases = list.entries.count
      reply.pointee.databases = arena.pointers(count: list.entries.count) { databaseMessage(list.entries[$0]) }
      reply.pointee.more = list.hasMore ? 1 : 0
      message.databases = reply
    }
  }
}

// MARK: - Structures

extension ServerMessageEncoder {
  /// One frame around a message that `fill` completes.
  @inline(__always)
  private func frame(
    _ requestID: UInt32, step: UInt32, into output: OutputBuffer, _ fill: (inout Martlet__V1__ServerMessage) -> Void
  ) {
    arena.reset()
    var message = Martlet__V1__ServerMessage()
    martlet__v1__server_message__init(&message)
    message.request_id = requestID
    message.step = step
    fill(&message)
    let length = martlet__v1__server_message__get_packed_size(&message)
    output.appendFrame(length: length) { place in
      martlet__v1__server_message__pack(&message, place.octets)
    }
  }

  private func columnsMessage(_ columns: ResultColumns) -> UnsafeMutablePointer<Martlet__V1__Columns> {
    let message = arena.make(Martlet__V1__Columns.self)
    martlet__v1__columns__init(message)
    message.pointee.version = columns.version
    message.pointee.n_columns = columns.columns.count
    message.pointee.columns = arena.pointers(count: columns.columns.count) { index in
      let column = columns.columns[index]
      let info = arena.make(Martlet__V1__ColumnInfo.self)
      martlet__v1__column_info__init(info)
      info.pointee.name = arena.string(column.name)
      info.pointee.declared_type = arena.string(column.declaredType)
      info.pointee.database = arena.string(column.database)
      info.pointee.table = arena.string(column.table)
      info.pointee.origin = arena.string(column.origin)
      return info
    }
    return message
  }

  private func completionMessage(_ completion: Completion) -> UnsafeMutablePointer<Martlet__V1__Completion> {
    let message = arena.make(Martlet__V1__Completion.self)
    martlet__v1__completion__init(message)
    message.pointee.rows_changed = completion.rowsChanged
    message.pointee.last_insert_rowid = completion.lastInsertRowID
    message.pointee.rows_returned = completion.rowsReturned
    message.pointee.commit_sequence = completion.commitSequence
    message.pointee.transaction = Martlet__V1__TransactionStatus(rawValue: completion.transaction.rawValue)
    if let shape = completion.shape { message.pointee.shape = arena.shape(shape) }
    message.pointee.skipped = completion.isSkipped ? 1 : 0
    return message
  }

  private func errorMessage(_ error: RequestError) -> UnsafeMutablePointer<Martlet__V1__Error> {
    let message = arena.make(Martlet__V1__Error.self)
    martlet__v1__error__init(message)
    message.pointee.code = error.code.rawValue
    message.pointee.reason = arena.string(error.reason.rawValue)
    message.pointee.message = arena.string(error.message)
    message.pointee.sqlite_code = error.sqliteCode
    message.pointee.path = arena.string(error.path)
    message.pointee.constraint = arena.string(error.constraint)
    message.pointee.table = arena.string(error.table)
    message.pointee.column = arena.string(error.column)
    message.pointee.retryable = error.isRetryable ? 1 : 0
    message.pointee.outcome_unknown = error.isOutcomeUnknown ? 1 : 0
    return message
  }

  private func counterMessage(_ counter: Inspection.Counter) -> UnsafeMutablePointer<Martlet__V1__Counter> {
    let message = arena.make(Martlet__V1__Counter.self)
    martlet__v1__counter__init(message)
    message.pointee.name = arena.string(counter.name)
    message.pointee.value = counter.value
    return message
  }

  private func latenciesMessage(_ latencies: LatencyCounts) -> UnsafeMutablePointer<Martlet__V1__Latencies> {
    let message = arena.make(Martlet__V1__Latencies.self)
    martlet__v1__latencies__init(message)
    message.pointee.kind = arena.string(latencies.kind)
    (message.pointee.bounds_us, message.pointee.n_bounds_us) = numbers(latencies.boundsUs)
    (message.pointee.counts, message.pointee.n_counts) = numbers(latencies.counts)
    message.pointee.microseconds = latencies.microseconds
    return message
  }

  private func numbers(_ values: [UInt64]) -> (UnsafeMutablePointer<UInt64>, Int) {
    let copy = arena.make(UInt64.self, count: values.count)
    for (index, value) in values.enumerated() { copy[index] = value }
    return (copy, values.count)
  }

  private func sessionMessage(_ session: SessionInfo) -> UnsafeMutablePointer<Martlet__V1__SessionInfo> {
    let message = arena.make(Martlet__V1__SessionInfo.self)
    martlet__v1__session_info__init(message)
    message.pointee.id = session.id
    message.pointee.peer = arena.string(session.peer)
    message.pointee.client = arena.string(session.client)
    message.pointee.database = arena.string(session.database)
    message.pointee.age_ms = session.ageMs
    message.pointee.requests = session.requests
    return message
  }

  private func databaseMessage(_ entry: DatabaseList.Entry) -> UnsafeMutablePointer<Martlet__V1__DatabaseInfo> {
    let message = arena.make(Martlet__V1__DatabaseInfo.self)
    martlet__v1__database_info__init(message)
    message.pointee.name = arena.string(entry.name)
    message.pointee.state = Martlet__V1__DatabaseInfo__State(rawValue: entry.state.rawValue)
    message.pointee.bytes = entry.bytes
    message.pointee.log_bytes = entry.logBytes
    message.pointee.sessions = UInt32(clamping: entry.sessions)
    return message
  }

  private func shapeMessage(_ shape: Inspection.Shape) -> UnsafeMutablePointer<Martlet__V1__ShapeStatistics> {
    let message = arena.make(Martlet__V1__ShapeStatistics.self)
    martlet__v1__shape_statistics__init(message)
    message.pointee.shape = arena.shape(shape.shape)
    message.pointee.database = arena.string(shape.database)
    message.pointee.sql = arena.string(shape.sql)
    message.pointee.executions = shape.executions
    message.pointee.errors = shape.errors
    message.pointee.rows = shape.rows
    message.pointee.microseconds = shape.microseconds
    return message
  }
}
