internal import MartletValues

/// The SHA-256 of a certificate.
///
/// Always true: 32 bytes.
struct CertificateFingerprint: Sendable, Equatable {
  private let digest: [UInt8]

  /// The fingerprint of a certificate in DER.
  init(of certificate: [UInt8]) { digest = SHA256.digest(of: certificate) }

  /// 64 hexadecimal digits, with or without colons between the pairs. Throws if the text is anything else.
  init(_ text: String) throws(ClientError) {
    let pairs = text.contains(":") ? text.split(separator: ":", omittingEmptySubsequences: false) : Self.pairs(text)
    let bytes = pairs.compactMap { pair in
      pair.utf8.count == 2 && pair.utf8.allSatisfy(Self.isDigit) ? UInt8(pair, radix: 16) : nil
    }
    guard pairs.count == 32, bytes.count == 32 else {
      throw .noFingerprint
    }
    digest = bytes
  }

  private static func pairs(_ text: String) -> [Substring] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).map { Substring(digits[$0..<min($0 + 2, digits.count)]) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...70, 97...102: true
    default: false
    }
  }
}

extension CertificateFingerprint: CustomStringConvertible {
  /// Pairs of upper-case digits with colons, as `openssl x509 -fingerprint -sha256` prints it.
  var description: String {
    digest.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
