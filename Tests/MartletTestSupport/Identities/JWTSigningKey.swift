/// A key with which a test signs JWTs, and its public half as a JWK.
///
/// Always true: keys of EdDSA and ES256 are new ones; that of RS256 is one for all tests, because making one takes
/// long.
import Foundation
internal import JWTKit
internal import MartletServer

package struct JWTSigningKey: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case ed25519 = "EdDSA"
    case p256 = "ES256"
    case rsa = "RS256"
    /// With the secret `secret`, or one that is given.
    case shared = "HS256"

    package static let believed: [Kind] = [.ed25519, .p256, .rsa]
  }

  package let kind: Kind
  package var id: String?
  /// What a JWK says of it beyond its kid: members of an object, without braces.
  package let members: String
  private let algorithm: any JWTAlgorithm

  package init(_ kind: Kind, id: String? = "k1", secret: [UInt8] = Array("secret".utf8)) throws {
    (self.kind, self.id) = (kind, id)
    switch kind {
    case .ed25519:
      let key = try EdDSA.PrivateKey()
      members = "\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(Self.base64URL(key.publicKey.rawRepresentation))\""
      algorithm = try CallerExecutor.run { try await JWTKeyCollection().add(eddsa: key).getKey() }
    case .p256:
      let key = ES256PrivateKey()
      let point = key.parameters.map { (Data(base64Encoded: $0.x) ?? Data(), Data(base64Encoded: $0.y) ?? Data()) }
      let (x, y) = point ?? (Data(), Data())
      members = "\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(Self.base64URL(x))\",\"y\":\"\(Self.base64URL(y))\""
      algorithm = try CallerExecutor.run { try await JWTKeyCollection().add(ecdsa: key).getKey() }
    case .rsa:
      let key = try Insecure.RSA.PrivateKey(
        modulus: Self.modulus, exponent: "AQAB", privateExponent: Self.exponent, prime1: Self.primes.0,
        prime2: Self.primes.1)
      members = "\"kty\":\"RSA\",\"n\":\"\(Self.modulus)\",\"e\":\"AQAB\""
      algorithm = try CallerExecutor.run {
        try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
      }
    case .shared:
      // The library wants 32 bytes, and HMAC puts zeros behind a shorter key itself.
      let key = HMACKey(from: secret + [UInt8](repeating: 0, count: max(0, 32 - secret.count)))
      members = "\"kty\":\"oct\",\"k\":\"\(Self.base64URL(secret))\""
      algorithm = try CallerExecutor.run {
        try await JWTKeyCollection().add(hmac: key, digestAlgorithm: .sha256).getKey()
      }
    }
  }

  package var jwk: String { "{\(members)\(id.map { ",\"kid\":\"\($0)\"" } ?? "")}" }

  package func signature(of text: String) throws -> [UInt8] { try algorithm.sign(Array(text.utf8)) }

  /// `header` stands in place of the usual one.
  package func jwt(_ claims: String, header: String? = nil) throws -> String {
    let usual = "{\"alg\":\"\(kind.rawValue)\",\"typ\":\"JWT\"\(id.map { ",\"kid\":\"\($0)\"" } ?? "")}"
    let signed = "\(Self.base64URL((header ?? usual).utf8)).\(Self.base64URL(claims.utf8))"
    return "\(signed).\(Self.base64URL(try signature(of: signed)))"
  }

  package static func jwks(_ keys: [JWTSigningKey]) -> String {
    "{\"keys\":[\(keys.map(\.jwk).joined(separator: ",\n"))]}"
  }

  /// The claims of somebody for whom everything is right for a minute from `seconds` (or now) on, with changes: JSON
  /// for a claim, nil to leave one out.
  package static func claims(_ changes: [String: String?] = [:], seconds: Int? = nil) -> String {
    var claims = [
      "iss": "\"https://login.example\"", "aud": "\"shop\"", "sub": "\"alice\"",
      "exp": "\((seconds ?? Int(Date().timeIntervalSince1970)) + 60)",
    ]
    for (name, json) in changes { claims[name] = json }
    let members = claims.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(members.joined(separator: ","))}"
  }

  package static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  // Made for these tests, and used nowhere else.
  private static let modulus =
    "xR5PXzAk-W0265XDosyKXE_yrjIsOfeDg5U3_w1Vpdmy-0CJ6jOtP7t-16pW2d7KvB4GARyOOqlLgiQKrAJiNunyFLQENHEbDPo3M6W3VksD"
    + "qBJIH87XS9v5OemxzrZu0vmMNi0cjKH35pWZvHmeiDuKboitAKtp4kw73t0kowyen2Z4Vzpql9gupYxDGxM3IsEaA8_EpzzmRRpHV72myL1d"
    + "lL0xtWr8bk82cANk9RE8pa0d72y-zmmFAvh2DM_Rh4n_5to-zJHpQqIV9v-CxSjZdeG6nmIjah9uB5qo9AYVtgh-_gubrP5kGrrBAoxOF6XP"
    + "pH1pxhism6DbH8gzaQ"
  private static let exponent =
    "CNlJet5wanoKoxzAAYjpFSfJnyRFc_y2fKuwLdTtaVqSfFDzX_4d4uSJ1yigaXtk4nj-kAI2KE_9QcRYbkxVGF38Lg2-upPxQO3imIDx7__C"
    + "FENt1W-1noQrdfwVrU_nPbVSJAR2aaHDvSguFJXpFfiGSFv-WC9Zu3zsmx6WTHNqXKdwvbSACyWkD587Z4d9g_t23zR2cROJ9qggETHn8GkN"
    + "JmRlrXvXCeUgB_uy-Dllk4sxziyJIaCMVKyLPyzIjkhvW0EYWMtMV3WOUqNZuGNACsQVK-qOFMMIAWo2DwE0JMo8nWLP7lm1dSRVSoH97jnx"
    + "hSlTGMGYdHcQDFnjYQ"
  private static let primes = (
    "8ERx0W4ad3ul0zSqT5kOHJyfCRAYAXVSW6SKWZ1xyzWBtvGFePP8fcJiqfDV3AlHV9dDXKGF2a44yhnm5YMEg8RPS_yj9Oqs1W8FpK88Ww9O"
      + "HAJfi1U233iRlOIePF7shz-T7M4hOFLh5UDxib309yU5FsActepHpTkG6oq1n6U",
    "0gaRVTC3ug7_b1g7UF_U-uVqvKmjbntb618eZbHFaCo0uln9akchLfGyQTgFxday8GJyVtokNugBkkE58l5IoTRv_Nxsnv5K9gBYltqsU2o9"
      + "jWrLzi0se933PpFd1yhk_HN2thIINPVg6BDMT48jkhk-oEHu3RjXXNRJJQRIuXU"
  )
}
