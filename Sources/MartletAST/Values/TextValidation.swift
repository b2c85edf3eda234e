/// Text from bytes that may not be UTF-8, without repairing them and without slowness where they are.
extension String {
  /// The text, or nil where the bytes are not UTF-8.
  ///
  /// The standard library's `String(validating:as:)` is generic and costs several times as much for short texts.
  public init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if !Self.isASCII(UnsafeRawBufferPointer(bytes)) {
      // Decoding repairs what is not UTF-8, so bytes that come out as they went in were sound.
      guard text.utf8.count == bytes.count, text.utf8.elementsEqual(bytes) else { return nil }
    }
    self = text
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset + 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < bytes.count {
      if bytes[offset] >= 0x80 { return false }
      offset += 1
    }
    return true
  }
}
