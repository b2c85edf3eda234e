/// What a JWT's header says of its signature.
///
/// Always true: keys and certificates that it names or brings along (`jwk`, `jku`, `x5c`, `x5u`) are not looked at.
struct JOSEHeader {
  let method: SigningMethod
  let keyID: String?

  init(_ bytes: [UInt8]) throws(JWTFault) {
    guard case .object(let members)? = try? JSONReader.tree(of: bytes) else { throw .json }
    guard let method = members["alg"]?.text.flatMap(SigningMethod.init(rawValue:)) else { throw .algorithm }
    guard members["crit"] == nil, members["cty"] == nil, Self.isToken(members["typ"]) else { throw .header }
    self.method = method
    switch members["kid"] {
    case nil: keyID = nil
    case .text(let id)?: keyID = id
    default: throw .key
    }
  }

  /// A signed thing of another type, such as a logout, may have all that a JWT has.
  private static func isToken(_ type: JSONTree?) -> Bool {
    guard let type else { return true }
    guard let text = type.text else { return false }
    return ["jwt", "at+jwt", "application/at+jwt"].contains { $0.utf8.elementsEqual(text.utf8.map(Self.lower)) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
}

/// How JWTs are signed that may be believed here, by the header's word.
enum SigningMethod: String, Sendable, CaseIterable {
  case ed25519 = "EdDSA"
  case p256 = "ES256"
  case rsa = "RS256"
}
