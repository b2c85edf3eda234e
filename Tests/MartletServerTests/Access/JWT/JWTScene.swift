/// An issuer whose JWTs a verifier believes, and the keys that sign them.
import Foundation
import MartletTestSupport

@testable import MartletServer

struct JWTScene {
  /// So that nothing depends on when the tests run.
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  let keys: [JWTSigningKey.Kind: JWTSigningKey]
  let verifier: JWTVerifier

  static func settings(_ change: (inout JWTIssuer) -> Void = { _ in }) -> JWTIssuer {
    var issuer = JWTIssuer(issuer: "https://login.example", audience: "shop", keys: "jwks", role: .fixed("app"))
    change(&issuer)
    return issuer
  }

  /// Each key's kid is the name of its method.
  init(_ change: (inout JWTIssuer) -> Void = { _ in }) throws {
    var keys: [JWTSigningKey.Kind: JWTSigningKey] = [:]
    for kind in JWTSigningKey.Kind.believed { keys[kind] = try JWTSigningKey(kind, id: kind.rawValue) }
    self.keys = keys
    verifier = try Self.verifier(Array(keys.values), change)
  }

  static func verifier(
    _ keys: [JWTSigningKey], _ change: (inout JWTIssuer) -> Void = { _ in }
  ) throws -> JWTVerifier {
    var verifier = JWTVerifier()
    verifier.add("login", settings(change), try JWTKeySet(Array(JWTSigningKey.jwks(keys).utf8), file: "jwks"))
    return verifier
  }

  func key(_ kind: JWTSigningKey.Kind) -> JWTSigningKey {
    // `!` because there is one of each.
    keys[kind]!
  }

  static func claims(_ changes: [String: String?] = [:]) -> String {
    JWTSigningKey.claims(changes, seconds: Int(now.timeIntervalSince1970))
  }

  /// What comes of it: the fault, or `app alice` for a role and a subject.
  static func outcome(_ jwt: String, _ verifier: JWTVerifier, now: Date = now) -> String {
    do throws(JWTFault) {
      let grant = try verifier.check(jwt, now: now).grant
      return "\(grant.role) \(grant.subject)"
    } catch {
      return "\(error)"
    }
  }

  func outcome(_ jwt: String) -> String { Self.outcome(jwt, verifier) }
}

/// A DER sequence of two integers, as other formats have a signature of ES256.
enum DER {
  static func signature(_ raw: [UInt8]) -> [UInt8] {
    let numbers = [raw[..<32], raw[32...]].flatMap { half -> [UInt8] in
      var bytes = Array(half.drop { $0 == 0 })
      if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
      return [2, UInt8(bytes.count)] + bytes
    }
    return [0x30, UInt8(numbers.count)] + numbers
  }
}
