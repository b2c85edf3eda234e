/// Somebody whose JWTs are believed: what they have to say, and what they stand for.
///
/// Always true: it is what the operator wrote; the keys are in the file that it names.
public struct JWTIssuer: Sendable, Hashable {
  /// What the claim `iss` is, byte for byte.
  public var issuer: String
  /// What the claim `aud` is or has in it.
  public var audience: String
  /// The path of a JWKS, read when the server starts and at each reload.
  public var keys: String
  public var role: RoleSource
  /// The claims that are taken over, for conditions on rows and names of databases.
  public var claims: [String] = []
  /// Seconds that the issuer's clock may be ahead of this one.
  public var leewaySeconds = JWTLimits.leewaySecondsDefault
  /// Seconds that a JWT may be valid, from its `iat` on and from now on.
  public var lifetimeSeconds = JWTLimits.lifetimeSecondsDefault

  /// Which role clients have that show a JWT of this issuer.
  public enum RoleSource: Sendable, Hashable {
    /// Everybody who shows a valid JWT has this role.
    case fixed(String)
    /// The value of a claim says the role; a value that is not here has none.
    case claim(String, roles: [String: String])
  }

  public init(issuer: String, audience: String, keys: String, role: RoleSource) {
    self.issuer = issuer
    self.audience = audience
    self.keys = keys
    self.role = role
  }

  /// The roles that the issuer's JWTs may stand for.
  var roles: [String] {
    switch role {
    case .fixed(let role): [role]
    case .claim(_, let roles): roles.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
