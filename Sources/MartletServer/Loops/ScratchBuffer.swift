/// Memory that a loop's connections use one after another.
///
/// Always true: what is in it is valid until the next one uses it.
final class ScratchBuffer {
  /// The most that one record of TLS holds.
  static let byteCount = 16 << 10

  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: ScratchBuffer.byteCount, alignment: 16)

  deinit { bytes.deallocate() }
}
