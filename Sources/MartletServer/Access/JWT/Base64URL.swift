/// Base64 as URLs have it, without padding.
///
/// Always true: two texts never stand for the same bytes, because the bits that are left over have to be 0.
enum Base64URL {
  /// The six bits of each letter; 255 for what is none.
  private static let bits: [UInt8] = {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    var bits = [UInt8](repeating: 255, count: 256)
    for (value, letter) in letters.utf8.enumerated() { bits[Int(letter)] = UInt8(value) }
    return bits
  }()

  /// Nil for anything that an encoder would not have written.
  static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (pending, count): (UInt32, UInt32) = (0, 0)
    for letter in text {
      let value = bits[Int(letter)]
      guard value < 64 else { return nil }
      pending = pending << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> count))
        pending &= (1 << count) - 1
      }
    }
    return pending == 0 ? bytes : nil
  }
}
