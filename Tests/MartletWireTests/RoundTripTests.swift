/// Encoding and then decoding gives every message back, in both directions.
///
/// Always true: messages are random but the same in each run.
import MartletValues
import MartletWire
import Testing

@Suite struct RoundTripTests {
  private let limits = Limits()

  /// The one message in a buffer that holds exactly one frame.
  private func body(of output: OutputBuffer) -> UnsafeRawBufferPointer {
    var decoder = FrameDecoder(frameBytesMax: 1 << 30)
    decoder.feed(output.bytes)
    let frame = try? decoder.next()
    #expect(frame?.count == output.count - Frame.headerBytes)
    return frame ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  @Test func `a client's message survives the wire`() throws {
    var generator = MessageGenerator(seed: 1)
    let (encoder, decoder) = (ClientMessageEncoder(), ClientMessageDecoder(limits: limits))
    let output = OutputBuffer()
    for _ in 0..<2_000 {
      let message = generator.clientMessage()
      output.removeAll()
      encoder.encode(message, into: output)
      #expect(try decoder.decode(body(of: output)) == message)
    }
  }

  @Test func `rows with their columns and completion survive the wire in one frame`() throws {
    var generator = MessageGenerator(seed: 2)
    let (encoder, decoder) = (ServerMessageEncoder(), ServerMessageDecoder())
    let output = OutputBuffer()
    for _ in 0..<1_000 {
      let columns = generator.flag() ? generator.columns() : nil
      let completion = generator.flag() ? generator.completion() : nil
      var message = ServerMessage(requestID: generator.word(), step: generator.word())
      let rows = generator.rows()
      if let columns { message.parts.append(.columns(columns)) }
      message.parts.append(.rows(rows))
      if let completion { message.parts.append(.completion(completion)) }
      output.removeAll()
      encoder.reply(
        to: message.requestID, step: message.step, columns: columns, rows: rows, completion: completion, into: output)
      #expect(try decoder.decode(body(of: output)) == message)
      let glance = try #require(ReplyGlance(body(of: output)))
      #expect(glance.requestID == message.requestID && glance.step == message.step)
      #expect(glance.rowCount == UInt32(rows.rowCount))
      #expect(glance.rowBytes == rows.byteCount)
      #expect(glance.columnsVersion == columns?.version ?? 0)
      #expect(glance.hasCompletion == (completion != nil))
      #expect(glance.commitSequence == completion?.commitSequence ?? 0)
      #expect(glance.rowsReturned == completion?.rowsReturned ?? 0)
      #expect(glance.rowsChanged == completion?.rowsChanged ?? 0)
      #expect(glance.shape == completion?.shape)
    }
  }

  @Test func `every other message of a server survives the wire`() throws {
    var generator = MessageGenerator(seed: 3)
    let (encoder, decoder) = (ServerMessageEncoder(), ServerMessageDecoder())
    func check(_ message: ServerMessage, _ encode: (OutputBuffer) -> Void) throws {
      let output = OutputBuffer()
      encode(output)
      #expect(try decoder.decode(body(of: output)) == message)
    }
    for _ in 0..<200 {
      let (id, step) = (generator.word(), generator.word())
      let columns = generator.columns()
      try check(.init(requestID: id, step: step, .columns(columns))) {
        encoder.columns(columns, to: id, step: step, into: $0)
      }
      let completion = generator.completion()
      try check(.init(requestID: id, step: step, .completion(completion))) {
        encoder.completion(completion, to: id, step: step, into: $0)
      }
      let error = generator.error()
      try check(.init(requestID: id, step: step, .error(error))) { encoder.error(error, to: id, step: step, into: $0) }
      try check(.init(requestID: id, .transactionEnded(transaction: id, error, ageMs: 1_234))) {
        encoder.transactionEnded(id, error, ageMs: 1_234, into: $0)
      }
      let payload = generator.bytes(0..<65)
      try check(.init(requestID: id, .pong(payload))) { encoder.pong(payload, to: id, into: $0) }
      let text = generator.name()
      try check(.init(requestID: 0, .closing(text))) { encoder.closing(text, into: $0) }
      let hello = HelloReply(
        server: generator.name(), sqlite: generator.name(), frameBytesMax: generator.word(),
        requestsMax: generator.word(), creditBytesMax: generator.next(), creditBytesDefault: generator.word())
      try check(.init(requestID: id, .hello(hello))) { encoder.hello(hello, to: id, into: $0) }
      let inspection = Inspection(
        counters: [.init(name: generator.name(), value: generator.integer())],
        shapes: [
          .init(
            shape: generator.shape(), database: generator.name(), sql: generator.name(), executions: generator.next(),
            errors: generator.next(), rows: generator.next(), microseconds: generator.next())
        ],
        latencies: [
          LatencyCounts(
            kind: generator.name(), boundsUs: [generator.next(), 7], counts: [0, generator.next()],
            microseconds: generator.next()), LatencyCounts(kind: ""),
        ],
        sessions: [
          SessionInfo(
            id: generator.next(), peer: generator.name(), client: generator.name(), database: generator.name(),
            ageMs: generator.next(), requests: generator.next())
        ])
      let list = DatabaseList(
        entries: [
          .init(
            name: generator.name(), state: .fenced, bytes: generator.next(), logBytes: generator.next(),
            sessions: Int(generator.word()))
        ], hasMore: true)
      try check(.init(requestID: id, .databases(list))) { encoder.databases(list, to: id, into: $0) }
      try check(.init(requestID: id, .inspection(inspection))) { encoder.inspection(inspection, to: id, into: $0) }
    }
  }

  @Test func `text that is not UTF-8 comes back from a database byte for byte`() throws {
    var column = ColumnValues()
    let bytes: [UInt8] = [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0]
    bytes.withUnsafeBytes { column.appendText($0, row: 0) }
    let rows = RowBatch(rowCount: 1, columns: [column])
    let output = OutputBuffer()
    ServerMessageEncoder().reply(to: 1, rows: rows, into: output)
    #expect(try ServerMessageDecoder().decode(body(of: output)).parts == [.rows(rows)])
  }

  @Test func `a buffer keeps whole frames only, in order, however much it grows`() throws {
    let output = OutputBuffer(capacity: 64)
    let encoder = ServerMessageEncoder()
    for id in 1...500 { encoder.pong(Array(repeating: UInt8(id % 256), count: id % 65), to: UInt32(id), into: output) }
    var decoder = FrameDecoder(frameBytesMax: 1_000)
    decoder.feed(output.bytes)
    var id: UInt32 = 0
    while let frame = try decoder.next() {
      id += 1
      #expect(ReplyGlance(frame)?.requestID == id)
    }
    #expect(id == 500)
  }
}
