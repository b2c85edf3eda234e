/// The load tool's frames: patched in place, they are what an encoder would have written.
import MartletClient
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletCommand

struct RequestTemplateTests {
  func encoded(_ kind: ClientMessage.Kind, requestID: UInt32) -> [UInt8] {
    ClientMessageEncoder.bytes(of: ClientMessage(requestID: requestID, kind: kind))
  }

  static func execute(_ value: Value) -> ClientMessage.Kind {
    .execute(
      ClientMessage.Execute(
        source: .shape(ShapeID(high: 1, low: 2)), parameters: [value, "a note"], deadlineMs: 300, credit: 5,
        columnsVersion: 9))
  }

  @Test(arguments: [UInt32(1), 7, .max])
  func `a patched request is the request that an encoder writes`(requestID: UInt32) {
    for kind in [ClientMessage.Kind.ping([]), .credit(bytes: 1 << 20), .hello(ClientMessage.Hello(database: "bench"))] {
      var template = RequestTemplate(kind)
      template.patch(requestID: requestID)
      template.patch(value: 12)
      #expect(template.frame == encoded(kind, requestID: requestID))
    }
  }

  @Test(arguments: [Int64(0), -1, 1_000_000, .max])
  func `a patched value is the value that an encoder writes`(value: Int64) {
    var template = RequestTemplate(Self.execute(RequestTemplate.variable))
    template.patch(requestID: 9)
    template.patch(value: value)
    #expect(template.frame == encoded(Self.execute(.integer(value)), requestID: 9))
    // Again over the first, because a template is used many times.
    template.patch(value: 5)
    #expect(template.frame == encoded(Self.execute(5), requestID: 9))
  }
}
