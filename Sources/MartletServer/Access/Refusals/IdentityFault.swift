/// Why somebody is not known: for the server's log, never for whoever it is.
enum IdentityFault: Error, Equatable, CustomStringConvertible {
  case nothing
  case token
  case jwt(JWTFault)
  case certificate
  /// What was shown stands for a role that does not exist.
  case role

  var description: String {
    switch self {
    case .nothing: "No token and no certificate was sent; a connection from there needs one."
    case .token: "The token is unknown, malformed or expired."
    case .jwt(let fault): fault.description
    case .certificate: "The certificate has ended, is of another authority, or its name has no role."
    case .role: "There is no role of the name that it has."
    }
  }
}
