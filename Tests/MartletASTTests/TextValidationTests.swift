/// Bytes become text exactly where they are UTF-8.
import MartletAST
import Testing

@Suite struct TextValidationTests {
  @Test(
    arguments: [
      [], [0x41], Array("a longer text of plain letters".utf8), Array("é".utf8), Array("plain letters, then é".utf8),
      Array("\u{FFFD}".utf8), Array("a\u{0}b".utf8), Array("😀 and more".utf8), [0xFF], [0x41, 0xC3], [0xC0, 0x80],
      [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41], [0xF4, 0x90, 0x80, 0x80], [0x80, 0x80, 0x80],
      Array("eight bytes and".utf8) + [0xE2, 0x28, 0xA1],
    ] as [[UInt8]])
  func `bytes are text where the standard library says so`(bytes: [UInt8]) {
    let given = bytes.withUnsafeBufferPointer { String(validUTF8: $0) }
    #expect(given == String(validating: bytes, as: UTF8.self))
  }
}
