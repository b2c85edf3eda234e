import MartletClient
import MartletProtocol
import MartletTestSupport
/// What the load tool sees of a reply is what the reply says.
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
