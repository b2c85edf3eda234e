internal import MartletProtobuf
package import MartletProtocol
internal import MartletValues
internal import NIOCore

/// Writes what a client says as frames.
///
/// Always true: the bytes are what SwiftProtobuf and protobuf-c would write; tests compare them.
package enum ClientMessageEncoder {
  /// The bytes of the whole frame, header included.
  package static func bytes(of message: ClientMessage) -> [UInt8] { Array(frame(message).readableBytesView) }

  static func frame(_ message: ClientMessage) -> ByteBuffer {
    var writer = WireWriter(capacity: capacity(for: message.kind))
    writer.fixed32(Fields.ClientMessage.requestID, message.requestID)
    switch message.kind {
    case .hello(let hello): writer.message(Fields.ClientMessage.hello) { $0.hello(hello) }
    case .setup(let statements):
      writer.message(Fields.ClientMessage.setup) { setup in
        for statement in statements { setup.presentBytes(Fields.Setup.statements, statement) }
      }
    case .credit(let bytes):
      writer.message(Fields.ClientMessage.credit) { $0.number(Fields.Credit.bytes, UInt64(bytes)) }
    case .cancel: writer.message(Fields.ClientMessage.cancel) { _ in }
    case .request(let request): writer.request(request)
    }
    return writer.finish()
  }

  private static func capacity(for kind: ClientMessage.Kind) -> Int {
    guard case .request(.execute(let execute)) = kind else { return 64 }
    if case .statement(let bytes) = execute.source { return 256 + bytes.count }
    return 128
  }
}

extension WireWriter {
  fileprivate mutating func hello(_ hello: ClientMessage.Hello) {
    number(Fields.Hello.protocol, UInt64(hello.protocolVersion))
    bytes(Fields.Hello.database, hello.database.utf8)
    bytes(Fields.Hello.client, hello.client.utf8)
    flag(Fields.Hello.create, hello.create)
    for statement in hello.setup { presentBytes(Fields.Hello.setup, statement) }
    flag(Fields.Hello.setupFollows, hello.setupFollows)
    bytes(Fields.Hello.credential, hello.credential.utf8)
  }

  fileprivate mutating func request(_ request: ClientMessage.Request) {
    switch request {
    case .execute(let execute): message(Fields.ClientMessage.execute) { $0.execute(execute) }
    case .batch(let batch): message(Fields.ClientMessage.batch) { $0.batch(batch) }
    case .begin(let mode, let deadlineMs):
      message(Fields.ClientMessage.begin) { begin in
        begin.number(Fields.Begin.mode, UInt64(mode.rawValue))
        begin.number(Fields.Begin.deadlineMs, UInt64(deadlineMs))
      }
    case .finish(let transaction, let commit, let required):
      message(Fields.ClientMessage.finish) { finish in
        finish.fixed32(Fields.Finish.transaction, transaction)
        finish.flag(Fields.Finish.commit, commit)
        finish.number(Fields.Finish.required, UInt64(required))
      }
    case .savepoint(let transaction, let action, let number):
      message(Fields.ClientMessage.savepoint) { savepoint in
        savepoint.fixed32(Fields.Savepoint.transaction, transaction)
        savepoint.number(Fields.Savepoint.action, UInt64(action.rawValue))
        savepoint.number(Fields.Savepoint.number, UInt64(number))
      }
    case .ping(let payload): message(Fields.ClientMessage.ping) { $0.bytes(Fields.Ping.payload, payload) }
    case .inspect(let shapes, let sessions):
      message(Fields.ClientMessage.inspect) { inspect in
        inspect.number(Fields.Inspect.shapes, UInt64(shapes))
        inspect.number(Fields.Inspect.sessions, UInt64(sessions))
      }
    case .maintain(let task, let deadlineMs, let credit):
      message(Fields.ClientMessage.maintain) { maintain in
        maintain.number(Fields.Maintain.task, UInt64(task.rawValue))
        maintain.number(Fields.Maintain.deadlineMs, UInt64(deadlineMs))
        maintain.number(Fields.Maintain.credit, UInt64(credit))
      }
    case .administer(let task):
      message(Fields.ClientMessage.administer) { administer in
        administer.number(Fields.Administer.task, UInt64(task.task))
        administer.bytes(Fields.Administer.database, task.database.utf8)
        administer.bytes(Fields.Administer.newName, task.newName.utf8)
        administer.flag(Fields.Administer.endSessions, task.endsSessions)
      }
    }
  }

  private mutating func execute(_ execute: ClientMessage.Execute) {
    source(execute.source, statement: Fields.Execute.statement, shape: Fields.Execute.shape)
    for value in execute.parameters { message(Fields.Execute.parameters) { $0.value(value) } }
    fixed32(Fields.Execute.transaction, execute.transaction)
    number(Fields.Execute.deadlineMs, UInt64(execute.deadlineMs))
    number(Fields.Execute.credit, UInt64(execute.credit))
    fixed64(Fields.Execute.columnsVersion, execute.columnsVersion)
    flag(Fields.Execute.deadlineMayShrink, execute.mayShortenDeadline)
    flag(Fields.Execute.required, execute.isRequired)
  }

  private mutating func batch(_ batch: ClientMessage.Batch) {
    for step in batch.steps { message(Fields.Batch.steps) { $0.step(step) } }
    flag(Fields.Batch.atomic, batch.isAtomic)
    fixed32(Fields.Batch.transaction, batch.transaction)
    number(Fields.Batch.deadlineMs, UInt64(batch.deadlineMs))
    number(Fields.Batch.credit, UInt64(batch.credit))
    flag(Fields.Batch.deadlineMayShrink, batch.mayShortenDeadline)
  }

  private mutating func source(_ source: StatementSource, statement: UInt32, shape: UInt32) {
    switch source {
    case .statement(let bytes): presentBytes(statement, bytes)
    case .shape(let id): presentBytes(shape, id.bytes)
    }
  }

  private mutating func step(_ step: StatementStep) {
    source(step.source, statement: Fields.Step.statement, shape: Fields.Step.shape)
    for parameter in step.parameters { message(Fields.Step.parameters) { $0.parameter(parameter) } }
    fixed64(Fields.Step.columnsVersion, step.columnsVersion)
    for condition in step.conditions {
      message(Fields.Step.conditions) { writer in
        writer.number(Fields.Condition.step, UInt64(UInt32(exactly: condition.step) ?? .max))
        writer.number(Fields.Condition.outcome, UInt64(condition.outcome.rawValue))
        writer.flag(Fields.Condition.negated, condition.isNegated)
      }
    }
    flag(Fields.Step.any, step.isAnyEnough)
  }

  private mutating func parameter(_ parameter: StepParameter) {
    switch parameter {
    case .value(let value): self.value(value)
    case .lastInsertRowID(let step): reference(step, .lastInsertRowid, column: 0)
    case .rowsChanged(let step): reference(step, .rowsChanged, column: 0)
    case .firstRow(let step, let column): reference(step, .firstRow, column: column)
    }
  }

  /// A number that no step or column has goes out as the largest one: clamped, one below zero would be column 0.
  private mutating func reference(_ step: Int, _ field: ProtoStepReference.Field, column: Int) {
    message(Fields.Value.reference) { writer in
      writer.number(Fields.StepReference.step, UInt64(UInt32(exactly: step) ?? .max))
      writer.number(Fields.StepReference.field, UInt64(field.rawValue))
      writer.number(Fields.StepReference.column, UInt64(UInt32(exactly: column) ?? .max))
    }
  }

  private mutating func value(_ value: Value) {
    switch value {
    case .null: present(Fields.Value.null, 1)
    case .integer(let integer): presentFixed64(Fields.Value.integer, UInt64(bitPattern: integer))
    case .real(let real): presentFixed64(Fields.Value.real, real.bitPattern)
    case .text(let text): presentBytes(Fields.Value.text, text.utf8)
    case .blob(let blob): presentBytes(Fields.Value.blob, blob)
    case .rows(let batch): message(Fields.Value.rows) { $0.rows(batch) }
    }
  }

  private mutating func rows(_ batch: RowBatch) {
    number(Fields.RowBatch.rowCount, UInt64(clamping: batch.rowCount))
    for column in batch.columns {
      message(Fields.RowBatch.columns) { writer in
        writer.number(Fields.ColumnValues.kind, UInt64(column.kind.rawValue))
        writer.bytes(Fields.ColumnValues.nulls, column.nulls)
        writer.packed(Fields.ColumnValues.integers, column.integers)
        writer.packed(Fields.ColumnValues.reals, column.reals)
        writer.packed(Fields.ColumnValues.ends, column.ends)
        writer.bytes(Fields.ColumnValues.data, column.data)
        writer.bytes(Fields.ColumnValues.tags, column.tags)
      }
    }
  }
}
