internal import Foundation
internal import MartletLoop
internal import MartletValues

/// Who is who, and what each may do, as the operator has written it down.
///
/// Always true: it does not change; a reload makes another. Whoever shows something that is not valid is refused, even
/// if showing nothing would have been enough.
struct AccessRules: Sendable {
  /// What nobody may do.
  var denied: Permissions = []
  /// What clients over TCP may not do either.
  var deniedOverTCP: Permissions = []
  var policy = AccessPolicy()
  var tokens = TokenList()
  /// What roles with files of shapes may run.
  var shapes = ShapeRegister()
  var jwts = JWTVerifier()
  /// What tells the authority of clients' certificates from another one; nil if none are asked for.
  var clientAuthority: [UInt8]?
  /// Other machines need not show anything.
  var isInsecure = false

  /// What is known of a peer before it says hello.
  func subject(of peer: Peer, isPipe: Bool) -> Subject { subject(from: Self.origin(of: peer, isPipe: isPipe)) }

  /// Whether a hello has to be asked who says it.
  var mustIdentify: Bool { !policy.roles.isEmpty || policy.others != .unrestricted }

  /// What clients may do that have no role.
  func subject(from origin: Subject.Origin) -> Subject {
    var subject = Subject(origin: origin, permissions: [])
    guard subject.isOnThisMachine || isInsecure else { return subject }
    subject.permissions = Permissions.all.subtracting(denied(to: origin))
    return subject
  }

  /// What clients that come this way may not do, whatever their role.
  private func denied(to origin: Subject.Origin) -> Permissions {
    switch origin {
    case .process, .unnamedProcess, .program: denied
    case .address, .unknownAddress: denied.union(deniedOverTCP)
    }
  }

  private static func origin(of peer: Peer, isPipe: Bool) -> Subject.Origin {
    switch peer.identity {
    case .unknown: isPipe ? .unnamedProcess : .unknownAddress
    case .process(let process, let user, let group): .process(process, user: user, group: group)
    case .address(let high, let low, let isThisMachine): .address(high: high, low: low, isThisMachine: isThisMachine)
    }
  }
}

// MARK: - Who it is

extension AccessRules {
  /// The identity of the client that shows this. Throws the reason if the client is not known here.
  func identify(_ proof: Proof, now: Date) throws(IdentityFault) -> Identity {
    if JWTText.isSpelled(as: proof.credential) { return try identity(ofJWT: proof.credential, proof.origin, now) }
    if !proof.credential.isEmpty {
      guard let record = tokens.record(for: proof.credential, now: now) else { throw .token }
      guard let identity = identity(of: record, from: proof.origin) else { throw .role }
      return identity
    }
    if let shown = proof.certificate {
      guard let identity = identity(showing: shown, proof.origin, now) else { throw .certificate }
      return identity
    }
    guard let identity = identity(from: proof.origin) else { throw .nothing }
    return identity
  }

  /// The identity of the client that shows this; nil if the client is not known here.
  func identity(showing proof: Proof, now: Date) -> Identity? { try? identify(proof, now: now) }

  /// The same identity under these rules; nil if it is not known any more.
  func identity(again identity: Identity, now: Date) -> Identity? {
    let origin = identity.subject.origin
    switch identity.evidence {
    case .token(let id): return tokens.record(id: id, now: now).flatMap { self.identity(of: $0, from: origin) }
    case .jwt(let shown):
      return (try? jwts.grant(again: shown, now: now)).flatMap { self.identity(of: $0, shown, from: origin) }
    case .certificate(let shown): return self.identity(showing: shown, origin, now)
    case .origin: return self.identity(from: origin)
    }
  }

  private func identity(of token: TokenRecord, from origin: Subject.Origin) -> Identity? {
    make(
      role: token.role, origin, evidence: .token(id: token.id),
      name: "token \(PrintableText.of(token.name, lengthMax: ServerLimits.shownNameCharactersMax)) (\(token.id))",
      ends: token.expires, claims: ["name": token.name].merging(token.claims) { $1 })
  }

  private func identity(
    ofJWT text: String, _ origin: Subject.Origin, _ now: Date
  ) throws(IdentityFault) -> Identity {
    let believed: (shown: ShownJWT, grant: JWTGrant)
    do throws(JWTFault) { believed = try jwts.check(text, now: now) } catch { throw .jwt(error) }
    guard let identity = identity(of: believed.grant, believed.shown, from: origin) else { throw .role }
    return identity
  }

  private func identity(of grant: JWTGrant, _ shown: ShownJWT, from origin: Subject.Origin) -> Identity? {
    let issuer = "jwt \(grant.issuer):"
    var identity = make(
      role: grant.role, origin, evidence: .jwt(shown),
      name: issuer + PrintableText.of(grant.subject, lengthMax: ServerLimits.shownNameCharactersMax),
      ends: grant.ends, claims: grant.claims)
    // Of the whole names, so that two people whose long names begin alike stay two.
    identity?.subject.person = Subject.number(of: issuer + grant.subject)
    return identity
  }

  private func identity(showing shown: ShownCertificate, _ origin: Subject.Origin, _ now: Date) -> Identity? {
    // A reload may have named another authority since the handshake.
    guard shown.ends > now, shown.authority == clientAuthority,
      let name = shown.names.first(where: { policy.certificates[$0] != nil }), let role = policy.certificates[name]
    else { return nil }
    return make(
      role: role, origin, evidence: .certificate(shown), name: "certificate \(name)", ends: shown.ends,
      claims: ["name": name])
  }

  private func identity(from origin: Subject.Origin) -> Identity? {
    if case .process(_, let user, _) = origin, let role = policy.users[user] {
      return make(role: role, origin, evidence: .origin, name: "user \(user)", ends: nil, claims: ["name": "\(user)"])
    }
    let unrestricted = Identity(subject: subject(from: origin), role: nil, evidence: .origin, name: "", ends: nil)
    guard unrestricted.subject.isOnThisMachine else { return isInsecure ? unrestricted : nil }
    switch policy.others {
    case .unrestricted: return unrestricted
    case .role(let role): return make(role: role, origin, evidence: .origin, name: "", ends: nil)
    case .refused: return nil
    }
  }

  /// Nil if there is no such role, as when a reload has taken it away.
  private func make(
    role name: String, _ origin: Subject.Origin, evidence: Identity.Evidence, name who: String, ends: Date?,
    claims: [String: String] = [:]
  ) -> Identity? {
    // A role whose shapes were not read may run nothing, so it is none.
    guard let role = policy.roles[name],
      role.grants.compactMap(\.shapeFiles).allSatisfy({ shapes.shapes(of: $0) != nil })
    else { return nil }
    let denied = denied(to: origin)
    var subject = Subject(origin: origin, permissions: role.permissions.subtracting(denied))
    if evidence != .origin { subject.person = Subject.number(of: who) }
    subject.quotas = role.quotas.statement
    return Identity(
      subject: subject, role: role, evidence: evidence, name: who, ends: ends, claims: claims, denied: denied,
      shapes: shapes)
  }
}
