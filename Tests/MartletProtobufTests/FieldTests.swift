/// Fields that are written are read back, and whatever is read is read without a trap.
import MartletProtobuf
import MartletTestSupport
import Testing

private struct ArrayWriter: FieldWriter {
  var output = WireArray()
  var bytes: [UInt8] { output.bytes }
}

@Suite struct FieldTests {
  private func walk(_ bytes: [UInt8]) -> (fields: [WireReader.Field], isMalformed: Bool) {
    bytes.withUnsafeBytes { bytes in
      var reader = WireReader(bytes)
      var fields: [WireReader.Field] = []
      while let field = reader.next() { fields.append(field) }
      return (fields, reader.isMalformed)
    }
  }

  private static let numbers: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 32, 1 << 63 - 1, 1 << 63, .max]

  @Test(arguments: numbers)
  func `a number is read as it was written, in as few bytes as it needs`(value: UInt64) throws {
    var writer = ArrayWriter()
    writer.present(1, value)
    #expect(writer.bytes.count == 1 + max(1, (64 - value.leadingZeroBitCount + 6) / 7))
    let (fields, isMalformed) = walk(writer.bytes)
    #expect(!isMalformed && fields.map(\.value) == [value] && fields[0].wireType == .varint)
    var signed = ArrayWriter()
    signed.presentSigned(2, Int64(bitPattern: value))
    #expect(walk(signed.bytes).fields.map(\.signed) == [Int64(bitPattern: value)])
    var fixed = ArrayWriter()
    fixed.presentFixed64(3, value)
    #expect(fixed.bytes.count == 9 && walk(fixed.bytes).fields.map(\.value) == [value])
  }

  @Test(arguments: [1, 15, 16, 2_047, 2_048, WireKey.numberMax] as [UInt32])
  func `a field has the number that it was written with`(number: UInt32) throws {
    var writer = ArrayWriter()
    writer.fixed32(number, 7)
    writer.presentText(number, "é")
    writer.message(number) { $0.packed(1, [1.5, 2.5]) }
    let (fields, isMalformed) = walk(writer.bytes)
    #expect(!isMalformed && fields.map(\.number) == [number, number, number])
    #expect(fields.map(\.wireType) == [.fixed32, .delimited, .delimited] && fields[0].value == 7)
    #expect(writer.bytes.withUnsafeBytes { WireReader($0).nextNumber() } == number)
  }

  @Test func `what is the default is left out, and what is present is not`() {
    var writer = ArrayWriter()
    writer.number(1, 0)
    writer.flag(2, false)
    writer.fixed32(3, 0)
    writer.fixed64(4, 0)
    writer.text(5, "")
    writer.bytes(6, [])
    writer.packed(7, [Int32]())
    writer.packed(8, [Double]())
    #expect(writer.bytes.isEmpty)
    writer.present(1, 0)
    writer.presentFixed64(4, 0)
    writer.presentText(5, "")
    writer.presentBytes(6, [])
    writer.message(9) { _ in }
    #expect(walk(writer.bytes).fields.map(\.number) == [1, 4, 5, 6, 9])
  }

  @Test(arguments: [0, 1, 124, 125, 126, 127, 128, 16_379, 16_380, 16_381, 16_384, 2_097_151, 2_097_152])
  func `messages within messages have their lengths, however long they are`(count: Int) throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var writer = ArrayWriter()
    writer.number(1, 5)
    writer.message(2) { outer in
      outer.message(3) { $0.presentBytes(4, body) }
      outer.number(5, 6)
    }
    writer.number(6, 7)
    let inner = RawFields.delimited(3, RawFields.delimited(4, body)) + [5 << 3, 6]
    #expect(writer.bytes == [1 << 3, 5] + RawFields.delimited(2, inner) + [6 << 3, 7])
  }

  @Test func `hostile fields end the walk`() {
    let tooLong = [UInt8](repeating: 0xFF, count: 10) + [1]
    let hostile: [[UInt8]] = [
      [0x80], tooLong, RawFields.key(0, .varint) + [1], RawFields.varint(1 << 32 | 8) + [1],
      RawFields.key(1, 3), RawFields.key(1, 4), RawFields.key(1, 6) + [0], RawFields.key(1, 7) + [0],
      RawFields.key(1, .varint), RawFields.key(1, .varint) + tooLong, RawFields.key(1, .fixed32) + [1, 2, 3],
      RawFields.key(1, .fixed64) + [1, 2, 3, 4, 5, 6, 7], RawFields.key(1, .delimited) + [2, 0],
      RawFields.key(1, .delimited) + RawFields.varint(.max), RawFields.key(1, .delimited) + RawFields.varint(-1),
    ]
    for bytes in hostile {
      let (fields, isMalformed) = walk(RawFields.empty(9, .varint) + bytes)
      #expect(isMalformed && fields.map(\.number) == [9], "\(bytes)")
    }
  }

  @Test func `random bytes are walked to an end`() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random) & (Bool.random(using: &random) ? 0xFF : 0x1F)
      }
      let (fields, isMalformed) = walk(bytes)
      #expect(fields.allSatisfy { $0.bytes.count <= bytes.count && (1...WireKey.numberMax).contains($0.number) })
      if bytes.isEmpty { #expect(!isMalformed) }
      let next = bytes.withUnsafeBytes { WireReader($0).nextNumber() }
      if let first = fields.first { #expect(next == first.number) }
    }
  }
}
