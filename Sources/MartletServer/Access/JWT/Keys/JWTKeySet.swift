internal import MartletValues

/// The public keys of an issuer, out of a JWKS.
///
/// Always true: it holds no secret; at least one key can be used; no two have the same id.
struct JWTKeySet: Sendable {
  private(set) var keys: [JWTKey] = []

  /// Reads the file. Throws what is wrong with it or with a key of it, with their names.
  init(file: String) throws(ServerError) {
    let open = try LockedFile(reading: file, .publicKeys)
    try self.init(Array(try open.text(atMost: JWTLimits.keyFileBytesMax).utf8), file: file)
  }

  init(_ bytes: [UInt8], file: String) throws(ServerError) {
    let tree: JSONTree
    do throws(JSONReader.Fault) { tree = try JSONReader.tree(of: bytes) } catch {
      throw ServerError("\(file):\(error.line): This is no JSON, or an object of it says a name twice. Mend the file.")
    }
    guard case .object(let members) = tree, case .list(let items)? = members["keys"] else {
      throw ServerError("\(file): This is no JWKS, an object with a list called keys. Name another file.")
    }
    guard items.count <= JWTLimits.keysMax else {
      throw ServerError("\(file): A JWKS has at most \(JWTLimits.keysMax) keys here. Remove those that nobody uses.")
    }
    for (index, item) in items.enumerated() {
      guard let reader = try JWTKeyReader(item, place: index + 1, file: file), let key = try reader.key() else {
        continue
      }
      if let id = key.id, keys.contains(where: { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }) {
        throw ServerError("\(reader.name): Another key has its kid. Remove one of them.")
      }
      keys.append(key)
    }
    guard !keys.isEmpty else {
      throw ServerError(
        "\(file): It has no usable key. Add one for EdDSA (Ed25519), ES256 (P-256) or RS256 (RSA).")
    }
  }

  /// The key that a header names; one without a name only if it is the only one of its method.
  func key(_ header: JOSEHeader) -> JWTKey? {
    let fitting = keys.filter { $0.method == header.method }
    guard let id = header.keyID else { return fitting.count == 1 ? fitting[0] : nil }
    return fitting.first { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
  }

  func contains(_ digest: [UInt8]) -> Bool { keys.contains { $0.digest == digest } }
}
