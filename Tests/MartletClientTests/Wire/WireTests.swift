/// The hand-written encoder and decoder against SwiftProtobuf, and against bytes that are not what they should be.
import Foundation
import MartletProtocol
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
    let statement = RemoteStatement.sql("q")
    for source in [StatementSource.statement(statement.bytes), .shape(statement.shape)] {
      let frame = ClientMessageEncoder.frame(
        ClientMessage(
          requestID: 0xDEAD_BEEF,
          kind: .request(
            .execute(
              ClientMessage.Execute(
                source: source, parameters: Self.values, transaction: 5, deadlineMs: 6, credit: .max,
                columnsVersion: .max, mayShortenDeadline: true)))))
      let message = try ProtoClientMessage(framed: frame)
      #expect(message.requestID == 0xDEAD_BEEF)
      let isByShape = source == .shape(statement.shape)
      #expect(Array(message.execute.statement) == (isByShape ? [] : statement.bytes))
      #expect(Array(message.execute.shape) == (isByShape ? statement.shape.bytes : []))
      #expect(message.execute.transaction == 5 && message.execute.deadlineMs == 6)
      #expect(message.execute.credit == .max && message.execute.columnsVersion == .max)
      #expect(message.execute.parameters.map(\.value) == Self.values)
      try expectCanonical(frame)
    }
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
    let message = try ServerMessageDecoder.decode(
      ByteBuffer(bytes: try Self.message(batch).serializedBytes() as [UInt8]))
    guard case .rows(let decoded)? = message.parts.first else {
      Issue.record("no rows: \(message)")
      return
    }
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
    let message = try ServerMessageDecoder.decode(ByteBuffer(bytes: try proto.serializedBytes() as [UInt8]))
    let shape = [UInt8](1...16).withUnsafeBytes { ShapeID(bytes: $0) }
    #expect(message.requestID == 9 && message.step == 3)
    #expect(
      message.parts == [
        .completion(
          Completion(
            rowsChanged: -5, lastInsertRowID: .min, rowsReturned: .max, commitSequence: .max, transaction: .write,
            shape: shape, isSkipped: true)),
        .error(
          RequestError(
            .alreadyExists, .constraint, "m", sqliteCode: -3, path: "p", constraint: "c", table: "t", column: "k",
            isRetryable: true, isOutcomeUnknown: true)),
        .inspection(
          Inspection(
            counters: [.init(name: "n", value: -1)],
            shapes: [
              ShapeStatistics(shape: try #require(shape), database: "", sql: "s", microseconds: 4)
            ])),
      ])
  }

  @Test func `parts are in their order in whatever order they came, and none comes twice`() throws {
    func part(_ change: (inout ProtoServerMessage) -> Void) throws -> [UInt8] {
      try ProtoServerMessage.with { change(&$0) }.serializedBytes()
    }
    let id = try part { $0.requestID = 7 }
    let columns = try part { $0.columns.version = 3 }
    let rows = try part {
      $0.rows.rowCount = 0; $0.rows.columns = []
    }
    let end = try part { $0.completion.rowsReturned = 2 }
    let pong = try part { $0.pong.payload = Data([1]) }
    let expected = try decode(columns + rows + end + pong + id)
    #expect(expected.parts.count == 4 && expected.requestID == 7)
    for order in [[id, pong, end, rows, columns], [end, columns, id, pong, rows], [rows, pong, columns, end, id]] {
      #expect(try decode(order.flatMap { $0 }) == expected)
    }
    #expect(throws: Malformed.self) { try decode(id + end + columns + end) }
  }

  private func decode(_ bytes: [UInt8]) throws -> ServerMessage {
    try bytes.withUnsafeBytes { bytes throws(Malformed) in try ServerMessageDecoder.decode(bytes) }
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

  @Test(arguments: [Int(Int32.min), -1, 0, 4, Int(Int32.max)])
  func `a state that no version has is that of a database in use`(state: Int) throws {
    let proto = ProtoServerMessage.with {
      $0.databases.databases = [.with { $0.state = .UNRECOGNIZED(state) }]
    }
    let list = DatabaseList(entries: [DatabaseList.Entry(name: "", state: .open, bytes: 0, logBytes: 0, sessions: 0)])
    #expect(try decode(proto.serializedBytes()).parts == [.databases(list)])
  }

  /// Whatever decodes can be read row by row.
  private func check(_ bytes: [UInt8]) {
    guard let message = try? decode(bytes) else { return }
    for case .rows(let rows) in message.parts {
      for row in 0..<min(rows.rowCount, 4) { _ = try? rows.row(row) }
    }
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
      { column, batch in
        column = ProtoColumnValues()
        batch.rowCount = 65_537
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
