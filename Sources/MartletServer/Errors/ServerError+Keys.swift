// MARK: - A file of keys

/// What is wrong with an issuer's file of public keys, or with one of the keys.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do, and hold
/// no part of a key. A `key` is the file with the key's place in it and its kid.
extension ServerError {
  static func keysNoJSON(_ file: String, line: Int) -> ServerError {
    ServerError("\(file):\(line): This is no JSON, or an object of it says a name twice. Mend the file.")
  }

  static func noKeySet(_ file: String) -> ServerError {
    ServerError("\(file): This is no JWKS, an object with a list called keys. Name another file.")
  }

  static func tooManyKeys(_ file: String, keysMax: Int) -> ServerError {
    ServerError("\(file): A JWKS has at most \(keysMax) keys here. Remove those that nobody uses.")
  }

  static func noUsableKey(_ file: String) -> ServerError {
    ServerError("\(file): It has no usable key. Add one for EdDSA (Ed25519), ES256 (P-256) or RS256 (RSA).")
  }
}

// MARK: - A key

extension ServerError {
  static func keyNoObject(_ file: String, place: Int) -> ServerError {
    ServerError("\(file): Key \(place) is no object. Remove it.")
  }

  static func invalidKeyID(_ key: String, bytesMax: Int) -> ServerError {
    ServerError("\(key): Its kid is no text of 1 to \(bytesMax) bytes. Mend it.")
  }

  static func keyIDTwice(_ key: String) -> ServerError {
    ServerError("\(key): Another key has its kid. Remove one of them.")
  }

  static func keyWithoutType(_ key: String) -> ServerError {
    ServerError("\(key): It has no kty. Mend or remove it.")
  }

  static func keyIsSecret(_ key: String) -> ServerError {
    ServerError(
      "\(key): It is a private key or a shared secret, which a server must not have. Put the public key there, and "
        + "make a new one, because this one has been seen here.")
  }

  static func invalidKeyNumber(_ member: String, _ key: String) -> ServerError {
    ServerError("\(key): Its \(member) is missing, is no base64url, or has a wrong length. Mend it.")
  }

  static func invalidKeyNumbers(_ key: String) -> ServerError {
    ServerError("\(key): Its numbers are no key. Take it from its issuer again.")
  }

  static func invalidRSABits(_ bits: Int, _ key: String, allowed: ClosedRange<Int>) -> ServerError {
    ServerError(
      "\(key): An RSA key has \(allowed.lowerBound) to \(allowed.upperBound) bits here, without zeros before "
        + "them, and this one \(bits). Make another one.")
  }

  static func invalidRSAExponent(_ key: String) -> ServerError {
    ServerError("\(key): An RSA key's e is AQAB (65537) here. Make another one.")
  }
}
