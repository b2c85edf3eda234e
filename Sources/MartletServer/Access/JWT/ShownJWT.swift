internal import Foundation

/// A JWT whose signature was right when it was shown, without the signature.
///
/// Always true: nobody can show it again out of this; it is enough to ask anew whether it still holds.
struct ShownJWT: Sendable, Equatable {
  /// The digest of the key that had signed it.
  var key: [UInt8]
  /// JSON.
  var claims: [UInt8]
}

/// What a JWT stands for under the rules of now.
struct JWTGrant: Sendable, Equatable {
  /// The issuer's name in the configuration.
  var issuer: String
  var subject: String
  var role: String
  var ends: Date
  /// The claims that are taken over, and `name`, which is the subject.
  var claims: [String: String]
}
