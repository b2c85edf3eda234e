/// Fields that are not the protocol's: of another wire type they are refused, of a number that no version has ignored.
import MartletProtobuf
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletClient

@Suite struct WireTypeTests {
  private static func field(_ number: UInt32, _ type: WireType) -> [UInt8] { RawFields.empty(Int(number), type) }

  private static func message(_ number: UInt32, _ body: [UInt8]) -> [UInt8] { RawFields.delimited(Int(number), body) }

  private static let wireTypes: [WireType] = [.varint, .fixed64, .delimited, .fixed32]

  /// A message of the protocol that is decoded by hand, and the wire types that its fields may have.
  private struct Decoded: Sendable {
    let name: String
    let numbers: ClosedRange<UInt32>
    let types: [UInt32: Set<WireType>]
    /// The whole message around this one.
    let around: @Sendable ([UInt8]) -> [UInt8]
  }

  private static let decoded: [Decoded] = [
    Decoded(
      name: "ServerMessage", numbers: Fields.ServerMessage.numbers,
      types: [
        Fields.ServerMessage.requestID: [.fixed32], Fields.ServerMessage.step: [.varint],
        Fields.ServerMessage.hello: [.delimited], Fields.ServerMessage.columns: [.delimited],
        Fields.ServerMessage.rows: [.delimited], Fields.ServerMessage.completion: [.delimited],
        Fields.ServerMessage.error: [.delimited], Fields.ServerMessage.pong: [.delimited],
        Fields.ServerMessage.inspection: [.delimited], Fields.ServerMessage.transactionEnded: [.delimited],
        Fields.ServerMessage.closing: [.delimited], Fields.ServerMessage.databases: [.delimited],
      ], around: { $0 }),
    Decoded(
      name: "Completion", numbers: Fields.Completion.numbers,
      types: [
        Fields.Completion.rowsChanged: [.varint], Fields.Completion.lastInsertRowid: [.varint],
        Fields.Completion.commitSequence: [.fixed64], Fields.Completion.transaction: [.varint],
        Fields.Completion.shape: [.delimited], Fields.Completion.skipped: [.varint],
        Fields.Completion.rowsReturned: [.varint],
      ], around: { message(Fields.ServerMessage.completion, $0) }),
    Decoded(
      name: "RowBatch", numbers: Fields.RowBatch.numbers,
      types: [Fields.RowBatch.rowCount: [.varint], Fields.RowBatch.columns: [.delimited]],
      around: { message(Fields.ServerMessage.rows, $0) }),
    // Its numbers need not be packed; one number without a row is refused too, so those have their own test.
    Decoded(
      name: "ColumnValues", numbers: Fields.ColumnValues.numbers,
      types: [
        Fields.ColumnValues.kind: [.varint], Fields.ColumnValues.nulls: [.delimited],
        Fields.ColumnValues.integers: [.delimited], Fields.ColumnValues.reals: [.delimited],
        Fields.ColumnValues.ends: [.delimited], Fields.ColumnValues.data: [.delimited],
        Fields.ColumnValues.tags: [.delimited],
      ], around: { message(Fields.ServerMessage.rows, message(Fields.RowBatch.columns, $0)) }),
  ]

  private func decode(_ bytes: [UInt8]) throws -> ServerMessage {
    try bytes.withUnsafeBytes { bytes throws(Malformed) in try ServerMessageDecoder.decode(bytes) }
  }

  @Test(arguments: decoded.indices)
  func `a field has one of its wire types, or the message is refused`(index: Int) throws {
    let decoded = Self.decoded[index]
    for number in decoded.numbers {
      let allowed = try #require(decoded.types[number], "\(decoded.name) has a new field \(number): say how it is sent")
      for type in Self.wireTypes {
        let bytes = decoded.around(Self.field(number, type))
        let isRead = (try? decode(bytes)) != nil
        #expect(isRead == allowed.contains(type), "\(decoded.name), field \(number) as \(type)")
      }
    }
  }

  @Test(arguments: decoded.indices)
  func `a field of a later version changes nothing`(index: Int) throws {
    let decoded = Self.decoded[index]
    let without = try decode(decoded.around([]))
    for number in [decoded.numbers.upperBound + 1, decoded.numbers.upperBound + 2, 63, 64, 100, 0x1FFF_FFFF] {
      for type in Self.wireTypes {
        let with = try decode(decoded.around(Self.field(number, type)))
        #expect(with == without, "\(decoded.name), field \(number) as \(type)")
      }
    }
  }

  @Test func `numbers that are not packed are the same values`() throws {
    let unpacked: [(field: [UInt8], kind: ColumnValues.Kind, value: Value)] = [
      (Self.field(Fields.ColumnValues.integers, .fixed64), .integer, 0),
      (Self.field(Fields.ColumnValues.reals, .fixed64), .real, .real(0)),
      (Self.field(Fields.ColumnValues.ends, .fixed32), .text, ""),
    ]
    for (field, kind, value) in unpacked {
      let column = [UInt8(Fields.ColumnValues.kind << 3), kind.rawValue] + field
      let rows = [UInt8(Fields.RowBatch.rowCount << 3), 1] + Self.message(Fields.RowBatch.columns, column)
      let parts = try decode(Self.message(Fields.ServerMessage.rows, rows)).parts
      #expect(parts == [.rows(RowBatch(rows: [[value]], columnCount: 1))], "\(kind)")
    }
  }
}
