/// Frames that are made of nothing but parts.
import MartletProtobuf
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletWire

@Suite struct PartCountTests {
  private func field(_ number: UInt32, _ body: [UInt8]) -> [UInt8] { RawFields.delimited(Int(number), body) }

  private func repeated(_ number: UInt32, _ body: [UInt8] = [], times: Int) -> [UInt8] {
    Array(repeatElement(field(number, body), count: times).joined())
  }

  private func isWithin(_ most: Int, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { PartCount.isWithin(most, $0) }
  }

  /// A request of a kind, with so many parts in it, at each place where a message may have many.
  private func messages(_ parts: Int) -> [(what: String, bytes: [UInt8])] {
    let columns = field(Fields.Value.rows, repeated(Fields.RowBatch.columns, times: parts - 3))
    let step = repeated(Fields.Step.conditions, times: parts - 2)
    return [
      ("steps", field(Fields.ClientMessage.batch, repeated(Fields.Batch.steps, times: parts - 1))),
      ("conditions", field(Fields.ClientMessage.batch, field(Fields.Batch.steps, step))),
      ("parameters", field(Fields.ClientMessage.execute, repeated(Fields.Execute.parameters, times: parts - 1))),
      ("fields of a later version", field(Fields.ClientMessage.execute, repeated(500, times: parts - 1))),
      ("columns", field(Fields.ClientMessage.execute, field(Fields.Execute.parameters, columns))),
    ]
  }

  @Test func `each message in a message counts, wherever it stands`() {
    for (what, bytes) in messages(1_000) {
      #expect(isWithin(1_000, bytes) && !isWithin(999, bytes), "\(what)")
    }
  }

  @Test func `a field of a later version counts, wherever it stands`() {
    for inner in [field(500, []), RawFields.key(500, .varint) + [1]] {
      let fields = Array(repeatElement(inner, count: 999).joined())
      let execute = field(Fields.ClientMessage.execute, fields)
      #expect(isWithin(1_000, execute) && !isWithin(999, execute))
      #expect(isWithin(999, fields) && !isWithin(998, fields))
    }
  }

  @Test func `what is no message is not counted, whatever its bytes are`() {
    // A blob that reads like ten thousand fields.
    let blob = field(Fields.Value.blob, repeated(1, times: 10_000))
    #expect(isWithin(2, field(Fields.ClientMessage.execute, field(Fields.Execute.parameters, blob))))
    // A list of numbers that somebody sends one by one.
    let number = RawFields.key(Int(Fields.ColumnValues.ends), .fixed32) + [1, 0, 0, 0]
    let column = field(Fields.RowBatch.columns, Array(repeatElement(number, count: 10_000).joined()))
    let list = field(Fields.Execute.parameters, field(Fields.Value.rows, column))
    #expect(isWithin(4, field(Fields.ClientMessage.execute, list)))
    #expect(isWithin(1, [UInt8](repeating: 0xFF, count: 10_000)))
  }

  @Test func `a frame of millions of parts is refused without being unpacked`() {
    let id: [UInt8] = [0x0D, 9, 0, 0, 0]
    let decoder = ClientMessageDecoder(limits: Limits())
    for (what, bytes) in messages(2_000_000) {
      let message = id + bytes
      let error = #expect(throws: MessageError.self, "\(what)") {
        try message.withUnsafeBytes { _ = try decoder.decode($0) }
      }
      #expect(error?.error == .tooManyParts && error?.requestID == 9 && error?.isFatal == false, "\(what)")
      #expect(decoder.decodedBytes == 0, "\(what)")
    }
  }
}
