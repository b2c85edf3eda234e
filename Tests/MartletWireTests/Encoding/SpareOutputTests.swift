/// The outputs of a loop's connections lend each other memory, and never each other's bytes.
import MartletClient
import MartletProtocol
import MartletTestSupport
import Testing

@testable import MartletWire

@Suite struct SpareOutputTests {
  private let arena = Arena()

  private func fill(_ output: ServerMessageEncoder, bytes: Int, with byte: UInt8) {
    output.encode(.pong(Array(repeating: byte, count: bytes)), to: UInt32(byte))
  }

  private func expect(_ output: ServerMessageEncoder, bytes: Int, of byte: UInt8) throws {
    var frames = FrameDecoder(frameBytesMax: 1 << 30)
    frames.feed(output.bytes)
    let frame = try #require(try frames.next())
    let message = try ServerMessageDecoder.decode(frame)
    #expect(message.requestID == UInt32(byte))
    #expect(message.parts == [.pong(Array(repeating: byte, count: bytes))])
  }

  @Test func `what one output needed for a large answer the next one uses`() throws {
    let spare = SpareOutput()
    let outputs = (0..<3).map { _ in ServerMessageEncoder(arena, spare: spare) }
    var place: UnsafeRawPointer?
    for round in 0..<50 {
      let (output, byte) = (outputs[round % 3], UInt8(round))
      let bytes = 70_000 - round * 1_000
      fill(output, bytes: bytes, with: byte)
      #expect(spare.count == 0)
      #expect(place == nil || output.bytes.baseAddress == place)
      place = output.bytes.baseAddress
      try expect(output, bytes: bytes, of: byte)
      output.removeAll()
      #expect(output.isEmpty && spare.count == 1)
    }
  }

  @Test func `outputs that are full at the same time have memory of their own`() throws {
    let spare = SpareOutput()
    let outputs = (0..<12).map { _ in ServerMessageEncoder(arena, spare: spare) }
    for _ in 0..<4 {
      for (index, output) in outputs.enumerated() { fill(output, bytes: 30_000, with: UInt8(index)) }
      for (index, output) in outputs.enumerated() { try expect(output, bytes: 30_000, of: UInt8(index)) }
      for output in outputs { output.removeAll() }
      #expect(spare.count == WireLimits.spareOutputsMax)
    }
  }

  @Test func `an output that grows a message at a time keeps what it has`() throws {
    let spare = SpareOutput()
    let (first, second) = (ServerMessageEncoder(arena, spare: spare), ServerMessageEncoder(arena, spare: spare))
    for output in [first, second, first, second] {
      for id in 1...200 { output.encode(.pong(Array(repeating: UInt8(id), count: 600)), to: UInt32(id)) }
      var frames = FrameDecoder(frameBytesMax: 1_000)
      frames.feed(output.bytes)
      for id in 1...200 {
        let frame = try #require(try frames.next())
        let expected = ServerMessage(requestID: UInt32(id), .pong(Array(repeating: UInt8(id), count: 600)))
        #expect(try ServerMessageDecoder.decode(frame) == expected)
      }
      output.removeAll()
    }
  }

  @Test func `what nobody needed since the last tick is freed, and so is a block beyond the bound`() {
    let spare = SpareOutput()
    let output = ServerMessageEncoder(arena, spare: spare)
    fill(output, bytes: 30_000, with: 1)
    output.removeAll()
    #expect(spare.count == 1)
    spare.tick()
    #expect(spare.count == 1, "it came since the last tick")
    fill(output, bytes: 30_000, with: 2)
    #expect(spare.count == 0)
    output.removeAll()
    spare.tick()
    #expect(spare.count == 1, "it was needed since")
    spare.tick()
    #expect(spare.count == 0)
    fill(output, bytes: 2 * WireLimits.spareOutputBytesMax, with: 3)
    output.removeAll()
    #expect(spare.count == 0)
  }

  @Test func `if memory is short nothing is kept, and outputs go on`() throws {
    let spare = SpareOutput()
    let output = ServerMessageEncoder(arena, spare: spare)
    for round in 1...3 {
      fill(output, bytes: 30_000, with: UInt8(round))
      output.removeAll()
      #expect(spare.count == 1)
      spare.removeAll()
      #expect(spare.count == 0)
    }
    fill(output, bytes: 30_000, with: 9)
    try expect(output, bytes: 30_000, of: 9)
  }

  @Test func `a session that goes leaves its memory to the others`() {
    let spare = SpareOutput()
    var output: ServerMessageEncoder? = ServerMessageEncoder(arena, spare: spare)
    if let output { fill(output, bytes: 100_000, with: 1) }
    output = nil
    #expect(spare.count == 1)
  }
}
