/// Writes the fields of a protobuf message in the order in which it is told them.
///
/// Always true: a field with its default value is left out, as proto3 does. What is `present` is written even so: a
/// member of a `oneof`, or an element of a list.
public protocol FieldWriter {
  associatedtype Output: WireBytes
  var output: Output { get set }
}

extension FieldWriter {
  // MARK: Numbers

  @inlinable
  @inline(__always)
  public mutating func present(_ number: UInt32, _ value: UInt64) {
    output.key(number, .varint)
    output.varint(value)
  }

  @inlinable
  @inline(__always)
  public mutating func number(_ number: UInt32, _ value: UInt64) {
    if value != 0 { present(number, value) }
  }

  @inlinable
  @inline(__always)
  public mutating func flag(_ number: UInt32, _ value: Bool) {
    if value { present(number, 1) }
  }

  /// As `sint32` and `sint64` are sent: small numbers below zero are short, too.
  @inlinable
  @inline(__always)
  public mutating func presentSigned(_ number: UInt32, _ value: Int64) {
    present(number, UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  @inlinable
  public mutating func fixed32(_ number: UInt32, _ value: UInt32) {
    if value != 0 { presentFixed32(number, value) }
  }

  @inlinable
  public mutating func presentFixed32(_ number: UInt32, _ value: UInt32) {
    output.key(number, .fixed32)
    output.littleEndian(value)
  }

  @inlinable
  public mutating func fixed64(_ number: UInt32, _ value: UInt64) {
    if value != 0 { presentFixed64(number, value) }
  }

  @inlinable
  public mutating func presentFixed64(_ number: UInt32, _ value: UInt64) {
    output.key(number, .fixed64)
    output.littleEndian(value)
  }

  // MARK: Bytes

  @inlinable
  @inline(__always)
  public mutating func bytes(_ number: UInt32, _ bytes: some Collection<UInt8>) {
    if !bytes.isEmpty { presentBytes(number, bytes) }
  }

  @inlinable
  @inline(__always)
  public mutating func presentBytes(_ number: UInt32, _ bytes: some Collection<UInt8>) {
    output.delimited(number, bytes)
  }

  @inlinable
  @inline(__always)
  public mutating func text(_ number: UInt32, _ text: String) {
    if !text.isEmpty { presentText(number, text) }
  }

  @inlinable
  public mutating func presentText(_ number: UInt32, _ text: String) {
    var text = text
    text.withUTF8 { output.delimited(number, $0) }
  }

  /// Numbers of one size, in one piece.
  @inlinable
  public mutating func packed<Number: FixedWidthInteger & BitwiseCopyable>(_ number: UInt32, _ values: [Number]) {
    guard !values.isEmpty else { return }
    let inOrder = 1 == Int(littleEndian: 1) ? values : values.map(\.littleEndian)
    inOrder.withUnsafeBytes { output.delimited(number, $0) }
  }

  @inlinable
  public mutating func packed(_ number: UInt32, _ values: [Double]) {
    guard 1 == Int(littleEndian: 1) else { return packed(number, values.map(\.bitPattern)) }
    guard !values.isEmpty else { return }
    values.withUnsafeBytes { output.delimited(number, $0) }
  }

  // MARK: Messages

  /// A message within the message. One byte is kept for its length, which is known once its fields are written.
  @inlinable
  @inline(__always)
  public mutating func message(_ number: UInt32, _ fields: (inout Self) -> Void) {
    output.key(number, .delimited)
    output.write(byte: 0)
    let start = output.writtenCount
    fields(&self)
    output.setLength(before: start)
  }
}
