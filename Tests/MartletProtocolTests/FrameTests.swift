/// Five bytes before each message.
import MartletProtocol
import Testing

@Suite struct FrameTests {
  private static func header(of length: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xFF, count: Frame.headerBytes)
    bytes.withUnsafeMutableBytes { Frame.writeHeader(length: length, at: $0.baseAddress!) }
    return bytes
  }

  private static func length(in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { Frame.length(inHeader: $0.baseAddress!) }
  }

  @Test(
    arguments: [
      (0, [0, 0, 0, 0, 0]), (1, [0, 0, 0, 0, 1]), (258, [0, 0, 0, 1, 2]), (4 << 20, [0, 0, 0x40, 0, 0]),
      (Int(UInt32.max), [0, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(Int, [UInt8])])
  func `a length is big-endian behind a zero`(length: Int, bytes: [UInt8]) {
    #expect(Self.header(of: length) == bytes)
    #expect(Self.length(in: bytes) == length)
  }

  @Test func `a length that does not fit is the largest, and one below zero none`() {
    #expect(Self.length(in: Self.header(of: .max)) == Int(UInt32.max))
    #expect(Self.length(in: Self.header(of: -1)) == 0)
  }

  @Test(arguments: [UInt8(1), 0x16, 0x47, 0xFF]) func `another first byte is another protocol`(byte: UInt8) {
    #expect(Self.length(in: [byte, 0, 0, 0, 1]) == nil)
    #expect(FrameError.unknownFlags(byte).message.contains("no Martlet frame"))
  }

  @Test func `a header is read wherever it lies`() {
    let bytes: [UInt8] = [9, 9, 9, 0, 0, 0, 1, 2, 9]
    bytes.withUnsafeBytes { #expect(Frame.length(inHeader: $0.baseAddress! + 3) == 258) }
  }
}
