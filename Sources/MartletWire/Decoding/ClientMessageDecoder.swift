internal import CMartletProto
internal import MartletProtobuf
package import MartletProtocol
package import MartletValues

/// Turns one message of a client into Swift values, through protobuf-c, with every check that needs no session.
///
/// Always true: protobuf-c sees only messages whose outermost fields were walked before, works within a byte budget,
/// and never meets a recursive type, so neither depth nor size of what a peer sends can hurt it.
// Not Sendable: it belongs to one loop, whose connections take turns with it.
package final class ClientMessageDecoder {
  package let limits: Limits
  private let arena: Arena

  /// About how much memory the last message takes.
  package private(set) var decodedBytes = 0

  package init(limits: Limits) {
    self.limits = limits
    arena = Arena(budgetBytes: WireLimits.decodedBytesMin)
  }

  /// Decodes a frame's message.
  package func decode(_ bytes: UnsafeRawBufferPointer) throws(MessageError) -> ClientMessage {
    let requestID = try inspectEnvelope(bytes)
    guard PartCount.isWithin(WireLimits.partsMax, bytes) else {
      throw MessageError(requestID: requestID, error: .tooManyParts, isFatal: false)
    }
    arena.reset()
    arena.budgetBytes = min(
      limits.decodedBytesMax,
      max(WireLimits.decodedBytesMin, bytes.count.multipliedSaturating(by: WireLimits.decodedGrowthMax)))
    guard
      let message = martlet__v1__client_message__unpack(
        arena.protobufAllocator, bytes.count, bytes.octets)
    else { throw unpackFailure(requestID) }
    // Everything is copied out of the arena below.
    decodedBytes = arena.usedBytes
    defer { arena.trim() }
    do throws(RequestError) {
      let kind = try kind(of: message.pointee)
      return ClientMessage(requestID: requestID, kind: kind)
    } catch {
      throw MessageError(requestID: requestID, error: error, isFatal: false)
    }
  }

  /// The request's id, after a walk over the outermost fields: exactly one kind, no duplicate, nothing malformed.
  private func inspectEnvelope(_ bytes: UnsafeRawBufferPointer) throws(MessageError) -> UInt32 {
    var reader = WireReader(bytes)
    var requestID: UInt32 = 0
    var ids = 0
    var kinds = 0
    while let field = reader.next() {
      switch (field.number, field.wireType) {
      case (Fields.ClientMessage.requestID, .fixed32):
        requestID = UInt32(truncatingIfNeeded: field.value)
        ids += 1
      // Every field but the id is a kind.
      case (Fields.ClientMessage.numbers, .delimited) where field.number != Fields.ClientMessage.requestID: kinds += 1
      case (Fields.ClientMessage.numbers, _):
        throw .malformed(requestID, .fieldOfOtherType)
      default: break
      }
    }
    if reader.isMalformed { throw .malformed(requestID, .noProtobuf) }
    guard ids == 1, requestID != 0 else { throw .malformed(0, .noRequestID) }
    guard kinds <= 1 else { throw .malformed(requestID, .severalKinds) }
    guard kinds == 1 else {
      throw MessageError(requestID: requestID, error: .unknownKind, isFatal: false)
    }
    return requestID
  }

  private func unpackFailure(_ requestID: UInt32) -> MessageError {
    if arena.isExhausted {
      return MessageError(requestID: requestID, error: .tooManyParts, isFatal: false)
    }
    return .malformed(requestID, .noProtobuf)
  }

  private func kind(of message: Martlet__V1__ClientMessage) throws(RequestError) -> ClientMessage.Kind {
    // Each `pointee` is there because protobuf-c set the case together with the pointer.
    switch message.kind_case {
    case MARTLET__V1__CLIENT_MESSAGE__KIND_EXECUTE: return .request(.execute(try execute(message.execute.pointee)))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_BATCH: return .request(.batch(try batch(message.batch.pointee)))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_HELLO: return .hello(try hello(message.hello.pointee))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_CREDIT: return .credit(bytes: message.credit.pointee.bytes)
    case MARTLET__V1__CLIENT_MESSAGE__KIND_CANCEL: return .cancel
    case MARTLET__V1__CLIENT_MESSAGE__KIND_BEGIN:
      let begin = message.begin.pointee
      guard let mode = TransactionMode(rawValue: begin.mode.rawValue) else {
        throw .noTransactionMode
      }
      return .request(.begin(mode, deadlineMs: begin.deadline_ms))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_FINISH:
      let finish = message.finish.pointee
      return .request(
        .finish(transaction: finish.transaction, commit: finish.commit != 0, required: finish.required))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_SAVEPOINT:
      let savepoint = message.savepoint.pointee
      guard let action = SavepointAction(rawValue: savepoint.action.rawValue) else {
        throw .noSavepointAction
      }
      return .request(.savepoint(transaction: savepoint.transaction, action, number: savepoint.number))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_PING:
      let payload = message.ping.pointee.payload
      guard payload.len <= ProtocolLimits.pingBytesMax else {
        throw .pingTooLong
      }
      return .request(.ping(Array(payload.buffer)))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_INSPECT:
      return .request(.inspect(shapes: message.inspect.pointee.shapes, sessions: message.inspect.pointee.sessions))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_ADMINISTER:
      return .request(.administer(try administration(message.administer.pointee)))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_MAINTAIN:
      let maintain = message.maintain.pointee
      guard let task = MaintenanceTask(rawValue: maintain.task.rawValue) else {
        throw .noMaintenanceTask
      }
      return .request(.maintain(task, deadlineMs: maintain.deadline_ms, credit: maintain.credit))
    case MARTLET__V1__CLIENT_MESSAGE__KIND_SETUP:
      let setup = message.setup.pointee
      return .setup(try statements(setup.statements, count: setup.n_statements))
    default: throw .noKind
    }
  }

  private func hello(_ hello: Martlet__V1__Hello) throws(RequestError) -> ClientMessage.Hello {
    guard let database = hello.database.text, let client = hello.client.text else {
      throw .helloNamesNotUTF8
    }
    guard let credential = hello.credential.text else { throw .credentialNotUTF8 }
    return ClientMessage.Hello(
      protocolVersion: hello.protocol, database: database, client: client, create: hello.create != 0,
      setup: try statements(hello.setup, count: hello.n_setup), setupFollows: hello.setup_follows != 0,
      credential: credential)
  }

  private func administration(_ message: Martlet__V1__Administer) throws(RequestError) -> Administration {
    guard let database = message.database.text, let newName = message.new_name.text else {
      throw .databaseNamesNotUTF8
    }
    let task = Administration(
      task: message.task.rawValue, database: database, newName: newName, endsSessions: message.end_sessions != 0)
    guard let task else { throw .noAdministrationTask }
    return task
  }

  private func statements(
    _ statements: UnsafeMutablePointer<ProtobufCBinaryData>?, count: Int
  ) throws(RequestError) -> [[UInt8]] {
    guard count <= limits.setupStatementsMax else { throw .setupTooLarge(limits) }
    return UnsafeBufferPointer(start: statements, count: statements == nil ? 0 : count).map { Array($0.buffer) }
  }

  private func execute(_ execute: Martlet__V1__Execute) throws(RequestError) -> ClientMessage.Execute {
    let source: StatementSource
    switch execute.source_case {
    case MARTLET__V1__EXECUTE__SOURCE_SHAPE: source = try .init(shape: execute.shape)
    case MARTLET__V1__EXECUTE__SOURCE_STATEMENT: source = .statement(Array(execute.statement.buffer))
    default: throw .requestWithoutSource
    }
    var parameters: [Value] = []
    try limits.checkParameters(execute.n_parameters)
    parameters.reserveCapacity(execute.n_parameters)
    for index in 0..<execute.n_parameters {
      // `!` because protobuf-c filled as many pointers as it counted.
      parameters.append(try Value(execute.parameters[index]!.pointee, limits: limits))
    }
    return ClientMessage.Execute(
      source: source, parameters: parameters, transaction: execute.transaction, deadlineMs: execute.deadline_ms,
      credit: execute.credit, columnsVersion: execute.columns_version,
      mayShortenDeadline: execute.deadline_may_shrink != 0, isRequired: execute.required != 0)
  }

  private func batch(_ batch: Martlet__V1__Batch) throws(RequestError) -> ClientMessage.Batch {
    guard batch.n_steps > 0 else { throw .noSteps }
    guard batch.n_steps <= limits.batchStepsMax else { throw .tooManySteps(limits) }
    var steps: [StatementStep] = []
    steps.reserveCapacity(batch.n_steps)
    for index in 0..<batch.n_steps {
      // `!` because protobuf-c filled as many pointers as it counted.
      steps.append(try StatementStep(batch.steps[index]!.pointee, number: index + 1, limits: limits))
    }
    return ClientMessage.Batch(
      steps: steps, isAtomic: batch.atomic != 0, transaction: batch.transaction, deadlineMs: batch.deadline_ms,
      credit: batch.credit, mayShortenDeadline: batch.deadline_may_shrink != 0)
  }
}

extension MessageError {
  /// The peer does not speak the protocol.
  static func malformed(_ requestID: UInt32, _ error: RequestError) -> MessageError {
    MessageError(requestID: requestID, error: error, isFatal: true)
  }
}

extension Int {
  fileprivate func multipliedSaturating(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
