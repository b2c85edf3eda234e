internal import MartletValues

/// Claims that roles ask for, and those that their clients can have.
extension AccessPolicy {
  /// A claim that a role asks for, and that none of its clients has.
  public struct UnknownClaim: Sendable, Hashable {
    public let role: String
    public let claim: String
    /// The claims that clients of the role may have.
    public let known: [String]
  }

  /// Only for roles that have tokens or issuers of JWTs: for others nobody can tell who will have them. Such a claim is
  /// NULL, so most conditions that ask for it let nobody see a row.
  public func unknownClaims(_ tokens: TokenList) -> [UnknownClaim] {
    roles.values.sorted { $0.name < $1.name }.flatMap { role -> [UnknownClaim] in
      var known: Set<String> = ["name"]
      var hasClients = false
      for token in tokens.records where token.role == role.name {
        hasClients = true
        known.formUnion(token.claims.keys)
      }
      for issuer in issuers.values where issuer.roles.contains(role.name) {
        hasClients = true
        known.formUnion(issuer.claims)
      }
      guard hasClients else { return [] }
      return role.claims.subtracting(known).sorted().map {
        UnknownClaim(role: role.name, claim: $0, known: known.sorted())
      }
    }
  }
}

extension Role {
  /// The claims that the role's conditions and the names of its databases ask for.
  var claims: Set<String> {
    var claims = Set(grants.flatMap(\.databases).flatMap(\.claims))
    for rule in grants.compactMap(\.tables).flatMap(\.tables.values) {
      for condition in rule.conditions { claims.formUnion(condition.claims) }
    }
    return claims
  }
}
