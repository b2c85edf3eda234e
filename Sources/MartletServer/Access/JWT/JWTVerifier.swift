internal import Foundation
internal import MartletValues

/// The issuers that are believed, with their keys.
///
/// Always true: a value; nothing in a JWT is believed before its signature was found right; until then it only says
/// which issuer's key to ask.
struct JWTVerifier: Sendable {
  private struct Issuer {
    let name: String
    let settings: JWTIssuer
    let keys: JWTKeySet
  }

  private var issuers: [Issuer] = []

  /// No JWT is believed.
  init() {}

  /// Reads the files of keys. Throws the first fault of one.
  init(_ settings: [String: JWTIssuer]) throws(ServerError) {
    for (name, issuer) in settings.sorted(by: { $0.key < $1.key }) {
      add(name, issuer, try JWTKeySet(file: issuer.keys))
    }
  }

  mutating func add(_ name: String, _ settings: JWTIssuer, _ keys: JWTKeySet) {
    issuers.append(Issuer(name: name, settings: settings, keys: keys))
  }

  /// Takes some 100 µs for a JWT whose signature has to be checked.
  func check(_ text: String, now: Date) throws(JWTFault) -> (shown: ShownJWT, grant: JWTGrant) {
    let text = try JWTText(text)
    let header = try JOSEHeader(text.header)
    let claims = try Self.members(text.claims)
    guard let key = try issuer(of: claims).keys.key(header) else { throw .key }
    guard key.signs(text.signed, text.signature) else { throw .signature }
    let shown = ShownJWT(key: key.digest, claims: text.claims)
    return (shown, try grant(shown, claims, now: now))
  }

  /// What the JWT stands for now; it was valid when it was shown, but its issuer may have changed, or the key have
  /// gone.
  func grant(again shown: ShownJWT, now: Date) throws(JWTFault) -> JWTGrant {
    try grant(shown, Self.members(shown.claims), now: now)
  }

  private func grant(_ shown: ShownJWT, _ members: JSONTree.Members, now: Date) throws(JWTFault) -> JWTGrant {
    let issuer = try issuer(of: members)
    guard issuer.keys.contains(shown.key) else { throw .key }
    return try JWTClaims(members).grant(issuer.name, issuer.settings, now: now)
  }

  private static func members(_ bytes: [UInt8]) throws(JWTFault) -> JSONTree.Members {
    guard case .object(let members)? = try? JSONReader.tree(of: bytes) else { throw .json }
    return members
  }

  private func issuer(of members: JSONTree.Members) throws(JWTFault) -> Issuer {
    guard let text = members["iss"]?.text,
      let issuer = issuers.first(where: { $0.settings.issuer.utf8.elementsEqual(text.utf8) })
    else { throw .issuer }
    return issuer
  }
}
