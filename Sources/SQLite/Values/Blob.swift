internal import MartletValues

/// Bytes, as SQLite's BLOB holds them.
public struct Blob: Sendable, Hashable {
  /// The bytes themselves.
  public let bytes: [UInt8]

  /// A blob of these bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// A blob of the `length` bytes that stand at a pointer, which are copied.
  ///
  /// - Parameter length: a number of bytes; none if it is negative.
  public init(bytes: UnsafeRawPointer, length: Int) {
    // The caller says that `length` bytes stand there, because nothing else can; they are only read, and copied.
    self.bytes = Array(UnsafeRawBufferPointer(start: bytes, count: max(0, length)))
  }

  /// A blob of `count` zeros.
  public init(count: Int) { bytes = Array(repeating: 0, count: max(0, count)) }

  /// Hexadecimal digits, two for each byte, in lower case.
  public func toHex() -> String { HexText.of(bytes) }

  /// The number of bytes.
  public var length: Int { bytes.count }
}

extension Blob: CustomStringConvertible {
  /// The bytes as SQL writes them: `x'00ff'`.
  public var description: String { "x'\(toHex())'" }
}

extension Blob: ExpressibleByArrayLiteral {
  /// `[0, 255]`
  public init(arrayLiteral bytes: UInt8...) { self.bytes = bytes }
}
