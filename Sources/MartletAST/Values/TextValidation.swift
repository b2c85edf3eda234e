/// Text from bytes that may not be UTF-8, without repairing them and without slowness where they are.
extension String {
  /// The text, or nil where the bytes are not UTF-8.
  ///
  /// The standard library's `String(validating:as:)` is generic and costs several times as much for short texts.
  public init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is not UTF-8, so bytes that come out as they went in were sound.
    if !raw.isASCII, text.utf8.withContiguousStorageIfAvailable({ raw.isEqual(to: $0) }) != true { return nil }
    self = text
  }
}

extension UnsafeRawBufferPointer {
  /// Whole words that overlap at the end cost less than the bytes of the rest.
  @inline(__always)
  fileprivate var isASCII: Bool {
    guard let start = baseAddress else { return true }
    if count >= 8 {
      var union = start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      var offset = 0
      while offset &+ 8 <= count {
        union |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      return union & 0x8080_8080_8080_8080 == 0
    }
    if count >= 4 {
      let last = start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return (start.loadUnaligned(as: UInt32.self) | last) & 0x8080_8080 == 0
    }
    return allSatisfy { $0 < 0x80 }
  }

  @inline(__always)
  fileprivate func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = UnsafeRawBufferPointer(other).baseAddress else { return true }
    var offset = 0
    while offset &+ 8 <= count {
      let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset &+= 8
    }
    return self[offset...].elementsEqual(other[offset...])
  }
}
