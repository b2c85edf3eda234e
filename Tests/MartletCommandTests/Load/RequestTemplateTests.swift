/// The load tool's frames, byte by byte, and what it reads out of the server's.
import MartletAST
import Testing

@testable import MartletCommand

struct RequestTemplateTests {
  @Test func `a ping is a frame with its id in the place that is patched`() {
    var ping = RequestTemplate.ping
    ping.patch(requestID: 0x0102_0304)
    #expect(ping.frame == [0, 0, 0, 0, 7, 0x0D, 4, 3, 2, 1, 0x52, 0])
  }

  @Test func `an execute carries the shape, its parameters and its options`() {
    let shape = ShapeID(high: 1, low: 2)
    var template = RequestTemplate(
      shape: shape,
      RequestTemplate.Execute(
        parameters: [.variable, .text("ab"), .variable], columnsVersion: 9, deadlineMs: 300, creditBytes: 5))
    template.patch(requestID: 7)
    template.patch(variable: 0, to: -2)
    template.patch(variable: 1, to: 3)
    let body: [UInt8] =
      [0x12, 16] + shape.bytes
      + [0x1A, 9, 0x11, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
      + [0x1A, 4, 0x22, 2, 0x61, 0x62]
      + [0x1A, 9, 0x11, 3, 0, 0, 0, 0, 0, 0, 0]
      + [0x28, 0xAC, 0x02, 0x30, 5, 0x39, 9, 0, 0, 0, 0, 0, 0, 0]
    let message: [UInt8] = [0x0D, 7, 0, 0, 0, 0x1A, UInt8(body.count)] + body
    #expect(template.frame == [0, 0, 0, 0, UInt8(message.count)] + message)
  }

  @Test func `bulk rows are packed column by column`() {
    let batch = RowBatch(rows: [[1, "a"], [2, nil]], columnCount: 2)
    let template = RequestTemplate(statement: [9], RequestTemplate.Execute(parameters: [.rows(batch)]))
    let integers: [UInt8] = [0x08, 1, 0x1A, 16, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    let texts: [UInt8] = [0x08, 3, 0x12, 1, 2, 0x2A, 8, 1, 0, 0, 0, 1, 0, 0, 0, 0x32, 1, 0x61]
    let rows: [UInt8] =
      [0x08, 2, 0x12, UInt8(integers.count)] + integers + [0x12, UInt8(texts.count)] + texts
    let tail: [UInt8] = [0x0A, 1, 9, 0x1A, UInt8(rows.count + 2), 0x32, UInt8(rows.count)] + rows
    #expect(template.frame.suffix(tail.count) == tail[...])
  }

  static let replies: [([UInt8], ResponseScanner.Reply?)] = [
    ([0x0D, 5, 0, 0, 0, 0x42, 0], ResponseScanner.Reply(requestID: 5, isCompleted: true)),
    (
      [0x0D, 5, 0, 0, 0, 0x2A, 3, 0x08, 0xAC, 0x02, 0x32, 2, 0x38, 4],
      ResponseScanner.Reply(requestID: 5, rowCount: 300, isCompleted: true)
    ),
    ([0x0D, 5, 0, 0, 0, 0x3A, 4, 0x08, 3, 0x12, 0], ResponseScanner.Reply(requestID: 5, isFailed: true)),
    (
      [0x0D, 5, 0, 0, 0, 0x3A, 12, 0x12, 10] + Array("UNPREPARED".utf8),
      ResponseScanner.Reply(requestID: 5, isFailed: true, isUnprepared: true)
    ),
    ([0x5A, 0], ResponseScanner.Reply(isClosing: true)),
    ([0x0D, 5, 0, 0], nil),
    ([0x2A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], nil),
    ([0x80], nil),
    ([0x0B], nil),
  ]

  @Test(arguments: replies)
  func `a reply is scanned without being decoded`(bytes: [UInt8], reply: ResponseScanner.Reply?) {
    #expect(bytes.withUnsafeBytes { ResponseScanner.scan($0) } == reply)
  }

  @Test func `no prefix of a reply is read beyond its end`() {
    for (bytes, _) in Self.replies {
      for length in 0...bytes.count { _ = Array(bytes[..<length]).withUnsafeBytes { ResponseScanner.scan($0) } }
    }
  }

  @Test func `an error's message is for people`() {
    let bytes: [UInt8] = [0x3A, 6, 0x12, 0, 0x1A, 2, 0x68, 0x69]
    #expect(bytes.withUnsafeBytes { ResponseScanner.errorMessage($0) } == "hi")
  }
}
