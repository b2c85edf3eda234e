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
    writer.fixed32(1, message.requestID)
    switch message.kind {
    case .hello(let hello): writer.message(2) { $0.hello(hello) }
    case .setup(let statements):
      writer.message(12) { setup in
        for statement in statements { setup.memberBytes(1, statement) }
      }
    case .credit(let bytes): writer.message(8) { $0.varint(1, UInt64(bytes)) }
    case .cancel: writer.message(9) { _ in }
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
    varint(1, UInt64(hello.protocolVersion))
    bytes(2, hello.database.utf8)
    bytes(3, hello.client.utf8)
    bool(4, hello.create)
    for statement in hello.setup { memberBytes(5, statement) }
    bool(6, hello.setupFollows)
    bytes(7, hello.credential.utf8)
  }

  fileprivate mutating func request(_ request: ClientMessage.Request) {
    switch request {
    case .execute(let execute): message(3) { $0.execute(execute) }
    case .batch(let batch): message(4) { $0.batch(batch) }
    case .begin(let mode, let deadlineMs):
      message(5) { begin in
        begin.varint(1, UInt64(mode.rawValue))
        begin.varint(2, UInt64(deadlineMs))
      }
    case .finish(let transaction, let commit, let required):
      message(6) { finish in
        finish.fixed32(1, transaction)
        finish.bool(2, commit)
        finish.varint(3, UInt64(required))
      }
    case .savepoint(let transaction, let action, let number):
      message(7) { savepoint in
        savepoint.fixed32(1, transaction)
        savepoint.varint(2, UInt64(action.rawValue))
        savepoint.varint(3, UInt64(number))
      }
    case .ping(let payload): message(10) { $0.bytes(1, payload) }
    case .inspect(let shapes, let sessions):
      message(11) { inspect in
        inspect.varint(1, UInt64(shapes))
        inspect.varint(2, UInt64(sessions))
      }
    case .maintain(let task, let deadlineMs, let credit):
      message(13) { maintain in
        maintain.varint(1, UInt64(task.rawValue))
        maintain.varint(2, UInt64(deadlineMs))
        maintain.varint(3, UInt64(credit))
      }
    case .administer(let task):
      message(14) { administer in
        administer.varint(1, UInt64(task.task))
        administer.bytes(2, task.database.utf8)
        administer.bytes(3, task.newName.utf8)
        administer.bool(4, task.endsSessions)
      }
    }
  }

  private mutating func execute(_ execute: ClientMessage.Execute) {
    source(execute.source)
    for value in execute.parameters { message(3) { $0.value(value) } }
    fixed32(4, execute.transaction)
    varint(5, UInt64(execute.deadlineMs))
    varint(6, UInt64(execute.credit))
    fixed64(7, execute.columnsVersion)
    bool(8, execute.mayShortenDeadline)
    bool(9, execute.isRequired)
  }

  private mutating func batch(_ batch: ClientMessage.Batch) {
    for step in batch.steps { message(1) { $0.step(step) } }
    bool(2, batch.isAtomic)
    fixed32(3, batch.transaction)
    varint(4, UInt64(batch.deadlineMs))
    varint(5, UInt64(batch.credit))
    bool(6, batch.mayShortenDeadline)
  }

  private mutating func source(_ source: StatementSource) {
    switch source {
    case .statement(let bytes): memberBytes(1, bytes)
    case .shape(let shape): memberBytes(2, shape.bytes)
    }
  }

  private mutating func step(_ step: StatementStep) {
    source(step.source)
    for parameter in step.parameters { message(3) { $0.parameter(parameter) } }
    fixed64(4, step.columnsVersion)
    for condition in step.conditions {
      message(5) { writer in
        writer.varint(1, UInt64(UInt32(exactly: condition.step) ?? .max))
        writer.varint(2, UInt64(condition.outcome.rawValue))
        writer.bool(3, condition.isNegated)
      }
    }
    bool(6, step.isAnyEnough)
  }

  private mutating func parameter(_ parameter: StepParameter) {
    switch parameter {
    case .value(let value): self.value(value)
    case .lastInsertRowID(let step): reference(step, field: 1, column: 0)
    case .rowsChanged(let step): reference(step, field: 2, column: 0)
    case .firstRow(let step, let column): reference(step, field: 3, column: column)
    }
  }

  /// A number that no step or column has goes out as the largest one: clamped, one below zero would be column 0.
  private mutating func reference(_ step: Int, field: UInt64, column: Int) {
    message(7) { writer in
      writer.varint(1, UInt64(UInt32(exactly: step) ?? .max))
      writer.varint(2, field)
      writer.varint(3, UInt64(UInt32(exactly: column) ?? .max))
    }
  }

  private mutating func value(_ value: Value) {
    switch value {
    case .null: memberBool(1, true)
    case .integer(let integer): member64(2, UInt64(bitPattern: integer))
    case .real(let real): member64(3, real.bitPattern)
    case .text(let text): memberBytes(4, text.utf8)
    case .blob(let blob): memberBytes(5, blob)
    case .rows(let batch): message(6) { $0.rows(batch) }
    }
  }

  private mutating func rows(_ batch: RowBatch) {
    varint(1, UInt64(clamping: batch.rowCount))
    for column in batch.columns {
      message(2) { writer in
        writer.varint(1, UInt64(column.kind.rawValue))
        writer.bytes(2, column.nulls)
        writer.packed(3, column.integers)
        writer.packed(4, column.reals)
        writer.packed(5, column.ends)
        writer.bytes(6, column.data)
        writer.bytes(7, column.tags)
      }
    }
  }
}
