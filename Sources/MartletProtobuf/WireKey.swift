/// What stands before each field: its number and the kind of its payload, in one varint.
///
/// Always true: nothing here traps, whatever number a peer sent.
public enum WireKey {
  /// The largest number that protobuf gives a field.
  @inlinable
  public static var numberMax: UInt32 { 0x1FFF_FFFF }

  @inlinable
  @inline(__always)
  public static func encoded(_ number: UInt32, _ type: WireType) -> UInt64 {
    UInt64(number) << 3 | UInt64(type.rawValue)
  }

  /// Nil if no field has it. A larger number would be another field to a reader that keeps 32 bits of the key.
  @inlinable
  @inline(__always)
  public static func number(of key: UInt64) -> UInt32? {
    let number = key >> 3
    return number > 0 && number <= UInt64(numberMax) ? UInt32(truncatingIfNeeded: number) : nil
  }

  /// Nil if it is the kind of a group, or no kind at all.
  @inlinable
  @inline(__always)
  public static func type(of key: UInt64) -> WireType? { WireType(rawValue: UInt8(truncatingIfNeeded: key & 7)) }
}

/// What kind of payload follows a field's key.
///
/// Groups (3 and 4) are not taken: proto3 has none, and they are the one way to nest without lengths.
public enum WireType: UInt8, Sendable {
  case varint = 0
  case fixed64 = 1
  case delimited = 2
  case fixed32 = 5
}
