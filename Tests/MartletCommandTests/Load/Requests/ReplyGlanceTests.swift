/// What the load tool sees of a reply is what the reply says.
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

struct ReplyGlanceTests {
  @Test func `a glance sees what a client reads`() throws {
    let vectors = try ProtocolVectors.messages(of: "server")
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let message = try vector.bytes.withUnsafeBytes { try ServerMessageDecoder.decode($0) }
      let glance = try #require(vector.bytes.withUnsafeBytes { ReplyGlance($0) })
      var expected = ReplyGlance()
      expected.requestID = message.requestID
      expected.step = message.step
      for part in message.parts { expected.see(part) }
      #expect(glance == expected, "\(vector.what)")
      #expect(glance.endsRequest == (message.step == 0 && message.parts.contains(where: \.isEnd)), "\(vector.what)")
    }
  }

  @Test func `what is cut short is refused, or is a shorter message`() throws {
    for vector in try ProtocolVectors.messages(of: "server") {
      for count in 0..<vector.bytes.count {
        let bytes = Array(vector.bytes[..<count])
        let isRead = bytes.withUnsafeBytes { (try? ServerMessageDecoder.decode($0)) != nil }
        // It looks at less than a client, so it takes what a client takes.
        if isRead { #expect(bytes.withUnsafeBytes { ReplyGlance($0) } != nil, "\(vector.what), \(count) bytes") }
      }
    }
  }

  @Test func `a part of a later version ends its request, and a field that is no part changes nothing`() throws {
    let last = Fields.ServerMessage.numbers.upperBound
    #expect(last < 15, "The fields' keys below are of one byte.")
    let scalars: [(type: UInt8, payload: Int)] = [(0, 1), (1, 8), (5, 4)]
    for number in UInt8(3)...15 {
      for (type, payload) in scalars {
        let glance = try read([number << 3 | type] + Array(repeating: 0, count: payload))
        #expect(glance == ReplyGlance(), "field \(number) of type \(type)")
      }
    }
    for number in UInt8(last + 1)...15 {
      let glance = try read([number << 3 | 2, 0])
      #expect(glance.hasOther && glance.endsRequest)
    }
    for number in [Fields.ServerMessage.requestID, Fields.ServerMessage.step] {
      #expect(try read([UInt8(number) << 3 | 2, 0]) == ReplyGlance())
    }
  }

  private func read(_ bytes: [UInt8]) throws -> ReplyGlance {
    try #require(bytes.withUnsafeBytes { ReplyGlance($0) })
  }
}

extension ReplyGlance {
  fileprivate mutating func see(_ part: ServerMessage.Part) {
    switch part {
    case .hello: hasHello = true
    case .columns(let columns):
      hasColumns = true
      columnsVersion = columns.version
    case .rows(let rows):
      rowCount = UInt32(rows.rowCount)
      rowBytes = rows.byteCount
    case .completion(let completion):
      hasCompletion = true
      rowsChanged = completion.rowsChanged
      rowsReturned = completion.rowsReturned
      commitSequence = completion.commitSequence
      shape = completion.shape
    case .error(let error):
      errorCode = error.code.rawValue
      isUnprepared = error.reason == .unprepared
    case .pong: hasPong = true
    case .closing: isClosing = true
    default: if part.isEnd { hasOther = true }
    }
  }
}
