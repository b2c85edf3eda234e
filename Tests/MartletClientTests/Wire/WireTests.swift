/// The hand-written encoder and decoder against SwiftProtobuf, and against bytes that are not what they should be.
import Foundation
import MartletValues
import NIOCore
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite struct WireTests {
  private static let values: [Value] = [
    .null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(-1.5), .real(.infinity), .text(""),
    .text("é\u{0}x"), .text(String(repeating: "long ", count: 10_000)), .blob([]), .blob([0, 255]),
    .list([1, nil, "x", 2.5]), .rows(RowBatch(rows: [[1, "a"], [nil, "b"]], columnCount: 2)),
  ]

  @Test func `an execute is what SwiftProtobuf reads and writes`() throws {
    for isByShape in [false, true] {
      let statement = RemoteStatement.sql("q")
      let frame = ClientMessageEncoder.execute(
        id: 0xDEAD_BEEF, .init(statement: statement, isByShape: isByShape, columnsVersion: .max), Self.values,
        .init(transaction: 5, deadlineMs: 6, credit: .max))
      let message = try ProtoClientMessage(framed: frame)
      #expect(message.requestID == 0xDEAD_BEEF)
      #expect(Array(message.execute.statement) == (isByShape ? [] : statement.bytes))
      #expect(Array(message.execute.shape) == (isByShape ? statement.shape.bytes : []))
      #expect(message.execute.transaction == 5 && message.execute.deadlineMs == 6)
      #expect(message.execute.credit == .max && message.execute.columnsVersion == .max)
      #expect(message.execute.parameters.map(\.value) == Self.values)
      try expectCanonical(frame)
    }
  }

  @Test func `every other message is what SwiftProtobuf reads and writes`() throws {
    let statement = RemoteStatement.sql("q")
    let steps = [
      BatchStep(statement, [.value("x")]),
      BatchStep(
        statement, [.lastInsertRowID(step: 1), .rowsChanged(step: 1), .firstRow(step: 1, column: 3)],
        when: [.init(step: 1, .returnedRows), !.init(step: 1, .failed)], isAnyEnough: true),
    ]
    let sources = [
      ClientMessageEncoder.Source(statement: statement, isByShape: false, columnsVersion: 0),
      .init(statement: statement, isByShape: true, columnsVersion: 9),
    ]
    let batch = ClientMessageEncoder.batch(
      id: 2, steps, sources, isAtomic: true, .init(transaction: 0, deadlineMs: 1, credit: 2))
    let read = try ProtoClientMessage(framed: batch).batch
    #expect(read.atomic && read.steps.count == 2)
    #expect(read.steps[1].parameters.map(\.reference.field) == [.lastInsertRowid, .rowsChanged, .firstRow])
    #expect(read.steps[1].parameters.last?.reference.column == 3)
    #expect(read.steps[1].conditions.map(\.outcome) == [.returnedRows, .failed])
    #expect(read.steps[1].conditions.map(\.negated) == [false, true] && read.steps[1].any)
    let frames = [
      batch, ClientMessageEncoder.hello(id: 1, database: "shop", client: "test", create: true),
      ClientMessageEncoder.hello(
        id: 1, database: "shop", client: "test", create: true, setup: [[1, 2], []], setupFollows: true),
      ClientMessageEncoder.setup(id: 1, [[3], [], [4]]),
      ClientMessageEncoder.begin(id: 3, .read, deadlineMs: 4), ClientMessageEncoder.begin(id: 3, .write, deadlineMs: 0),
      ClientMessageEncoder.finish(id: 4, transaction: 3, commit: true),
      ClientMessageEncoder.finish(id: 4, transaction: 3, commit: false),
      ClientMessageEncoder.savepoint(id: 5, transaction: 3, .set, number: 1),
      ClientMessageEncoder.savepoint(id: 5, transaction: 3, .rollBackTo, number: 1),
      ClientMessageEncoder.credit(id: 6, bytes: 300), ClientMessageEncoder.cancel(id: 7),
      ClientMessageEncoder.ping(id: 8), ClientMessageEncoder.inspect(id: 9, shapes: 10, sessions: 7),
      ClientMessageEncoder.maintain(id: 10, .unfence, deadlineMs: 600_000, credit: 65_536),
      ClientMessageEncoder.administer(id: 11, .list(after: "")),
      ClientMessageEncoder.administer(id: 11, .rename("a", to: "b", endsSessions: true)),
    ]
    for frame in frames { try expectCanonical(frame) }
  }

  /// SwiftProtobuf reads the frame, writes the same bytes, and finds no field that it does not know.
  private func expectCanonical(_ frame: ByteBuffer) throws {
    let message = try ProtoClientMessage(framed: frame)
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == Array(frame.readableBytesView.dropFirst(5)))
    #expect(message.unknownFields == UnknownStorage())
  }

  @Test func `row batches of every kind survive the wire`() throws {
    let rows: [[Value]] = [
      [1, 1.5, "a", .blob([1]), nil, 1], [2, nil, "", .blob([]), nil, "x"],
      [nil, -0.0, nil, nil, nil, .blob([9])], [.integer(.min), .real(.infinity), "é", .blob([0]), nil, nil],
    ]
    let batch = RowBatch(rows: rows, columnCount: 6)
    let message = try ServerMessage(ByteBuffer(bytes: try Self.message(batch).serializedBytes() as [UInt8]))
    let decoded = try #require(message.rows)
    #expect(decoded == batch)
    for (index, row) in rows.enumerated() { #expect(try decoded.row(index) == row) }
  }

  @Test func `the rest of a server's messages arrives with every field`() throws {
    let proto = ProtoServerMessage.with {
      $0.requestID = 9
      $0.step = 3
      $0.completion = .with {
        $0.rowsChanged = -5
        $0.lastInsertRowid = .min
        $0.commitSequence = .max
        $0.transaction = .write
        $0.shape = Data(1...16)
        $0.skipped = true
        $0.rowsReturned = .max
      }
      $0.error = .with {
        $0.code = 6
        $0.reason = "CONSTRAINT"
        $0.message = "m"
        $0.sqliteCode = -3
        $0.path = "p"
        $0.constraint = "c"
        $0.table = "t"
        $0.column = "k"
        $0.retryable = true
        $0.outcomeUnknown = true
      }
      $0.inspection = .with {
        $0.counters = [
          .with {
            $0.name = "n"; $0.value = -1
          }
        ]
        $0.shapes = [
          .with {
            $0.shape = Data(1...16); $0.sql = "s"; $0.microseconds = 4
          }
        ]
      }
    }
    let message = try ServerMessage(ByteBuffer(bytes: try proto.serializedBytes() as [UInt8]))
    let shape = [UInt8](1...16).withUnsafeBytes { ShapeID(bytes: $0) }
    #expect(message.requestID == 9 && message.step == 3)
    #expect(
      message.completion
        == Completion(
          rowsChanged: -5, lastInsertRowID: .min, rowsReturned: .max, commitSequence: .max, transaction: .write,
          shape: shape, isSkipped: true))
    #expect(
      message.error
        == RequestError(
          .alreadyExists, .constraint, "m", sqliteCode: -3, path: "p", constraint: "c", table: "t", column: "k",
          isRetryable: true, isOutcomeUnknown: true))
    #expect(message.inspection?["n"] == -1 && message.inspection?.shapes.first?.sql == "s")
  }

  @Test func `a message cut or changed anywhere is refused or well-formed, and never a crash`() throws {
    let rows: [[Value]] = [[1, "a", nil, 1], [2, "bc", 2.5, "x"]]
    var proto = Self.message(RowBatch(rows: rows, columnCount: 4))
    proto.columns = .with { $0.columns = [.with { $0.name = "n" }] }
    proto.completion = .with { $0.shape = Data(1...16) }
    let bytes: [UInt8] = try proto.serializedBytes()
    for cut in bytes.indices { check(Array(bytes[..<cut])) }
    for index in bytes.indices {
      for change in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = change
        check(changed)
      }
    }
  }

  /// Whatever decodes can be read row by row.
  private func check(_ bytes: [UInt8]) {
    guard let message = try? ServerMessage(ByteBuffer(bytes: bytes)), let rows = message.rows else { return }
    for row in 0..<min(rows.rowCount, 4) { _ = try? rows.row(row) }
  }

  @Test func `a batch whose arrays do not agree is refused`() throws {
    let changes: [(inout ProtoColumnValues, inout ProtoRowBatch) -> Void] = [
      { column, _ in column.integers = [1] }, { column, _ in column.kind = .real },
      { column, _ in column.kind = .mixed }, { column, _ in column.kind = .UNRECOGNIZED(6) },
      { column, _ in column.nulls = Data([0, 0]) }, { column, _ in column.ends = [1] },
      { _, batch in batch.rowCount = .max },
      { column, batch in
        column = ProtoColumnValues()
        batch.rowCount = .max
      },
      { column, _ in
        column.kind = .text
        column.ends = [2, 1]
      },
      { column, _ in
        column.kind = .text
        column.ends = [0, 9]
      },
    ]
    for (index, change) in changes.enumerated() {
      var batch = ProtoServerMessage.rows(2, [1, 2]).rows
      var column = batch.columns[0]
      change(&column, &batch)
      batch.columns = [column]
      let bytes: [UInt8] = try batch.serializedBytes()
      #expect(throws: Malformed.self, "change \(index)") {
        try bytes.withUnsafeBytes { bytes throws(Malformed) in try RowBatchReader.read(bytes) }
      }
    }
  }

  static func message(_ batch: RowBatch) -> ProtoServerMessage {
    .with { $0.rows = ProtoRowBatch(batch) }
  }
}

extension ProtoRowBatch {
  init(_ batch: RowBatch) {
    self.init()
    rowCount = UInt32(batch.rowCount)
    columns = batch.columns.map { column in
      .with {
        $0.kind = ProtoColumnKind(rawValue: Int(column.kind.rawValue)) ?? .null
        $0.nulls = Data(column.nulls)
        $0.integers = column.integers
        $0.reals = column.reals
        $0.ends = column.ends
        $0.data = Data(column.data)
        $0.tags = Data(column.tags)
      }
    }
  }

  var batch: RowBatch {
    RowBatch(
      rowCount: Int(rowCount),
      columns: columns.map { proto in
        var column = ColumnValues()
        column.kind = ColumnValues.Kind(rawValue: UInt8(proto.kind.rawValue)) ?? .null
        column.nulls = Array(proto.nulls)
        column.integers = proto.integers
        column.reals = proto.reals
        column.ends = proto.ends
        column.data = Array(proto.data)
        column.tags = Array(proto.tags)
        return column
      })
  }
}

extension ProtoValue {
  var value: Value {
    switch kind {
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .text(String(decoding: text, as: UTF8.self))
    case .blob(let blob): .blob(Array(blob))
    case .rows(let rows): .rows(rows.batch)
    case .null, .reference, nil: .null
    }
  }
}
