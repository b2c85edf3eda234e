/// Which JWTs are believed, and why others are not: as a table, without a server.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletServer

@Suite struct JWTVerifierTests {
  private let scene: JWTScene

  init() throws { scene = try JWTScene() }

  private static func fault(_ fault: JWTFault) -> String { fault.rawValue }

  @Test func `each method's JWT is believed, with and without a kid, and stands for a role and a subject`() throws {
    for kind in JWTSigningKey.Kind.believed {
      let key = scene.key(kind)
      #expect(scene.outcome(try key.jwt(JWTScene.claims())) == "app alice", "\(kind)")
      // Of each method there is one key, so the kid may be missing.
      #expect(scene.outcome(try key.jwt(JWTScene.claims(), header: "{\"alg\":\"\(kind.rawValue)\"}")) == "app alice")
    }
    let grant = try scene.verifier.check(scene.key(.p256).jwt(JWTScene.claims()), now: JWTScene.now).grant
    #expect(grant.ends == JWTScene.now.addingTimeInterval(60) && grant.claims == ["name": "alice"])
  }

  @Test func `what a header asks for is refused unless it is a plain signature of a known method`() throws {
    let key = scene.key(.ed25519)
    let table: [(header: String, JWTFault?)] = [
      (#"{"alg":"EdDSA","kid":"EdDSA","typ":"at+JWT"}"#, nil),
      // Keys that a JWT brings along or points to are not looked at: the signature is of a known key all the same.
      (#"{"alg":"EdDSA","kid":"EdDSA","jku":"https://evil.example","jwk":{"kty":"OKP"},"x5u":"x","x5c":["x"]}"#, nil),
      (#"{"alg":"none","kid":"EdDSA"}"#, .algorithm), (#"{"alg":"None"}"#, .algorithm), (#"{"alg":""}"#, .algorithm),
      (#"{"alg":"nOnE","kid":"EdDSA"}"#, .algorithm), (#"{"kid":"EdDSA"}"#, .algorithm),
      (#"{"alg":null,"kid":"EdDSA"}"#, .algorithm), (#"{"alg":["EdDSA"]}"#, .algorithm),
      (#"{"alg":"HS256","kid":"EdDSA"}"#, .algorithm), (#"{"alg":"eddsa","kid":"EdDSA"}"#, .algorithm),
      (#"{"alg":"ES384","kid":"ES256"}"#, .algorithm), (#"{"alg":"PS256","kid":"RS256"}"#, .algorithm),
      (#"{"alg":"RS512","kid":"RS256"}"#, .algorithm), (#"{"alg":"RS1","kid":"RS256"}"#, .algorithm),
      (#"{"alg":"EdDSA","kid":"RS256"}"#, .key), (#"{"alg":"RS256","kid":"EdDSA"}"#, .key),
      (#"{"alg":"ES256","kid":"RS256"}"#, .key), (#"{"alg":"EdDSA","kid":"other"}"#, .key),
      (#"{"alg":"EdDSA","kid":"../../etc/passwd"}"#, .key), (#"{"alg":"EdDSA","kid":""}"#, .key),
      (#"{"alg":"EdDSA","kid":null}"#, .key), (#"{"alg":"EdDSA","kid":1}"#, .key),
      (#"{"alg":"EdDSA","kid":"EdDSA\u0000"}"#, .key), (#"{"alg":"EdDSA","kid":"eddsa"}"#, .key),
      (#"{"alg":"EdDSA","kid":"EdDSA","crit":["b64"],"b64":false}"#, .header),
      (#"{"alg":"EdDSA","kid":"EdDSA","crit":[]}"#, .header), (#"{"alg":"EdDSA","kid":"EdDSA","cty":"JWT"}"#, .header),
      (#"{"alg":"EdDSA","kid":"EdDSA","typ":"logout+jwt"}"#, .header), (#"{"alg":"EdDSA","typ":7}"#, .header),
      (#"{"alg":"none","alg":"EdDSA","kid":"EdDSA"}"#, .json), (#"{"alg":"EdDSA","\u0061lg":"none"}"#, .json),
      (#"["EdDSA"]"#, .json), ("", .malformed), ("{", .json), (#"{"alg":"EdDSA"}x"#, .json), ("\u{FEFF}{}", .json),
      // Signed by one key and said to be of another one.
      (#"{"alg":"ES256","kid":"ES256"}"#, .signature), (#"{"alg":"RS256","kid":"RS256"}"#, .signature),
    ]
    for (header, fault) in table {
      let outcome = scene.outcome(try key.jwt(JWTScene.claims(), header: header))
      #expect(outcome == fault?.rawValue ?? "app alice", "\(header): \(outcome)")
    }
  }

  @Test func `claims decide, and what is missing or of another type counts against it`() throws {
    let now = Int(JWTScene.now.timeIntervalSince1970)
    let long = "\"" + String(repeating: "a", count: 257) + "\""
    let table: [([String: String?], JWTFault?)] = [
      ([:], nil), (["aud": "[\"other\",\"shop\"]"], nil), (["nbf": "\(now)", "iat": "\(now)"], nil),
      (["nbf": "\(now + 30)", "iat": "\(now + 30).0"], nil), (["exp": "\(now).5"], nil),
      (["exp": "18.00000001e8"], nil),
      (["exp": "\(now + 86_400)"], nil), (["sub": "\"Zoë 日本\""], nil),
      (["iss": "\"https://login.example/\""], .issuer), (["iss": "\"https://LOGIN.example\""], .issuer),
      (["iss": nil], .issuer), (["iss": "[\"https://login.example\"]"], .issuer), (["iss": "null"], .issuer),
      (["aud": "\"shops\""], .audience), (["aud": nil], .audience), (["aud": "[]"], .audience),
      (["aud": "\"Shop\""], .audience), (["aud": "{\"shop\":1}"], .audience), (["aud": "[\"shop\",1]"], .audience),
      (["aud": "true"], .audience), (["aud": "\"shop\\u0000\""], .audience), (["aud": "[[\"shop\"]]"], .audience),
      (["exp": nil], .time), (["exp": "\"\(now + 60)\""], .time), (["exp": "null"], .time), (["exp": "1e300"], .time),
      (["exp": "1e400"], .time), (["exp": "-1"], .time), (["exp": "[\(now + 60)]"], .time), (["exp": "true"], .time),
      (["exp": "253402300800"], .time), (["exp": "NaN"], .json), (["exp": "Infinity"], .json), (["exp": "0x7f"], .json),
      (["exp": "01"], .json), (["exp": "1."], .json), (["exp": "9\(String(repeating: "9", count: 400))"], .time),
      (["exp": "\(now)"], .expired), (["exp": "0"], .expired), (["exp": "-0"], .expired), (["exp": "1e-400"], .expired),
      (["exp": "\(now - 1)"], .expired), (["exp": "\(now + 86_431)"], .lasting), (["exp": "253402300799"], .lasting),
      (["exp": "\(now + 60)", "iat": "\(now - 86_400)"], .lasting),
      (["nbf": "\(now + 31)"], .early), (["iat": "\(now + 31)"], .early), (["nbf": "253402300799"], .early),
      (["nbf": "1e300"], .time), (["nbf": "null"], .time), (["iat": "\"\(now)\""], .time), (["iat": "-5"], .time),
      (["sub": nil], .subject), (["sub": "\"\""], .subject), (["sub": "7"], .subject), (["sub": "\"a\\nb\""], .subject),
      (["sub": "\"a\\u0000\""], .subject), (["sub": "\"a\\u202Eb\""], .subject), (["sub": long], .subject),
      (["sub": "\"\\u001B[2J\""], .subject), (["sub": "\"\\uD800\""], .json),
      (["x": String(repeating: "[", count: 15) + String(repeating: "]", count: 15)], nil),
      (["x": String(repeating: "[", count: 16) + String(repeating: "]", count: 16)], .json),
      (["x": String(repeating: "[", count: 2_000)], .json),
      (["x": "\"" + String(repeating: "a", count: 3_000) + "\""], .tooLong),
    ]
    for kind in [JWTSigningKey.Kind.ed25519] {
      for (changes, fault) in table {
        let outcome = scene.outcome(try scene.key(kind).jwt(JWTScene.claims(changes)))
        let isRight = fault.map { outcome == $0.rawValue } ?? outcome.hasPrefix("app ")
        #expect(isRight, "\(changes.description.prefix(100)): \(outcome)")
      }
    }
    // Twice the same claim, of which the last or the first might count elsewhere.
    let twice = JWTScene.claims().dropLast() + ",\"sub\":\"root\"}"
    #expect(scene.outcome(try scene.key(.p256).jwt(String(twice))) == Self.fault(.json))
  }

  @Test func `only a signature by the key that the header names is one`() throws {
    let claims = JWTScene.claims()
    for kind in JWTSigningKey.Kind.believed where kind != .rsa {
      // Another issuer's key of the same kid.
      let stranger = try JWTSigningKey(kind, id: kind.rawValue)
      #expect(scene.outcome(try stranger.jwt(claims)) == Self.fault(.signature), "\(kind)")
    }
    for kind in JWTSigningKey.Kind.believed {
      let parts = try scene.key(kind).jwt(claims).split(separator: ".").map(String.init)
      let signature = try #require(Base64URL.bytes(of: parts[2].utf8))
      let size = signature.count
      let wrong: [[UInt8]] = [
        [0], Array(repeating: 0, count: size), Array(repeating: 0xFF, count: size), Array(signature.dropLast()),
        signature + [0], [0] + signature, signature + signature, signature.reversed(),
        Array(signature.prefix(size / 2)),
        Array("secret".utf8), kind == .p256 ? DER.signature(signature) : [1],
        // The order of the curve as r and s.
        [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + Array(repeating: 0xFF, count: size - 8),
      ]
      for bytes in wrong {
        let jwt = "\(parts[0]).\(parts[1]).\(JWTSigningKey.base64URL(bytes))"
        #expect(scene.outcome(jwt) == Self.fault(.signature), "\(kind) \(bytes.count)")
      }
      // Of other claims, and of the same ones written otherwise.
      let others = JWTSigningKey.base64URL(JWTScene.claims(["sub": "\"root\""]).utf8)
      #expect(scene.outcome("\(parts[0]).\(others).\(parts[2])") == Self.fault(.signature))
      let spaced = JWTSigningKey.base64URL((claims + " ").utf8)
      #expect(scene.outcome("\(parts[0]).\(spaced).\(parts[2])") == Self.fault(.signature))
      #expect(scene.outcome("\(parts[0]).\(parts[1]).") == Self.fault(.malformed))
    }
  }

  @Test func `a signature of EdDSA has one spelling, and the second one of ES256 says nothing else`() throws {
    func add(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
      var carry = 0
      return zip(left, right).map { pair in
        carry += Int(pair.0) + Int(pair.1)
        defer { carry >>= 8 }
        return UInt8(carry & 255)
      }
    }
    func change(_ kind: JWTSigningKey.Kind, _ body: ([UInt8]) -> [UInt8]) throws -> String {
      let parts = try scene.key(kind).jwt(JWTScene.claims()).split(separator: ".").map(String.init)
      let signature = try #require(Base64URL.bytes(of: parts[2].utf8))
      return "\(parts[0]).\(parts[1]).\(JWTSigningKey.base64URL(body(signature)))"
    }
    // The order of Ed25519's group, the least byte first: a lax check takes S and S plus the order.
    let order: [UInt8] =
      [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
      + [UInt8](repeating: 0, count: 15) + [0x10]
    let second = try change(.ed25519) { Array($0[..<32]) + add(Array($0[32...]), order) }
    #expect(scene.outcome(second) == Self.fault(.signature))
    // The order of P-256, the greatest byte first; whoever has one signature (r, s) has (r, order - s) as well.
    let curve: [UInt8] =
      [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
      + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
    let other = try change(.p256) { signature in
      let negative = add(signature[32...].reversed().map { ~$0 }, [1] + [UInt8](repeating: 0, count: 31))
      return Array(signature[..<32]) + add(negative, curve.reversed()).reversed()
    }
    #expect(scene.outcome(other) == "app alice")
  }

  @Test func `a public key is no shared secret, whichever of its spellings is taken`() throws {
    for kind in JWTSigningKey.Kind.believed {
      let key = scene.key(kind)
      let text = key.members.split(separator: "\"").map(String.init)
      let numbers = text.compactMap { Base64URL.bytes(of: $0.utf8) }
      for secret in [Array(key.jwk.utf8), Array(key.members.utf8), []] + numbers {
        let forger = try JWTSigningKey(.shared, id: kind.rawValue, secret: secret)
        #expect(scene.outcome(try forger.jwt(JWTScene.claims())) == Self.fault(.algorithm))
        // The same under the algorithm of the key.
        let claimed = "{\"alg\":\"\(kind.rawValue)\",\"kid\":\"\(kind.rawValue)\"}"
        #expect(scene.outcome(try forger.jwt(JWTScene.claims(), header: claimed)) == Self.fault(.signature))
      }
    }
  }

  @Test func `a text that is not spelled as a JWT is none`() throws {
    let jwt = try scene.key(.ed25519).jwt(JWTScene.claims())
    let parts = jwt.split(separator: ".").map(String.init)
    let wrong = [
      "", ".", "..", "...", "a.b.c", jwt + ".", "." + jwt, jwt + "=", jwt + " ", " " + jwt, jwt + "\n", jwt + "\0",
      parts[0] + "." + parts[1], parts[0] + ".." + parts[2], "." + parts[1] + "." + parts[2],
      parts[0] + "=." + parts[1] + "." + parts[2], parts[0] + "\n." + parts[1] + "." + parts[2],
      jwt.replacing(".", with: ". "), jwt + "." + parts[2], jwt + ".." + parts[1], "Bearer " + jwt,
      parts.joined(separator: "\u{FF0E}") + ".", jwt.replacing("e", with: "é"), "{\"payload\":\"\(parts[1]).\"}",
      jwt.replacingOccurrences(of: parts[2], with: parts[2].replacing("A", with: "+") + "/"),
    ]
    for text in wrong { #expect(scene.outcome(text) == Self.fault(.malformed), "\(text.prefix(30))") }
    #expect(scene.outcome(String(repeating: "a.", count: 3_000)) == Self.fault(.tooLong))
    #expect(scene.outcome(jwt) == "app alice")
  }

  @Test func `a kid may be missing only where one key could be meant`() throws {
    let first = try JWTSigningKey(.p256, id: "a")
    let second = try JWTSigningKey(.p256, id: nil)
    let (header, claims) = ("{\"alg\":\"ES256\"}", JWTScene.claims())
    let both = try JWTScene.verifier([first, second])
    #expect(JWTScene.outcome(try first.jwt(claims), both) == "app alice")
    for key in [first, second] {
      #expect(JWTScene.outcome(try key.jwt(claims, header: header), both) == Self.fault(.key))
    }
    #expect(JWTScene.outcome(try second.jwt(claims), try JWTScene.verifier([second])) == "app alice")
    let named = "{\"alg\":\"ES256\",\"kid\":\"a\"}"
    #expect(
      JWTScene.outcome(try second.jwt(claims, header: named), try JWTScene.verifier([second])) == Self.fault(.key))
  }

  @Test func `a role is fixed or of a claim's value, and two are none`() throws {
    let key = try JWTSigningKey(.ed25519)
    let verifier = try JWTScene.verifier([key]) {
      $0.role = .claim(
        "https://shop/roles", roles: ["staff": "app", "clerks": "app", "root": "admin", "caf\u{E9}": "app"])
    }
    let table: [(String?, String)] = [
      ("\"staff\"", "app alice"), ("\"root\"", "admin alice"), ("[\"x\",\"staff\"]", "app alice"),
      ("[\"staff\",\"clerks\"]", "app alice"), ("[\"staff\",\"root\"]", Self.fault(.role)),
      ("\"app\"", Self.fault(.role)), ("\"Staff\"", Self.fault(.role)), (nil, Self.fault(.role)),
      ("[]", Self.fault(.role)), ("null", Self.fault(.role)), ("[\"staff\",1]", Self.fault(.role)),
      ("\"\"", Self.fault(.role)), ("\"caf\u{E9}\"", "app alice"), ("\"cafe\\u0301\"", Self.fault(.role)),
      ("{\"staff\":true}", Self.fault(.role)),
    ]
    for (value, expected) in table {
      let jwt = try key.jwt(JWTScene.claims(["https://shop/roles": value]))
      #expect(JWTScene.outcome(jwt, verifier) == expected, "\(value ?? "-")")
    }
  }

  @Test func `claims that are named are taken over as texts, and a strange one is refused`() throws {
    let key = try JWTSigningKey(.ed25519)
    let verifier = try JWTScene.verifier([key]) { $0.claims = ["tenant", "level"] }
    let table: [(String?, [String: String]?)] = [
      ("\"acme\"", ["tenant": "acme"]), ("\"\"", ["tenant": ""]), ("17", ["tenant": "17"]), ("-3", ["tenant": "-3"]),
      (nil, [:]), ("9223372036854775807", ["tenant": "9223372036854775807"]), ("9223372036854775808", nil),
      ("1.0", nil), ("1e3", nil), ("-0", nil), ("true", nil), ("null", nil), ("[\"acme\"]", nil), ("{}", nil),
      ("\"a\\u0000\"", nil), ("\"\(String(repeating: "a", count: 257))\"", nil),
      ("\"\(String(repeating: "a", count: 256))\"", ["tenant": String(repeating: "a", count: 256)]),
    ]
    for (value, expected) in table {
      let jwt = try key.jwt(JWTScene.claims(["tenant": value, "name": "\"Root\"", "other": "\"x\""]))
      let claims = try? verifier.check(jwt, now: JWTScene.now).grant.claims
      #expect(claims == expected.map { $0.merging(["name": "alice"]) { $1 } }, "\(value ?? "-")")
      if expected == nil { #expect(JWTScene.outcome(jwt, verifier) == Self.fault(.claims)) }
    }
  }

  @Test func `one issuer's key signs for no other issuer`() throws {
    let (ours, theirs) = (try JWTSigningKey(.ed25519), try JWTSigningKey(.ed25519))
    var verifier = try JWTScene.verifier([ours])
    let other = JWTScene.settings {
      $0.issuer = "https://other.example"
      $0.role = .fixed("guest")
    }
    verifier.add("other", other, try JWTKeySet(Array(JWTSigningKey.jwks([theirs]).utf8), file: "other"))
    let claims = JWTScene.claims(["iss": "\"https://other.example\""])
    #expect(JWTScene.outcome(try theirs.jwt(claims), verifier) == "guest alice")
    #expect(JWTScene.outcome(try theirs.jwt(JWTScene.claims()), verifier) == Self.fault(.signature))
    #expect(JWTScene.outcome(try ours.jwt(claims), verifier) == Self.fault(.signature))
  }
}
