internal import MartletValues

/// One key of a JWKS.
///
/// Always true: a key that is secret is an error, wherever it would be used; one for something else is passed over.
struct JWTKeyReader {
  /// For errors: the file, the key's place in it, and its kid.
  let name: String

  private let members: JSONTree.Members
  private let id: String?

  init?(_ tree: JSONTree, place: Int, file: String) throws(ServerError) {
    guard case .object(let members) = tree else { throw .keyNoObject(file, place: place) }
    self.members = members
    var name = "\(file): Key \(place)"
    switch members["kid"] {
    case nil: id = nil
    case .text(let kid)? where (1...JWTLimits.keyIDBytesMax).contains(kid.utf8.count):
      id = kid
      name += " (kid \(PrintableText.of(kid, lengthMax: ServerLimits.shownNameCharactersMax)))"
    default: throw .invalidKeyID(name, bytesMax: JWTLimits.keyIDBytesMax)
    }
    self.name = name
    guard let type = members["kty"]?.text else { throw .keyWithoutType(name) }
    // Members of private keys of all types, and of a shared secret.
    if type == "oct" || ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"].contains(where: { members[$0] != nil }) {
      throw .keyIsSecret(name)
    }
  }

  /// Nil for a key that is not for signatures of a method that is known here.
  func key() throws(ServerError) -> JWTKey? {
    guard isForSignatures, let numbers = try numbers(), isFor(numbers.method) else { return nil }
    do {
      return try JWTKey(numbers, id: id)
    } catch {
      throw .invalidKeyNumbers(name)
    }
  }

  private var isForSignatures: Bool {
    if let use = members["use"], use != .text("sig") { return false }
    guard let deeds = members["key_ops"] else { return true }
    return deeds.texts?.contains("verify") ?? false
  }

  private func isFor(_ method: SigningMethod) -> Bool {
    members["alg"].map { $0 == .text(method.rawValue) } ?? true
  }

  private func numbers() throws(ServerError) -> JWTKey.Numbers? {
    switch (members["kty"]?.text, members["crv"]?.text) {
    case ("OKP", "Ed25519"): return .ed25519(x: try number("x", bytes: 32...32).text)
    case ("EC", "P-256"):
      return .p256(x: try number("x", bytes: 32...32).text, y: try number("y", bytes: 32...32).text)
    case ("RSA", _): return try rsa()
    default: return nil
    }
  }

  private func rsa() throws(ServerError) -> JWTKey.Numbers? {
    // A key for another method may be of any size.
    guard isFor(.rsa) else { return nil }
    let modulus = try number("n", bytes: 1...JWTLimits.keyFileBytesMax)
    let bits = modulus.bytes.count * 8 - (modulus.bytes.first ?? 0).leadingZeroBitCount
    let allowed = JWTLimits.rsaBitsMin...JWTLimits.rsaBitsMax
    guard allowed.contains(bits), modulus.bytes[0] != 0 else {
      throw .invalidRSABits(bits, name, allowed: allowed)
    }
    let exponent = try number("e", bytes: 1...8)
    // Small ones can be forged if a check is lax, and large ones take time.
    guard exponent.bytes == [1, 0, 1] else {
      throw .invalidRSAExponent(name)
    }
    return .rsa(modulus: modulus.text, exponent: exponent.text, bytes: modulus.bytes.count)
  }

  private func number(
    _ member: String, bytes length: ClosedRange<Int>
  ) throws(ServerError) -> (text: String, bytes: [UInt8]) {
    guard let text = members[member]?.text, let bytes = Base64URL.bytes(of: text.utf8), length.contains(bytes.count)
    else {
      throw .invalidKeyNumber(member, name)
    }
    return (text, bytes)
  }
}
