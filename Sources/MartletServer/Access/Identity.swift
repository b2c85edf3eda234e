internal import Foundation
internal import MartletValues

/// Who a session is for, by what it has shown of itself.
///
/// Always true: it holds nothing secret, and enough to ask again whether it is still valid.
struct Identity: Sendable, Equatable {
  /// What was shown, without what is secret of it.
  enum Evidence: Sendable, Equatable {
    /// The token of this id.
    case token(id: String)
    case jwt(ShownJWT)
    case certificate(ShownCertificate)
    /// The client showed nothing; the server knows only where it comes from.
    case origin
  }

  /// What the client may do without a database; see `subject(in:)`.
  var subject: Subject
  /// The role that says which databases the client may open; nil: every database.
  var role: Role?
  var evidence: Evidence
  /// The name for logs, such as `token web-1 (k3x…)` or `jwt login:alice`.
  var name: String
  /// When the identity ends; nil: it does not.
  var ends: Date?

  /// What is known of the client beyond its role, for conditions on rows and names of databases.
  var claims: [String: String] = [:]
  /// What clients that come the same way may not do, whatever their role.
  var denied: Permissions = []
  /// The shapes of all roles' files.
  var shapes = ShapeRegister()

  /// What the client may do in a database; without one, with the server.
  func subject(in database: String) -> Subject {
    guard let role, !database.isEmpty else { return subject }
    var subject = subject
    let grant = role.grant(in: database, claims: claims)
    subject.permissions = grant?.permissions.subtracting(denied) ?? []
    subject.restriction = grant?.tables.map { Restriction(rules: $0, claims: claims) }
    subject.registered = grant?.shapeFiles.map { shapes.shapes(of: $0) ?? RegisteredShapes([]) }
    return subject
  }

  func mayOpen(_ database: String) -> Bool { role?.mayOpen(database, claims: claims) ?? true }

  /// Throws if the client may not open one of the databases. The error does not tell whether there is one of the name.
  func check(mayOpen databases: [String]) throws(RequestError) {
    for database in databases where !database.isEmpty && !mayOpen(database) {
      throw .databaseNotForRole
    }
  }

  /// Throws if the client may not do this with one of the databases.
  func check(_ permissions: Permissions, in databases: [String]) throws(RequestError) {
    try check(mayOpen: databases)
    for database in databases where role != nil { try subject(in: database).check(permissions) }
  }
}

/// What a client shows of itself when it says hello.
struct Proof: Sendable {
  var origin: Subject.Origin
  /// A token or a JWT; empty if there is none.
  var credential = ""
  var certificate: ShownCertificate?

  /// What was shown in a word or two, for logs.
  var shown: String {
    if JWTText.isSpelled(as: credential) { return "a JWT" }
    if !credential.isEmpty { return "a token" }
    return certificate == nil ? "nothing" : "a certificate"
  }
}

/// A client's certificate that was verified in the handshake.
struct ShownCertificate: Sendable, Equatable {
  var names: [String]
  var ends: Date
  /// What tells the authority that it was verified by from another one.
  var authority: [UInt8]?
}

extension Inspection {
  /// Without what is about databases in which it may not inspect.
  func seen(by identity: Identity?) -> Inspection {
    guard let identity, identity.role != nil else { return self }
    let named = Set(shapes.map(\.database)).union(sessions.map(\.database))
    let open = named.filter { identity.subject(in: $0).permissions.contains(.inspect) }
    var seen = self
    seen.shapes.removeAll { !open.contains($0.database) }
    seen.sessions.removeAll { !$0.database.isEmpty && !open.contains($0.database) }
    return seen
  }
}
