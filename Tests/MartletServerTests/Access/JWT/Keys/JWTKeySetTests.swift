/// A file of keys: which of them are used, and what is wrong with others.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletServer

@Suite struct JWTKeySetTests {
  private static func fault(_ text: String) -> String {
    do throws(ServerError) {
      return try "\(JWTKeySet(Array(text.utf8), file: "f").keys.count) keys"
    } catch {
      return error.message
    }
  }

  private static func fault(keys: String...) -> String { fault("{\"keys\":[\(keys.joined(separator: ","))]}") }

  private static func rsa(bits: Int, exponent: String = "AQAB") -> String {
    var modulus = [UInt8](repeating: 0xA5, count: bits / 8)
    modulus[0] = 0x80
    return "{\"kty\":\"RSA\",\"kid\":\"r\",\"n\":\"\(JWTSigningKey.base64URL(modulus))\",\"e\":\"\(exponent)\"}"
  }

  @Test func `keys for signatures of the three methods are taken, and keys for other things passed over`() throws {
    let keys = try JWTSigningKey.Kind.believed.map { try JWTSigningKey($0, id: $0.rawValue) }
    #expect(Self.fault(JWTSigningKey.jwks(keys)) == "3 keys")
    let rest = [
      #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA"}"#, #"{"kty":"AKP"}"#,
      "{\(keys[1].members),\"kid\":\"enc\",\"use\":\"enc\"}", "{\(keys[1].members),\"kid\":\"e\",\"alg\":\"ES384\"}",
      "{\(keys[2].members),\"alg\":\"PS256\"}", "{\(keys[0].members),\"key_ops\":[\"deriveKey\"]}",
      "{\(keys[2].members),\"alg\":\"RSA-OAEP\"}", "{\(keys[0].members),\"key_ops\":\"verification\"}",
      #"{"kty":"RSA","alg":"RS512","n":"AA","e":"Aw"}"#,
    ]
    for other in rest { #expect(Self.fault(keys: keys[0].jwk, other) == "1 keys", "\(other)") }
    for other in [
      "{\(keys[2].members),\"alg\":\"RS256\",\"use\":\"sig\",\"x5c\":[\"x\"]}",
      "{\(keys[1].members),\"key_ops\":[\"verify\"]}",
    ] {
      #expect(Self.fault(keys: keys[0].jwk, other) == "2 keys", "\(other)")
    }
    #expect(Self.fault(keys: rest[0]).contains("f: It has no usable key"))
  }

  @Test func `what is wrong with a file or with a key of it is a sentence with their names`() throws {
    let (ed, ec) = (try JWTSigningKey(.ed25519), try JWTSigningKey(.p256))
    let x = ed.members.split(separator: "\"").last.map(String.init) ?? ""
    let table: [(String, String)] = [
      ("", "f:1: This is no JSON"), ("{\n\"keys\":[}", "f:2: This is no JSON"), ("[]", "f: This is no JWKS"),
      ("{}", "f: This is no JWKS"), ("{\"keys\":{}}", "f: This is no JWKS"), (ed.jwk, "f: This is no JWKS"),
      ("{\"keys\":[],\"keys\":[]}", "f:1: This is no JSON, or an object of it says a name twice"),
      ("{\"keys\":[]}", "f: It has no usable key"), ("{\"keys\":[1]}", "f: Key 1 is no object"),
      ("{\"keys\":[{}]}", "f: Key 1: It has no kty"),
      ("{\"keys\":[{\"kty\":\"EC\",\"kid\":7}]}", "f: Key 1: Its kid is"),
      (
        "{\"keys\":[\(Array(repeating: ed.jwk, count: 101).joined(separator: ","))]}",
        "f: A JWKS has at most 100 keys"
      ),
      ("{\"keys\":[\(ed.jwk),\(ec.jwk)]}", "f: Key 2 (kid k1): Another key has its kid"),
      ("{\"keys\":[\(ed.jwk.dropLast()),\"d\":\"AA\"}]}", "f: Key 1 (kid k1): It is a private key or a shared secret"),
      ("{\"keys\":[\(ed.jwk.dropLast()),\"use\":\"enc\",\"d\":\"AA\"}]}", "f: Key 1 (kid k1): It is a private key"),
      ("{\"keys\":[\(ec.jwk.dropLast()),\"d\":null}]}", "f: Key 1 (kid k1): It is a private key"),
      ("{\"keys\":[\(try JWTSigningKey(.shared).jwk)]}", "f: Key 1 (kid k1): It is a private key or a shared secret"),
      ("{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"p\",\"q\":\"AA\"}]}", "f: Key 1 (kid p): It is a private key"),
      ("{\"keys\":[\(Self.rsa(bits: 1_024))]}", "f: Key 1 (kid r): An RSA key has 2048 to 4096 bits here, without"),
      ("{\"keys\":[\(Self.rsa(bits: 2_040))]}", "and this one 2040. Make another one."),
      ("{\"keys\":[\(Self.rsa(bits: 4_104))]}", "and this one 4104. Make another one."),
      ("{\"keys\":[\(Self.rsa(bits: 2_048, exponent: "Aw"))]}", "f: Key 1 (kid r): An RSA key's e is AQAB"),
      ("{\"keys\":[\(Self.rsa(bits: 2_048, exponent: "AQ"))]}", "f: Key 1 (kid r): An RSA key's e is AQAB"),
      ("{\"keys\":[\(Self.rsa(bits: 2_048, exponent: "AQAB="))]}", "f: Key 1 (kid r): Its e is missing"),
      (
        "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}]}", "f: Key 1: Its x is missing, is no base64url"
      ),
      ("{\"keys\":[\(ed.jwk.replacing(x, with: x + "="))]}", "f: Key 1 (kid k1): Its x is missing, is no base64url"),
      ("{\"keys\":[\(ec.jwk.replacing("\"y\"", with: "\"z\""))]}", "f: Key 1 (kid k1): Its y is missing"),
      // A point that is not on the curve.
      (
        "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(x)\",\"y\":\"\(x)\"}]}",
        "f: Key 1: Its numbers are no key. Take it from its issuer again."
      ),
    ]
    for (text, words) in table {
      let fault = Self.fault(text)
      #expect(fault.contains(words), "\(text.prefix(120)): \(fault)")
    }
    #expect(Self.fault(keys: Self.rsa(bits: 2_048)) == "1 keys" && Self.fault(keys: Self.rsa(bits: 4_096)) == "1 keys")
  }

  @Test func `a file that is missing, too large, or open for others to write is refused`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/jwks"
    func fault() -> String {
      do throws(ServerError) {
        return "\(try JWTKeySet(file: path).keys.count) keys"
      } catch {
        return error.message
      }
    }
    #expect(fault() == "There is no file \(path). Put the issuer's public keys there, as a JWKS.")
    try Data(JWTSigningKey.jwks([JWTSigningKey(.p256)]).utf8).write(to: URL(filePath: path))
    for (mode, isTaken) in [(0o644, true), (0o600, true), (0o444, true), (0o666, false), (0o664, false)] {
      #expect(chmod(path, mode_t(mode)) == 0)
      #expect(
        fault()
          == (isTaken
            ? "1 keys" : "\(path) may be written by others than its owner. Take that right away with `chmod go-w`."))
    }
    #expect(chmod(path, 0o600) == 0)
    try Data(repeating: 0x20, count: (1 << 20) + 1).write(to: URL(filePath: path))
    #expect(fault() == "\(path) is larger than 1 MiB. Name another file.")
    try Data([0xFF]).write(to: URL(filePath: path))
    #expect(fault() == "\(path) is no text in UTF-8. Name another file.")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(fault() == "\(path) is no ordinary file. Name another one.")
  }

  @Test func `many threads may wait for keys at once, those of Swift's pool too`() async throws {
    let text = JWTSigningKey.jwks([try JWTSigningKey(.ed25519)])
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<64 { group.addTask { (try? JWTKeySet(Array(text.utf8), file: "f"))?.keys.count ?? 0 } }
      var count = 0
      for await keys in group { count += keys }
      #expect(count == 64)
    }
  }
}
