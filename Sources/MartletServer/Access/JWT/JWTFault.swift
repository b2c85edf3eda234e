/// Why a JWT is not believed: for the server's log, never for whoever showed it.
///
/// Always true: a sentence says nothing that stands in the JWT.
enum JWTFault: String, Error, CaseIterable, CustomStringConvertible {
  case tooLong = "It is longer than a JWT may be."
  case malformed = "It is not three parts of canonical base64url."
  case json = "Its header or its claims are no JSON object, or say something twice."
  case algorithm = "Its algorithm is none of EdDSA, ES256 and RS256."
  case header = "Its header asks for what is not done here (crit, cty, or another typ than JWT)."
  case issuer = "Its issuer is not configured."
  case key = "Its issuer has no key with its kid for its algorithm."
  case signature = "Its signature is wrong."
  case audience = "It is for another audience."
  case time = "Its exp, nbf or iat is missing or is no time."
  case expired = "It has expired."
  case early = "It is not valid yet."
  case lasting = "It lasts longer than lifetime-max-s allows."
  case subject = "Its sub is missing, too long, or not printable."
  case role = "Its role claim must name exactly one role of the server."
  case claims = "A claim that is taken over is neither a text nor a whole number, is too long, or holds a NUL."

  var description: String { rawValue }
}
