/// The name of a query's shape: the first 16 bytes of the SHA-256 of the statement's serialized bytes.
///
/// Always true: equal bytes have equal ids on every server, so an id outlives the connection that learned it.
import Crypto

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
    var hash = SHA256()
    hash.update(bufferPointer: statement)
    let digest = hash.finalize().withUnsafeBytes { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self.init(high: digest.0, low: digest.1)
  }

  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }

  // The bytes are a digest already, so half of them is hash enough.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(high) }
}

extension ShapeID: CustomStringConvertible {
  public var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
