/// Who may do what: the roles, and by what somebody proves to have one.
///
/// Always true: it is a value; a server replaces the whole of it at a reload, and never a part.
public struct AccessPolicy: Sendable, Hashable {
  /// The roles by name.
  public var roles: [String: Role] = [:]
  /// Where `martlet token` keeps the hashes of tokens; nil: no token is valid.
  public var tokensFile: String?
  /// The role of a Unix socket's user, by the user's id.
  public var users: [UInt32: String] = [:]
  /// The role of a client certificate, by its subject's common name or one of its DNS names.
  public var certificates: [String: String] = [:]
  /// Whose JWTs are believed, by the names that the operator gives them.
  public var issuers: [String: JWTIssuer] = [:]
  /// Programs of this machine that show nothing of these.
  public var others = Others.unrestricted

  /// What clients may do that show nothing.
  public enum Others: Sendable, Hashable {
    /// Clients may do everything but what `ServerConfiguration.denied` and `deniedOverTCP` name.
    case unrestricted
    case role(String)
    case refused
  }

  public init() {}

  /// A sentence about the first role with grants that contradict each other; nil if there is none.
  public func contradiction() -> String? {
    roles.values.sorted { $0.name < $1.name }.lazy.compactMap(\.contradiction).first
  }

  /// A sentence about the first role that is used and does not exist; nil if there is none.
  public func missingRole() -> String? {
    var uses = users.sorted { $0.key < $1.key }.map { (role: $0.value, user: "the user \($0.key)") }
    for (name, role) in certificates.sorted(by: { $0.key < $1.key }) { uses.append((role, "the certificate \(name)")) }
    for (name, issuer) in issuers.sorted(by: { $0.key < $1.key }) {
      for role in issuer.roles { uses.append((role, "JWTs of \(name)")) }
    }
    if case .role(let role) = others { uses.append((role, "programs of this machine")) }
    guard let wrong = uses.first(where: { roles[$0.role] == nil }) else { return nil }
    return "There is no role '\(wrong.role)', which \(wrong.user) should have."
  }
}
