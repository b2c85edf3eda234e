internal import CMartletProto
package import MartletProtocol
package import MartletValues

/// Writes a server's messages as frames, through protobuf-c, straight from what the engine gave, into memory that it
/// keeps from one flush to the next.
///
/// Always true: each call appends exactly one whole frame, which is counted only when it is complete; the values of
/// rows are copied once, into the output.
// Not Sendable: it belongs to one connection, and shares the arena with the others of its loop.
package final class ServerMessageEncoder {
  private let arena: Arena
  private let spare: SpareOutput?
  private var memory: UnsafeMutableRawPointer
  private var capacity = WireLimits.outputBytesMin

  /// Bytes of frames that have not been taken.
  package private(set) var count = 0

  /// Messages are put together in the arena, one at a time. Memory for a large answer comes from `spare` if there is
  /// some, and goes there.
  package init(_ arena: Arena, spare: SpareOutput? = nil) {
    self.arena = arena
    self.spare = spare
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { release() }

  /// Columns, rows and completion of one request (or step), in one frame; what is nil is left out.
  package func reply(
    to requestID: UInt32, step: UInt32 = 0, columns: ResultColumns? = nil, rows: borrowing RowBatch,
    completion: Completion? = nil
  ) {
    frame(requestID, step: step) { message in
      if let columns { message.columns = columnsMessage(columns) }
      message.rows = arena.rowBatch(rows)
      if let completion { message.completion = completionMessage(completion) }
    }
  }

  /// One part of an answer, in a frame of its own.
  package func encode(_ part: ServerMessage.Part, to requestID: UInt32, step: UInt32 = 0) {
    // The structures point into the part's arrays.
    withExtendedLifetime(part) {
      frame(requestID, step: step) { message in fill(&message, from: part) }
    }
  }

  /// A message of any parts, in one frame.
  package func encode(_ message: ServerMessage) {
    withExtendedLifetime(message) {
      frame(message.requestID, step: message.step) { envelope in
        for part in message.parts { fill(&envelope, from: part) }
      }
    }
  }
}

// MARK: - The output

extension ServerMessageEncoder {
  package var isEmpty: Bool { count == 0 }

  /// All frames that were written; valid until the next one is, or they are removed.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  package func removeAll() {
    count = 0
    if capacity > WireLimits.keptOutputBytesMax {
      release()
      capacity = WireLimits.outputBytesMin
      memory = .allocate(byteCount: capacity, alignment: 16)
    }
  }

  private func grow(by extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let wanted = larger > WireLimits.keptOutputBytesMax ? spare?.take(bytes: larger) : nil
    let fresh = wanted ?? .allocate(byteCount: larger, alignment: 16)
    fresh.copyMemory(from: bytes)
    release()
    // `!` because a block that was allocated has an address.
    memory = fresh.baseAddress!
    capacity = fresh.count
  }

  /// Lets go of the memory.
  private func release() {
    let block = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    if let spare, capacity > WireLimits.keptOutputBytesMax { spare.giveBack(block) } else { block.deallocate() }
  }
}

// MARK: - Structures

extension ServerMessageEncoder {
  /// One frame around a message that `fill` completes.
  @inline(__always)
  private func frame(
    _ requestID: UInt32, step: UInt32, _ fill: (inout Martlet__V1__ServerMessage) -> Void
  ) {
    arena.reset()
    var message = Martlet__V1__ServerMessage()
    martlet__v1__server_message__init(&message)
    message.request_id = requestID
    message.step = step
    fill(&message)
    let length = martlet__v1__server_message__get_packed_size(&message)
    let total = Frame.headerBytes + length
    if capacity - count < total { grow(by: total) }
    let place = memory + count
    Frame.writeHeader(length: length, at: place)
    martlet__v1__server_message__pack(&message, (place + Frame.headerBytes).octets)
    count += total
  }

  private func fill(_ message: inout Martlet__V1__ServerMessage, from part: ServerMessage.Part) {
    switch part {
    case .hello(let reply): message.hello = helloMessage(reply)
    case .columns(let columns): message.columns = columnsMessage(columns)
    case .rows(let rows): message.rows = arena.rowBatch(rows)
    case .completion(let completion): message.completion = completionMessage(completion)
    case .error(let error): message.error = errorMessage(error)
    case .pong(let payload):
      message.pong = make(martlet__v1__pong__init) { $0.payload = payload.withUnsafeBytes { arena.bytes($0) } }
    case .inspection(let inspection): message.inspection = inspectionMessage(inspection)
    case .transactionEnded(let transaction, let error, let ageMs):
      message.transaction_ended = make(martlet__v1__transaction_ended__init) {
        $0.transaction = transaction
        $0.error = errorMessage(error)
        $0.age_ms = UInt32(clamping: ageMs)
      }
    case .closing(let text):
      message.closing = make(martlet__v1__closing__init) { $0.message = arena.string(text) }
    case .databases(let list):
      message.databases = make(martlet__v1__database_list__init) {
        $0.n_databases = list.entries.count
        $0.databases = arena.pointers(count: list.entries.count) { databaseMessage(list.entries[$0]) }
        $0.more = list.hasMore ? 1 : 0
      }
    }
  }

  /// A structure in the arena with its defaults, and then what `fill` sets.
  @inline(__always)
  private func make<T>(
    _ initialize: (UnsafeMutablePointer<T>?) -> Void, _ fill: (inout T) -> Void
  ) -> UnsafeMutablePointer<T> {
    let message = arena.make(T.self)
    initialize(message)
    fill(&message.pointee)
    return message
  }

  private func helloMessage(_ reply: HelloReply) -> UnsafeMutablePointer<Martlet__V1__HelloReply> {
    make(martlet__v1__hello_reply__init) {
      $0.protocol = reply.protocolVersion
      $0.server = arena.string(reply.server)
      $0.sqlite = arena.string(reply.sqlite)
      $0.frame_bytes_max = reply.frameBytesMax
      $0.requests_max = reply.requestsMax
      $0.credit_bytes_max = reply.creditBytesMax
      $0.credit_bytes_default = reply.creditBytesDefault
      $0.counts_required = reply.countsRequired ? 1 : 0
      $0.schema_objects_max = reply.schemaObjectsMax
      $0.schema_bytes_max = reply.schemaBytesMax
    }
  }

  private func inspectionMessage(_ inspection: Inspection) -> UnsafeMutablePointer<Martlet__V1__Inspection> {
    make(martlet__v1__inspection__init) {
      $0.n_counters = inspection.counters.count
      $0.counters = arena.pointers(count: inspection.counters.count) { counterMessage(inspection.counters[$0]) }
      $0.n_shapes = inspection.shapes.count
      $0.shapes = arena.pointers(count: inspection.shapes.count) { shapeMessage(inspection.shapes[$0]) }
      $0.n_latencies = inspection.latencies.count
      $0.latencies = arena.pointers(count: inspection.latencies.count) { latenciesMessage(inspection.latencies[$0]) }
      $0.n_sessions = inspection.sessions.count
      $0.sessions = arena.pointers(count: inspection.sessions.count) { sessionMessage(inspection.sessions[$0]) }
    }
  }

  private func columnsMessage(_ columns: ResultColumns) -> UnsafeMutablePointer<Martlet__V1__Columns> {
    make(martlet__v1__columns__init) {
      $0.version = columns.version
      $0.n_columns = columns.columns.count
      $0.columns = arena.pointers(count: columns.columns.count) { index in
        let column = columns.columns[index]
        return make(martlet__v1__column_info__init) {
          $0.name = arena.string(column.name)
          $0.declared_type = arena.string(column.declaredType)
          $0.database = arena.string(column.database)
          $0.table = arena.string(column.table)
          $0.origin = arena.string(column.origin)
        }
      }
    }
  }

  private func completionMessage(_ completion: Completion) -> UnsafeMutablePointer<Martlet__V1__Completion> {
    make(martlet__v1__completion__init) {
      $0.rows_changed = completion.rowsChanged
      $0.last_insert_rowid = completion.lastInsertRowID
      $0.rows_returned = completion.rowsReturned
      $0.commit_sequence = completion.commitSequence
      $0.transaction = Martlet__V1__TransactionStatus(rawValue: completion.transaction.rawValue)
      if let shape = completion.shape { $0.shape = arena.shape(shape) }
      $0.skipped = completion.isSkipped ? 1 : 0
    }
  }

  private func errorMessage(_ error: RequestError) -> UnsafeMutablePointer<Martlet__V1__Error> {
    make(martlet__v1__error__init) {
      $0.code = error.code.rawValue
      $0.reason = arena.string(error.reason.rawValue)
      $0.message = arena.string(error.message)
      $0.sqlite_code = error.sqliteCode
      $0.path = arena.string(error.path)
      $0.constraint = arena.string(error.constraint)
      $0.table = arena.string(error.table)
      $0.column = arena.string(error.column)
      $0.retryable = error.isRetryable ? 1 : 0
      $0.outcome_unknown = error.isOutcomeUnknown ? 1 : 0
    }
  }

  private func counterMessage(_ counter: Inspection.Counter) -> UnsafeMutablePointer<Martlet__V1__Counter> {
    make(martlet__v1__counter__init) {
      $0.name = arena.string(counter.name)
      $0.value = counter.value
    }
  }

  private func latenciesMessage(_ latencies: LatencyCounts) -> UnsafeMutablePointer<Martlet__V1__Latencies> {
    make(martlet__v1__latencies__init) {
      $0.kind = arena.string(latencies.kind)
      ($0.bounds_us, $0.n_bounds_us) = numbers(latencies.boundsUs)
      ($0.counts, $0.n_counts) = numbers(latencies.counts)
      $0.microseconds = latencies.microseconds
    }
  }

  private func numbers(_ values: [UInt64]) -> (UnsafeMutablePointer<UInt64>, Int) {
    let copy = arena.make(UInt64.self, count: values.count)
    for (index, value) in values.enumerated() { copy[index] = value }
    return (copy, values.count)
  }

  private func sessionMessage(_ session: SessionInfo) -> UnsafeMutablePointer<Martlet__V1__SessionInfo> {
    make(martlet__v1__session_info__init) {
      $0.id = session.id
      $0.peer = arena.string(session.peer)
      $0.client = arena.string(session.client)
      $0.database = arena.string(session.database)
      $0.age_ms = session.ageMs
      $0.requests = session.requests
    }
  }

  private func databaseMessage(_ entry: DatabaseList.Entry) -> UnsafeMutablePointer<Martlet__V1__DatabaseInfo> {
    make(martlet__v1__database_info__init) {
      $0.name = arena.string(entry.name)
      $0.state = Martlet__V1__DatabaseInfo__State(rawValue: entry.state.rawValue)
      $0.bytes = entry.bytes
      $0.log_bytes = entry.logBytes
      $0.sessions = UInt32(clamping: entry.sessions)
    }
  }

  private func shapeMessage(_ shape: ShapeStatistics) -> UnsafeMutablePointer<Martlet__V1__ShapeStatistics> {
    make(martlet__v1__shape_statistics__init) {
      $0.shape = arena.shape(shape.shape)
      $0.database = arena.string(shape.database)
      $0.sql = arena.string(shape.sql)
      $0.executions = shape.executions
      $0.errors = shape.errors
      $0.rows = shape.rows
      $0.microseconds = shape.microseconds
    }
  }
}
