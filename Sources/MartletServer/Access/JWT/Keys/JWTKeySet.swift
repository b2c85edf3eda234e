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
      throw .keysNoJSON(file, line: error.line)
    }
    guard case .object(let members) = tree, case .list(let items)? = members["keys"] else {
      throw .noKeySet(file)
    }
    guard items.count <= JWTLimits.keysMax else {
      throw .tooManyKeys(file, keysMax: JWTLimits.keysMax)
    }
    for (index, item) in items.enumerated() {
      guard let reader = try JWTKeyReader(item, place: index + 1, file: file), let key = try reader.key() else {
        continue
      }
      if let id = key.id, keys.contains(where: { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }) {
        throw .keyIDTwice(reader.name)
      }
      keys.append(key)
    }
    guard !keys.isEmpty else {
      throw .noUsableKey(file)
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
