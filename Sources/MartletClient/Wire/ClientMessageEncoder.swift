internal import MartletValues
internal import NIOCore

/// Encodes what a client says as frames.
///
/// Always true: the bytes are what SwiftProtobuf would write for `ProtoClientMessage`; a test compares them.
enum ClientMessageEncoder {
  /// How a statement is named: by its bytes, or by the id of its shape.
  struct Source {
    var statement: RemoteStatement
    var isByShape: Bool
    var columnsVersion: UInt64
  }

  /// What an execute and a batch say beside their statements.
  struct Options {
    var transaction: UInt32
    var deadlineMs: UInt32
    var credit: UInt32
    var mayShortenDeadline = false
  }

  static func hello(
    id: UInt32, database: String, client: String, create: Bool, setup: [[UInt8]] = [], setupFollows: Bool = false
  ) -> ByteBuffer {
    frame(id) { writer in
      writer.message(2) { hello in
        hello.varint(1, 1)
        hello.bytes(2, database.utf8)
        hello.bytes(3, client.utf8)
        hello.bool(4, create)
        for statement in setup { hello.memberBytes(5, statement) }
        hello.bool(6, setupFollows)
      }
    }
  }

  static func setup(id: UInt32, _ statements: [[UInt8]]) -> ByteBuffer {
    frame(id) { writer in
      writer.message(12) { setup in
        for statement in statements { setup.memberBytes(1, statement) }
      }
    }
  }

  static func execute(id: UInt32, _ source: Source, _ parameters: [Value], _ options: Options) -> ByteBuffer {
    frame(id, capacity: source.isByShape ? 128 : 256 + source.statement.bytes.count) { writer in
      writer.message(3) { execute in
        execute.source(source)
        for value in parameters { execute.message(3) { $0.value(value) } }
        execute.fixed32(4, options.transaction)
        execute.varint(5, UInt64(options.deadlineMs))
        execute.varint(6, UInt64(options.credit))
        execute.fixed64(7, source.columnsVersion)
        execute.bool(8, options.mayShortenDeadline)
      }
    }
  }

  static func batch(
    id: UInt32, _ steps: [BatchStep], _ sources: [Source], isAtomic: Bool, _ options: Options
  ) -> ByteBuffer {
    frame(id) { writer in
      writer.message(4) { batch in
        for (step, source) in zip(steps, sources) { batch.message(1) { $0.step(step, source) } }
        batch.bool(2, isAtomic)
        batch.fixed32(3, options.transaction)
        batch.varint(4, UInt64(options.deadlineMs))
        batch.varint(5, UInt64(options.credit))
        batch.bool(6, options.mayShortenDeadline)
      }
    }
  }

  static func begin(id: UInt32, _ mode: TransactionMode, deadlineMs: UInt32) -> ByteBuffer {
    frame(id) { writer in
      writer.message(5) { begin in
        begin.varint(1, mode == .read ? 1 : 2)
        begin.varint(2, UInt64(deadlineMs))
      }
    }
  }

  static func finish(id: UInt32, transaction: UInt32, commit: Bool) -> ByteBuffer {
    frame(id) { writer in
      writer.message(6) { finish in
        finish.fixed32(1, transaction)
        finish.bool(2, commit)
      }
    }
  }

  static func savepoint(id: UInt32, transaction: UInt32, _ action: SavepointAction, number: UInt32) -> ByteBuffer {
    frame(id) { writer in
      writer.message(7) { savepoint in
        savepoint.fixed32(1, transaction)
        savepoint.varint(2, action.number)
        savepoint.varint(3, UInt64(number))
      }
    }
  }

  static func credit(id: UInt32, bytes: UInt32) -> ByteBuffer {
    frame(id) { $0.message(8) { $0.varint(1, UInt64(bytes)) } }
  }

  static func cancel(id: UInt32) -> ByteBuffer { frame(id) { $0.message(9) { _ in } } }

  static func ping(id: UInt32) -> ByteBuffer { frame(id) { $0.message(10) { _ in } } }

  static func inspect(id: UInt32, shapes: UInt32, sessions: UInt32) -> ByteBuffer {
    frame(id) { writer in
      writer.message(11) { inspect in
        inspect.varint(1, UInt64(shapes))
        inspect.varint(2, UInt64(sessions))
      }
    }
  }

  static func administer(id: UInt32, _ task: Administration) -> ByteBuffer {
    frame(id) { writer in
      writer.message(14) { administer in
        administer.varint(1, UInt64(task.task))
        administer.bytes(2, Array(task.database.utf8))
        administer.bytes(3, Array(task.newName.utf8))
        administer.varint(4, task.endsSessions ? 1 : 0)
      }
    }
  }

  static func maintain(id: UInt32, _ task: MaintenanceTask, deadlineMs: UInt32, credit: UInt32) -> ByteBuffer {
    frame(id) { writer in
      writer.message(13) { maintain in
        maintain.varint(1, UInt64(task.rawValue))
        maintain.varint(2, UInt64(deadlineMs))
        maintain.varint(3, UInt64(credit))
      }
    }
  }

  private static func frame(_ id: UInt32, capacity: Int = 64, _ body: (inout WireWriter) -> Void) -> ByteBuffer {
    var writer = WireWriter(capacity: capacity)
    writer.fixed32(1, id)
    body(&writer)
    return writer.finish()
  }
}

extension WireWriter {
  fileprivate mutating func source(_ source: ClientMessageEncoder.Source) {
    if source.isByShape { memberBytes(2, source.statement.shape.bytes) } else { memberBytes(1, source.statement.bytes) }
  }

  fileprivate mutating func step(_ step: BatchStep, _ source: ClientMessageEncoder.Source) {
    self.source(source)
    for parameter in step.parameters { message(3) { $0.parameter(parameter) } }
    fixed64(4, source.columnsVersion)
    for condition in step.conditions {
      message(5) { writer in
        writer.varint(1, UInt64(clamping: condition.step))
        writer.varint(2, UInt64(clamping: condition.outcome.rawValue))
        writer.bool(3, condition.isNegated)
      }
    }
    bool(6, step.isAnyEnough)
  }

  fileprivate mutating func parameter(_ parameter: BatchStep.Parameter) {
    switch parameter {
    case .value(let value): self.value(value)
    case .lastInsertRowID(let step): reference(step, field: 1, column: 0)
    case .rowsChanged(let step): reference(step, field: 2, column: 0)
    case .firstRow(let step, let column): reference(step, field: 3, column: column)
    }
  }

  private mutating func reference(_ step: Int, field: UInt64, column: Int) {
    message(7) { writer in
      writer.varint(1, UInt64(UInt32(clamping: step)))
      writer.varint(2, field)
      writer.varint(3, UInt64(UInt32(clamping: column)))
    }
  }

  fileprivate mutating func value(_ value: Value) {
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

extension SavepointAction {
  fileprivate var number: UInt64 {
    switch self {
    case .set: 1
    case .release: 2
    case .rollBackTo: 3
    }
  }
}
