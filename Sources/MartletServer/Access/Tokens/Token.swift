internal import MartletValues

/// The text that a client shows to have a role: `mlt_ID_SECRET`.
///
/// Always true: the id is 12 of `a-z 0-9` and finds the record; the secret is 256 random bits in base64url, and is
/// nowhere but in the text.
enum Token {
  static let idLength = 12
  /// 32 bytes in base64url without padding.
  static let secretLength = 43

  private static let prefix = "mlt_"
  private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// A token that nobody has yet.
  static func make() -> (id: String, text: String) {
    var random = SystemRandomNumberGenerator()
    let id = String(decoding: (0..<idLength).map { _ in digits.randomElement(using: &random) ?? 0 }, as: UTF8.self)
    // The last letter stands for the 4 bits that are left of 256, so its lowest two are 0.
    var secret = (1..<secretLength).map { _ in base64.randomElement(using: &random) ?? 0 }
    secret.append(base64[Int.random(in: 0..<16, using: &random) << 2])
    return (id, prefix + id + "_" + String(decoding: secret, as: UTF8.self))
  }

  /// The id in a token's text; nil if it is no token.
  static func id(in text: String) -> String? {
    guard text.utf8.count == prefix.utf8.count + idLength + 1 + secretLength, text.hasPrefix(prefix) else { return nil }
    let rest = text.utf8.dropFirst(prefix.utf8.count)
    let secret = rest.dropFirst(idLength)
    guard let id = String(rest.prefix(idLength)), isID(id), secret.first == UInt8(ascii: "_"),
      secret.dropFirst().allSatisfy({ base64.contains($0) })
    else { return nil }
    return id
  }

  static func isID(_ text: String) -> Bool {
    text.utf8.count == idLength && text.utf8.allSatisfy { digits.contains($0) }
  }

  static func digest(of text: String) -> [UInt8] { SHA256.digest(of: Array(text.utf8)) }

  /// Nil unless the text is the hex of a digest, in small letters.
  static func digest(hex text: String) -> [UInt8]? {
    let nibbles = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case 48...57: byte - 48
      case 97...102: byte - 87
      default: nil
      }
    }
    guard text.utf8.count == 2 * SHA256.digestBytes, nibbles.count == text.utf8.count else { return nil }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }

  /// Takes the same time wherever the two digests differ.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }
}
