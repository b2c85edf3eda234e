public import Foundation
internal import MartletValues

/// What a file keeps of a token: whose it is and the hash of its text.
///
/// Always true: nobody can make the token out of it; as JSON its dates are ISO 8601 in UTC.
public struct TokenRecord: Codable, Sendable, Hashable {
  /// 12 of `a-z 0-9`; the token's text names it.
  public var id: String
  public var role: String
  /// The name that the operator gave the token; may be empty.
  public var name: String
  /// The digest of the token's whole text, in hex.
  public var sha256: String
  public var created: Date
  /// What is known of whoever has it, such as `tenant`; roles ask for it.
  public var claims: [String: String]
  /// From this moment on the token is not valid; nil: it is valid until it is revoked.
  public var expires: Date?

  /// Whole seconds are kept of the dates.
  public init(
    id: String, role: String, name: String, sha256: String, created: Date, expires: Date? = nil,
    claims: [String: String] = [:]
  ) {
    self.claims = claims
    self.id = id
    self.role = role
    self.name = name
    self.sha256 = sha256
    self.created = Self.wholeSeconds(created)
    self.expires = expires.map(Self.wholeSeconds)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func date(_ text: String, _ key: CodingKeys) throws -> Date {
      guard let date = try? Date(text, strategy: .iso8601) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "\(key.rawValue) is no date such as 2027-01-31T12:00:00Z")
      }
      return date
    }
    id = try values.decode(String.self, forKey: .id)
    role = try values.decode(String.self, forKey: .role)
    name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
    sha256 = try values.decode(String.self, forKey: .sha256)
    created = try date(values.decode(String.self, forKey: .created), .created)
    claims = try values.decodeIfPresent([String: String].self, forKey: .claims) ?? [:]
    expires = try values.decodeIfPresent(String.self, forKey: .expires).map { try date($0, .expires) }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(role, forKey: .role)
    try values.encode(name, forKey: .name)
    try values.encode(sha256, forKey: .sha256)
    try values.encode(created.formatted(.iso8601), forKey: .created)
    if !claims.isEmpty { try values.encode(claims, forKey: .claims) }
    try values.encodeIfPresent(expires?.formatted(.iso8601), forKey: .expires)
  }

  private enum CodingKeys: String, CodingKey {
    case id, role, name, sha256, created, expires, claims
  }

  /// Throws for claims that no token may have: too many, a name or a value that is none.
  static func check(_ claims: [String: String]) throws(ServerError) {
    guard claims.count <= TokenLimits.claimsMax else {
      throw .tooManyClaims(claimsMax: TokenLimits.claimsMax)
    }
    for (name, value) in claims {
      guard SimpleName.isValid(name) else { throw .invalidName("A claim's name") }
      guard value.utf8.count <= TokenLimits.claimBytesMax, !value.utf8.contains(0) else {
        throw .invalidClaim(name, bytesMax: TokenLimits.claimBytesMax)
      }
    }
  }

  /// Whether the token is valid at that time.
  public func isValid(at now: Date) -> Bool { expires.map { now < $0 } ?? true }

  private static func wholeSeconds(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }
}
