internal import CMartletProto
internal import MartletValues

/// Writes a client's messages as frames, through protobuf-c: what the load tool and the tests speak with.
///
/// Always true: each call appends exactly one whole frame.
public final class ClientMessageEncoder {
  private let arena = Arena(budgetBytes: .max)

  public init() {}

  public func encode(_ message: ClientMessage, into output: OutputBuffer) {
    arena.reset()
    var envelope = Martlet__V1__ClientMessage()
    martlet__v1__client_message__init(&envelope)
    envelope.request_id = message.requestID
    // What the structures point into is a part of `message`, which is kept until the frame is written.
    withExtendedLifetime(message) {
      fill(&envelope, from: message.kind)
      let length = martlet__v1__client_message__get_packed_size(&envelope)
      output.appendFrame(length: length) { place in
        martlet__v1__client_message__pack(&envelope, place.octets)
      }
    }
  }

  private func fill(_ envelope: inout Martlet__V1__ClientMessage, from kind: ClientMessage.Kind) {
    switch kind {
    case .hello(let hello):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_HELLO
      envelope.hello = helloMessage(hello)
    case .execute(let execute):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_EXECUTE
      envelope.execute = executeMessage(execute)
    case .batch(let batch):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_BATCH
      envelope.batch = batchMessage(batch)
    case .begin(let mode, let deadlineMs):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_BEGIN
      envelope.begin = make(martlet__v1__begin__init) {
        $0.mode = Martlet__V1__Begin__Mode(rawValue: mode.rawValue)
        $0.deadline_ms = deadlineMs
      }
    case .finish(let transaction, let commit):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_FINISH
      envelope.finish = make(martlet__v1__finish__init) {
        $0.transaction = transaction
        $0.commit = commit ? 1 : 0
      }
    case .savepoint(let transaction, let verb, let number):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_SAVEPOINT
      envelope.savepoint = make(martlet__v1__savepoint__init) {
        $0.transaction = transaction
        $0.action = Martlet__V1__Savepoint__Action(rawValue: verb.rawValue)
        $0.number = number
      }
    case .credit(let bytes):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_CREDIT
      envelope.credit = make(martlet__v1__credit__init) { $0.bytes = bytes }
    case .cancel:
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_CANCEL
      envelope.cancel = make(martlet__v1__cancel__init) { _ in }
    case .ping(let payload):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_PING
      envelope.ping = make(martlet__v1__ping__init) { $0.payload = payload.withUnsafeBytes { arena.bytes($0) } }
    case .maintain(let task, let deadlineMs, let credit):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_MAINTAIN
      envelope.maintain = make(martlet__v1__maintain__init) {
        $0.task = Martlet__V1__Maintain__Task(task.rawValue)
        $0.deadline_ms = deadlineMs
        $0.credit = credit
      }
    case .administer(let task):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_ADMINISTER
      envelope.administer = make(martlet__v1__administer__init) {
        $0.task = Martlet__V1__Administer__Task(task.task)
        $0.database = text(task.database)
        $0.new_name = text(task.newName)
        $0.end_sessions = task.endsSessions ? 1 : 0
      }
    case .inspect(let shapes, let sessions):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_INSPECT
      envelope.inspect = make(martlet__v1__inspect__init) {
        $0.shapes = shapes
        $0.sessions = sessions
      }
    case .setup(let setup):
      envelope.kind_case = MARTLET__V1__CLIENT_MESSAGE__KIND_SETUP
      envelope.setup = make(martlet__v1__setup__init) {
        $0.n_statements = setup.count
        $0.statements = statements(setup)
      }
    }
  }

  /// A structure in the arena with its defaults, and then what `fill` sets.
  private func make<T>(_ initialize: (UnsafeMutablePointer<T>?) -> Void, _ fill: (inout T) -> Void)
    -> UnsafeMutablePointer<T>
  {
    let message = arena.make(T.self)
    initialize(message)
    fill(&message.pointee)
    return message
  }

  private func helloMessage(_ hello: ClientMessage.Hello) -> UnsafeMutablePointer<Martlet__V1__Hello> {
    make(martlet__v1__hello__init) {
      $0.protocol = hello.protocolVersion
      $0.database = text(hello.database)
      $0.client = text(hello.client)
      $0.create = hello.create ? 1 : 0
      $0.n_setup = hello.setup.count
      $0.setup = statements(hello.setup)
      $0.setup_follows = hello.setupFollows ? 1 : 0
    }
  }

  private func statements(_ statements: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData> {
    let list = arena.make(ProtobufCBinaryData.self, count: statements.count)
    for (index, statement) in statements.enumerated() {
      list[index] = statement.withUnsafeBytes { arena.bytes($0) }
    }
    return list
  }

  private func text(_ text: String) -> ProtobufCBinaryData {
    var text = text
    return text.withUTF8 { arena.bytes(UnsafeRawBufferPointer($0)) }
  }

  private func executeMessage(_ execute: ClientMessage.Execute) -> UnsafeMutablePointer<Martlet__V1__Execute> {
    make(martlet__v1__execute__init) {
      switch execute.source {
      case .shape(let shape):
        $0.source_case = MARTLET__V1__EXECUTE__SOURCE_SHAPE
        $0.shape = arena.shape(shape)
      case .statement(let statement):
        $0.source_case = MARTLET__V1__EXECUTE__SOURCE_STATEMENT
        $0.statement = statement.withUnsafeBytes { arena.bytes($0) }
      }
      $0.n_parameters = execute.parameters.count
      $0.parameters = arena.pointers(count: execute.parameters.count) { arena.value(execute.parameters[$0]) }
      $0.transaction = execute.transaction
      $0.deadline_ms = execute.deadlineMs
      $0.credit = execute.credit
      $0.columns_version = execute.columnsVersion
      $0.deadline_may_shrink = execute.mayShortenDeadline ? 1 : 0
    }
  }

  private func batchMessage(_ batch: ClientMessage.Batch) -> UnsafeMutablePointer<Martlet__V1__Batch> {
    make(martlet__v1__batch__init) {
      $0.n_steps = batch.steps.count
      $0.steps = arena.pointers(count: batch.steps.count) { stepMessage(batch.steps[$0]) }
      $0.atomic = batch.isAtomic ? 1 : 0
      $0.transaction = batch.transaction
      $0.deadline_ms = batch.deadlineMs
      $0.deadline_may_shrink = batch.mayShortenDeadline ? 1 : 0
      $0.credit = batch.credit
    }
  }

  private func stepMessage(_ step: ClientMessage.Step) -> UnsafeMutablePointer<Martlet__V1__Step> {
    make(martlet__v1__step__init) {
      switch step.source {
      case .shape(let shape):
        $0.source_case = MARTLET__V1__STEP__SOURCE_SHAPE
        $0.shape = arena.shape(shape)
      case .statement(let statement):
        $0.source_case = MARTLET__V1__STEP__SOURCE_STATEMENT
        $0.statement = statement.withUnsafeBytes { arena.bytes($0) }
      }
      $0.n_parameters = step.parameters.count
      $0.parameters = arena.pointers(count: step.parameters.count) { parameterMessage(step.parameters[$0]) }
      $0.columns_version = step.columnsVersion
      $0.n_conditions = step.conditions.count
      $0.conditions = arena.pointers(count: step.conditions.count) { index in
        let condition = step.conditions[index]
        return make(martlet__v1__condition__init) {
          $0.step = UInt32(clamping: condition.step)
          $0.outcome = Martlet__V1__Condition__Outcome(rawValue: condition.outcome.rawValue)
          $0.negated = condition.isNegated ? 1 : 0
        }
      }
      $0.any = step.isAnyEnough ? 1 : 0
    }
  }

  private func parameterMessage(_ parameter: ClientMessage.StepParameter) -> UnsafeMutablePointer<Martlet__V1__Value> {
    let (step, field, column): (Int, Martlet__V1__StepReference__Field, Int)
    switch parameter {
    case .value(let value): return arena.value(value)
    case .lastInsertRowID(let from):
      (step, field, column) = (from, MARTLET__V1__STEP_REFERENCE__FIELD__FIELD_LAST_INSERT_ROWID, 0)
    case .rowsChanged(let from):
      (step, field, column) = (from, MARTLET__V1__STEP_REFERENCE__FIELD__FIELD_ROWS_CHANGED, 0)
    case .firstRow(let from, let index):
      (step, field, column) = (from, MARTLET__V1__STEP_REFERENCE__FIELD__FIELD_FIRST_ROW, index)
    }
    return make(martlet__v1__value__init) {
      $0.kind_case = MARTLET__V1__VALUE__KIND_REFERENCE
      $0.reference = make(martlet__v1__step_reference__init) {
        $0.step = UInt32(clamping: step)
        $0.field = field
        $0.column = UInt32(clamping: column)
      }
    }
  }
}
