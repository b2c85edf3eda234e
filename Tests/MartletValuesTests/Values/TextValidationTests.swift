/// Bytes become text exactly if they are UTF-8.
import MartletValues
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

  private func agrees(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { $0.isUTF8 } == (String(validating: bytes, as: UTF8.self) != nil)
  }

  @Test func `two and four bytes of every kind are judged as the standard library judges them`() {
    var wrong = 0
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max where !agrees([first, second]) { wrong += 1 }
    }
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
      0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for first in edges {
      for second in edges {
        for third in edges {
          for fourth in edges {
            if !agrees([first, second, third, fourth]) { wrong += 1 }
          }
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `a byte that is out of place is found wherever it stands, at every length and alignment`() {
    var wrong = 0
    for count in 1...150 {
      let sound = [UInt8](repeating: 0x61, count: count + 8)
      for place in 0..<count {
        for start in [0, 1, 7] where start + count <= sound.count {
          var bytes = sound
          bytes[start + place] = 0xE9
          let isUTF8 = bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[start..<start + count]).isUTF8 }
          if isUTF8 { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
    #expect(UnsafeRawBufferPointer(start: nil, count: 0).isUTF8)
    #expect(String(validUTF8: UnsafeBufferPointer(start: nil, count: 0)) == "")
    for count in 0...150 {
      let text = String(repeating: "a", count: count)
      #expect(Array(text.utf8).withUnsafeBufferPointer { String(validUTF8: $0) } == text)
    }
  }
}
