/// Encoding and then decoding gives every message back, in both directions.
///
/// Always true: messages are random but the same in each run.
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import MartletWire
import Testing

@Suite struct RoundTripTests {
  private let limits = Limits()

  private let arena = Arena()

  private func written(_ body: (ServerMessageEncoder) -> Void) throws -> ServerMessage {
    let output = ServerMessageEncoder(arena)
    body(output)
    var frames = FrameDecoder(frameBytesMax: 1 << 30)
    frames.feed(output.bytes)
    let frame = try #require(try frames.next())
    #expect(frame.count == output.count - Frame.headerBytes)
    return try ServerMessageDecoder.decode(frame)
  }

  @Test func `what the client's codec writes is what the server's reads`() throws {
    var generator = MessageGenerator(seed: 1)
    let decoder = ClientMessageDecoder(limits: limits)
    for _ in 0..<2_000 {
      let message = generator.clientMessage()
      let bytes = ClientMessageEncoder.bytes(of: message)
      #expect(try bytes.dropFirst(Frame.headerBytes).withUnsafeBytes { try decoder.decode($0) } == message)
    }
  }

  @Test func `what the server's codec writes is what the client's reads`() throws {
    var generator = MessageGenerator(seed: 2)
    for _ in 0..<2_000 {
      let message = ServerMessage(
        requestID: generator.word(), step: generator.word(), parts: generator.parts())
      #expect(try written { $0.encode(message) } == message)
      for part in message.parts {
        #expect(
          try written { $0.encode(part, to: message.requestID, step: message.step) }
            == ServerMessage(requestID: message.requestID, step: message.step, part))
      }
    }
  }

  @Test func `an answer on the spot is the message of its parts`() throws {
    var generator = MessageGenerator(seed: 3)
    for _ in 0..<500 {
      let (columns, rows) = (generator.flag() ? generator.columns() : nil, generator.rows())
      let completion = generator.flag() ? generator.completion() : nil
      var expected = ServerMessage(requestID: generator.word(), step: generator.word())
      if let columns { expected.parts.append(.columns(columns)) }
      expected.parts.append(.rows(rows))
      if let completion { expected.parts.append(.completion(completion)) }
      let message = try written { output in
        output.reply(
          to: expected.requestID, step: expected.step, columns: columns, rows: rows, completion: completion)
      }
      #expect(message == expected)
    }
  }

  @Test func `text that is not UTF-8 comes back from a database byte for byte`() throws {
    var column = ColumnValues()
    let bytes: [UInt8] = [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0]
    bytes.withUnsafeBytes { column.appendText($0, row: 0) }
    let rows = RowBatch(rowCount: 1, columns: [column])
    #expect(try written { $0.reply(to: 1, rows: rows) }.parts == [.rows(rows)])
  }

  @Test func `an output keeps whole frames only, in order, however much it grows`() throws {
    let output = ServerMessageEncoder(arena)
    for id in 1...500 {
      output.encode(.pong(Array(repeating: UInt8(id % 256), count: id % 65)), to: UInt32(id))
    }
    var decoder = FrameDecoder(frameBytesMax: 1_000)
    decoder.feed(output.bytes)
    var id: UInt32 = 0
    while let frame = try decoder.next() {
      id += 1
      #expect(try ServerMessageDecoder.decode(frame).requestID == id)
    }
    #expect(id == 500)
  }
}
