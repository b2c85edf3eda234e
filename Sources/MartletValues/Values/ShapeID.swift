internal import CMartletHash

/// The name of a query's shape: the first 16 bytes of the SHA-256 of the statement's serialized bytes.
///
/// Always true: equal bytes have equal ids on every server, so an id outlives the connection that learned it.
public struct ShapeID: Sendable, Hashable {
  /// The 16 bytes, as two big-endian numbers: a dictionary key without an allocation.
  public let high: UInt64
  public let low: UInt64

  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Nil unless there are exactly 16 bytes.
  @inlinable
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The id of a serialized statement.
  public init(hashing statement: UnsafeRawBufferPointer) {
    // The 32 bytes of a digest.
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &digest) { place in
      // `!` because the digest is a variable and never empty; sound because every memory may be looked at as bytes.
      let octets = place.baseAddress!.assumingMemoryBound(to: UInt8.self)
      martlet_sha256(statement.baseAddress?.assumingMemoryBound(to: UInt8.self), statement.count, octets)
    }
    self.init(high: UInt64(bigEndian: digest.0), low: UInt64(bigEndian: digest.1))
  }

  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }

  // The bytes are a digest already, so half of them is hash enough.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(high) }
}

extension ShapeID: CustomStringConvertible {
  public var description: String { HexText.of(bytes) }
}
