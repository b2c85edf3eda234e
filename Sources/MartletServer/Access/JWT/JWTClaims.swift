internal import Foundation
internal import MartletValues

/// What a JWT says, and whether that is enough.
///
/// Always true: what is missing or of another type than it should be is never taken for something harmless.
struct JWTClaims {
  private let members: JSONTree.Members

  init(_ members: JSONTree.Members) { self.members = members }

  func grant(_ name: String, _ issuer: JWTIssuer, now: Date) throws(JWTFault) -> JWTGrant {
    guard let audiences = members["aud"]?.texts,
      audiences.contains(where: { $0.utf8.elementsEqual(issuer.audience.utf8) })
    else { throw .audience }
    let ends = try checkTimes(issuer, now: now.timeIntervalSince1970)
    let subject = try subject()
    let role = try role(issuer.role)
    return JWTGrant(
      issuer: name, subject: subject, role: role, ends: Date(timeIntervalSince1970: ends),
      claims: try claims(issuer.claims).merging(["name": subject]) { $1 })
  }

  // MARK: - Times

  /// The second at which the JWT ends. Throws if it is not valid now, or for too long.
  private func checkTimes(_ issuer: JWTIssuer, now: Double) throws(JWTFault) -> Double {
    let (leeway, lifetime) = (Double(issuer.leewaySeconds), Double(issuer.lifetimeSeconds))
    guard let ends = try time("exp") else { throw .time }
    guard now < ends else { throw .expired }
    let issued = try time("iat")
    for begin in [issued, try time("nbf")] {
      if let begin, now + leeway < begin { throw .early }
    }
    // Without a time of issue it counts as issued now at the latest.
    guard ends - (issued ?? now) <= lifetime, ends - now <= lifetime + leeway else { throw .lasting }
    return ends
  }

  /// Nil if the claim is not there.
  private func time(_ name: String) throws(JWTFault) -> Double? {
    guard let value = members[name] else { return nil }
    guard let seconds = value.double, (0...JWTLimits.secondsMax).contains(seconds) else { throw .time }
    return seconds
  }

  // MARK: - Who it is

  private func subject() throws(JWTFault) -> String {
    guard let subject = members["sub"]?.text, (1...TokenLimits.claimBytesMax).contains(subject.utf8.count),
      PrintableText.of(subject, lengthMax: subject.utf8.count).utf8.elementsEqual(subject.utf8)
    else { throw .subject }
    return subject
  }

  /// A list of values may have others beside the one that has a role; two roles are none.
  private func role(_ source: JWTIssuer.RoleSource) throws(JWTFault) -> String {
    switch source {
    case .fixed(let role): return role
    case .claim(let claim, let roles):
      guard let values = members[claim]?.texts else { throw .role }
      let found = Set(
        roles.filter { value, _ in values.contains { $0.utf8.elementsEqual(value.utf8) } }.map(\.value))
      guard found.count == 1, let role = found.first else { throw .role }
      return role
    }
  }

  private func claims(_ names: [String]) throws(JWTFault) -> [String: String] {
    var claims: [String: String] = [:]
    for name in names {
      guard let value = members[name] else { continue }
      guard let word = value.word, word.utf8.count <= TokenLimits.claimBytesMax, !word.utf8.contains(0) else {
        throw .claims
      }
      claims[name] = word
    }
    return claims
  }
}
