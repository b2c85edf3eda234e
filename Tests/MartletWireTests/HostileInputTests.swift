/// Messages that no honest client sends: each is refused with a reason, none harms the process.
///
/// Always true: a refusal tells the request's id wherever the message still tells it.
import MartletClient
import MartletProtobuf
import MartletProtocol
import MartletTestSupport
import MartletValues
import MartletWire
import Testing

@Suite struct HostileInputTests {
  private let limits = Limits()

  private func encoded(_ message: ClientMessage) -> [UInt8] {
    Array(ClientMessageEncoder.bytes(of: message).dropFirst(Frame.headerBytes))
  }

  private func refusal(of bytes: [UInt8], limits: Limits = Limits()) -> MessageError? {
    do {
      _ = try bytes.withUnsafeBytes { try ClientMessageDecoder(limits: limits).decode($0) }
      return nil
    } catch {
      return error as? MessageError
    }
  }

  private func field(_ number: Int, _ body: [UInt8]) -> [UInt8] { RawFields.delimited(number, body) }

  private let requestID: [UInt8] = [0x0D, 9, 0, 0, 0]

  @Test func `a message cut at any byte, or with any byte changed, is refused or means something valid`() throws {
    var generator = MessageGenerator(seed: 4)
    let decoder = ClientMessageDecoder(limits: limits)
    var (taken, refused) = (0, 0)
    func offer(_ bytes: [UInt8]) throws {
      do {
        let message = try bytes.withUnsafeBytes { try decoder.decode($0) }
        taken += 1
        // What was taken is a message like any other: it survives its own round trip (NaN is not equal to itself).
        let again = try encoded(message).withUnsafeBytes { try decoder.decode($0) }
        #expect(String(describing: again) == String(describing: message))
      } catch is MessageError {
        refused += 1
      }
    }
    for _ in 0..<60 {
      let bytes = encoded(generator.clientMessage())
      for end in 0..<min(bytes.count, 400) { try offer(Array(bytes[..<end])) }
    }
    for _ in 0..<20_000 {
      var bytes = encoded(generator.clientMessage())
      for _ in 0..<generator.number(1..<4) where !bytes.isEmpty {
        let place = generator.number(0..<bytes.count)
        switch generator.number(0..<4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes[place] ^= 1 << UInt8(generator.number(0..<8))
        case 2: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
        default: bytes.remove(at: place)
        }
      }
      try offer(bytes)
    }
    #expect(taken > 1_000 && refused > 1_000)
  }

  @Test func `random bytes are refused or ignored`() {
    var generator = MessageGenerator(seed: 5)
    for _ in 0..<20_000 {
      _ = refusal(of: generator.bytes(0..<80))
      let bytes = generator.bytes(0..<80)
      _ = bytes.withUnsafeBytes { try? ServerMessageDecoder.decode($0) }
    }
  }

  @Test(arguments: [100, 10_000, 100_000])
  func `depth costs nothing, because nothing in the envelope contains itself`(depth: Int) {
    // A statement (opaque bytes), an unknown field, and a value's rows, each holding fields within fields.
    var nested: [UInt8] = []
    var length = 0
    for _ in 0..<depth {
      let header = RawFields.key(2, .delimited) + RawFields.varint(length)
      length += header.count
      nested.append(contentsOf: header.reversed())
    }
    nested.reverse()
    #expect(refusal(of: requestID + field(3, field(1, nested))) == nil)
    #expect(refusal(of: requestID + field(3, field(1, [1]) + field(77, nested))) == nil)
    #expect(refusal(of: requestID + field(3, field(1, [1]) + field(3, field(6, field(99, nested))))) == nil)
    #expect(refusal(of: requestID + nested)?.isFatal != nil)
  }

  @Test func `groups are refused at every level`() {
    let group: [UInt8] = [0x0B, 0x0C]
    #expect(refusal(of: requestID + [0x63, 0x64])?.isFatal == true)
    #expect(refusal(of: requestID + field(3, field(1, [1]) + group))?.isFatal == true)
    #expect(refusal(of: requestID + field(3, Array(repeating: 0x0B, count: 100_000)))?.isFatal == true)
  }

  @Test func `empty parts by the million run into the budget, not into memory`() {
    let parameters = (0..<2_000_000).map { $0 % 2 == 0 ? RawFields.key(3, .delimited)[0] : 0 }
    #expect(refusal(of: requestID + field(3, field(1, [1]) + parameters))?.error.reason == .limit)
    let steps = (0..<2_000_000).map { $0 % 2 == 0 ? RawFields.key(1, .delimited)[0] : 0 }
    #expect(refusal(of: requestID + field(4, steps))?.error.reason == .limit)
  }

  @Test func `NULLs, which are the smallest values, are taken in any number that is allowed`() {
    let nulls = [Value](repeating: .null, count: Limits().parametersMax)
    #expect(
      refusal(of: encoded(.init(requestID: 9, kind: .execute(.init(source: .statement([1]), parameters: nulls)))))
        == nil)
    let shape = ShapeID(hashing: UnsafeRawBufferPointer(start: nil, count: 0))
    for (steps, values) in [(1_000, 10), (300, 1), (64, 200)] {
      let step = StatementStep(source: .shape(shape), parameters: Array(repeating: .value(.null), count: values))
      let batch = ClientMessage.Kind.batch(.init(steps: Array(repeating: step, count: steps)))
      #expect(refusal(of: encoded(.init(requestID: 9, kind: batch))) == nil, "\(steps) steps of \(values)")
    }
  }

  @Test func `counts beyond the limits are refused for the request alone`() {
    var small = Limits()
    small.parametersMax = 2
    small.batchStepsMax = 2
    small.bulkRowsMax = 2
    small.valueBytesMax = 2
    small.resultColumnsMax = 2
    let step = StatementStep(source: .statement([1]))
    func execute(_ parameters: [Value]) -> ClientMessage.Kind {
      .execute(.init(source: .statement([1]), parameters: parameters))
    }
    let kinds: [ClientMessage.Kind] = [
      execute([1, 2, 3]), .batch(.init(steps: [step, step, step])), execute([.list([1, 2, 3])]), execute(["abc"]),
      execute([.blob([1, 2, 3])]), execute([.rows(RowBatch(rows: [[1, 2, 3]], columnCount: 3))]),
    ]
    for kind in kinds {
      let refused = refusal(of: encoded(.init(requestID: 9, kind: kind)), limits: small)
      #expect(refused?.requestID == 9 && refused?.isFatal == false && refused?.error.reason == .limit, "\(kind)")
      #expect(refusal(of: encoded(.init(requestID: 9, kind: kind))) == nil)
    }
    // The same error as the engine's, for programs that embed it.
    let many = ClientMessage(requestID: 9, kind: .batch(.init(steps: [step, step, step])))
    #expect(refusal(of: encoded(many), limits: small)?.error == .tooManySteps(small))
    let none = ClientMessage(requestID: 9, kind: .batch(.init(steps: [])))
    #expect(refusal(of: encoded(none))?.error == .noSteps)
  }

  @Test func `what contradicts the protocol is refused with a sentence`() {
    let shape = field(2, Array(repeating: 1, count: 16))
    let cases: [(bytes: [UInt8], isFatal: Bool)] = [
      (requestID, false),  // no kind
      (field(10, []), true),  // no request id
      ([0x0D, 0, 0, 0, 0] + field(10, []), true),  // request id 0
      (requestID + requestID + field(10, []), true),  // two ids
      (requestID + field(10, []) + field(9, []), true),  // two kinds
      (requestID + field(10, []) + field(10, []), true),
      (requestID + [3 << 3, 5], true),  // a number where a message belongs
      (requestID + field(3, []), false),  // no statement
      (requestID + field(3, field(2, Array(repeating: 1, count: 15))), false),
      (requestID + field(3, shape + field(3, [])), false),  // a value of no kind
      (requestID + field(3, shape + field(3, field(4, [0xFF]))), false),  // text that is not UTF-8
      (requestID + field(3, shape + field(3, field(7, [8, 1, 16, 1]))), false),  // a reference outside a batch
      (requestID + field(4, []), false),  // no step
      (requestID + field(4, field(1, shape + field(5, [8, 1, 16, 1]))), false),  // a condition on itself
      (requestID + field(4, field(1, shape + field(3, field(7, [8, 0, 16, 1])))), false),
      (requestID + field(5, [8, 7]), false),  // a mode that there is none of
      (requestID + field(7, [16, 9]), false),  // an action that there is none of
      (requestID + field(10, field(1, Array(repeating: 0, count: 65))), false),
    ]
    for (bytes, isFatal) in cases {
      let refused = refusal(of: bytes)
      #expect(refused?.isFatal == isFatal, "\(bytes)")
      #expect(refused?.error.message.hasSuffix(".") == true)
    }
    #expect(refusal(of: requestID + field(3, shape + field(500, [1, 2, 3]))) == nil, "unknown fields are ignored")
  }

  @Test func `a field is of its wire type and comes once, and one of a later version is ignored`() {
    let ping = requestID + field(Int(Fields.ClientMessage.ping), [])
    let last = Fields.ClientMessage.numbers.upperBound
    #expect(refusal(of: ping) == nil)
    for number in Array(1...last + 2) + [100, 0x1FFF_FFFF] {
      for (type, payload) in [(0, 1), (1, 8), (2, 1), (5, 4)] {
        let bytes = ping + RawFields.key(Int(number), type) + Array(repeating: 0, count: payload)
        let expected: String? =
          switch (number, type) {
          case (Fields.ClientMessage.requestID, 5): "A message needs one request id that is not 0."
          case (Fields.ClientMessage.requestID, _): "A field of the message has another wire type than the protocol's."
          case (...last, 2): "A message must be of one kind only."
          case (...last, _): "A field of the message has another wire type than the protocol's."
          default: nil
          }
        #expect(refusal(of: bytes)?.error.message == expected, "field \(number) of type \(type)")
      }
    }
  }

  @Test func `lists whose arrays do not agree are refused`() {
    let shape = field(2, Array(repeating: 1, count: 16))
    func list(_ rowCount: Int, _ column: [UInt8]) -> [UInt8] {
      requestID + field(3, shape + field(3, field(6, [8] + RawFields.varint(rowCount) + field(2, column))))
    }
    #expect(refusal(of: list(1, [8, 1] + field(3, Array(repeating: 0, count: 8)))) == nil)
    let columns: [[UInt8]] = [
      [8, 1],  // an integer column without integers
      [8, 1] + field(3, Array(repeating: 0, count: 16)),  // two for one row
      [8, 3] + field(5, [9, 0, 0, 0]) + field(6, [1]),  // an end beyond the data
      [8, 3] + field(5, [1, 0, 0, 0]) + field(6, [0xC3]),  // half a character
      [8, 5] + field(7, [5]),  // a row tagged mixed
      [8, 5] + field(7, [1, 1]),
      [8, 6],  // a kind that there is none of
      [8, 1] + field(2, [0, 0]) + field(3, Array(repeating: 0, count: 8)),
    ]
    for column in columns { #expect(refusal(of: list(1, column))?.isFatal == false, "\(column)") }
    let halves = [8, 3] + field(5, [1, 0, 0, 0, 2, 0, 0, 0]) + field(6, [0xC3, 0xA9])
    #expect(refusal(of: list(2, halves))?.isFatal == false, "a character may not straddle two values")
    #expect(refusal(of: list(Int(UInt32.max), [8, 0]))?.error.reason == .limit)
    #expect(refusal(of: list(1_000_000, [8, 0])) == nil)
  }
}
