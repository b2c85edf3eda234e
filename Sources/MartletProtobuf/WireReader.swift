/// Walks the fields of one protobuf message that somebody else wrote, without allocating and without recursion.
///
/// Always true: it never reads beyond its bytes, and a malformed field ends the walk with `isMalformed`.
public struct WireReader {
  /// A field's payload: a number (varint and fixed) or the bytes of a length-delimited field.
  public struct Field {
    public var number: UInt32
    public var wireType: WireType
    public var value: UInt64
    public var bytes: UnsafeRawBufferPointer

    @inlinable
    init(number: UInt32, wireType: WireType) {
      self.number = number
      self.wireType = wireType
      value = 0
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  @usableFromInline
  let bytes: UnsafeRawBufferPointer
  @usableFromInline
  var offset = 0
  @usableFromInline
  var hasFailed = false

  /// The bytes must outlive the reader.
  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// True after a field that is malformed, where the walk ended.
  @inlinable
  public var isMalformed: Bool { hasFailed }

  /// The next field; nil at the end and if the message is malformed.
  @inlinable
  @inline(__always)
  public mutating func next() -> Field? {
    guard offset < bytes.count, !hasFailed else { return nil }
    guard let key = varint(), let number = WireKey.number(of: key), let wireType = WireKey.type(of: key) else {
      return fail()
    }
    var field = Field(number: number, wireType: wireType)
    switch wireType {
    case .varint:
      guard let value = varint() else { return fail() }
      field.value = value
    case .fixed64:
      guard bytes.count - offset >= 8 else { return fail() }
      field.value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    case .fixed32:
      guard bytes.count - offset >= 4 else { return fail() }
      field.value = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      offset += 4
    case .delimited:
      guard let length = varint(), length <= UInt64(bytes.count - offset) else { return fail() }
      field.bytes = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
      offset += Int(length)
    }
    return field
  }

  /// The number of the field that comes next, whatever its type; nil if there is none. The walk stays where it is.
  public func nextNumber() -> UInt32? {
    var ahead = self
    return ahead.varint().flatMap(WireKey.number)
  }

  @usableFromInline
  mutating func fail() -> Field? {
    hasFailed = true
    return nil
  }

  /// At most ten bytes; nil if there are more or the bytes end.
  @inlinable
  @inline(__always)
  mutating func varint() -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 70 {
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    return nil
  }
}

extension WireReader.Field {
  /// The number as `sint32` and `sint64` are sent.
  @inlinable
  public var signed: Int64 { Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
}
