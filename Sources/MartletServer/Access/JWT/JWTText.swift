internal import MartletProtocol

/// The parts of a JWT as it was shown, of which nothing is believed yet.
///
/// Always true: no other text has the same parts.
struct JWTText {
  /// JSON, or what ought to be.
  let header: [UInt8]
  let claims: [UInt8]
  let signature: [UInt8]
  /// What the signature is about: the first two parts as they stand there.
  let signed: [UInt8]

  /// Whether a credential is spelled as a JWT; a token of this server never is.
  static func isSpelled(as credential: String) -> Bool { credential.utf8.contains(UInt8(ascii: ".")) }

  init(_ text: String) throws(JWTFault) {
    guard text.utf8.count <= ProtocolLimits.credentialBytesMax else { throw .tooLong }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), let header = Base64URL.bytes(of: parts[0]),
      let claims = Base64URL.bytes(of: parts[1]), let signature = Base64URL.bytes(of: parts[2])
    else { throw .malformed }
    (self.header, self.claims, self.signature) = (header, claims, signature)
    signed = Array(bytes[..<parts[1].endIndex])
  }
}
