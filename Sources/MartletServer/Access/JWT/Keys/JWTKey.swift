internal import Foundation
internal import JWTKit
internal import MartletValues

/// A public key that checks signatures of one method.
///
/// Always true: it was made of a key of that method, so a signature of another one is never checked with it.
struct JWTKey: Sendable {
  let id: String?
  let method: SigningMethod
  /// The digest that tells the key from every other key, of other methods too.
  let digest: [UInt8]
  private let signatureBytes: Int
  private let algorithm: any JWTAlgorithm

  /// What a key is made of, as its members say it.
  enum Numbers {
    case ed25519(x: String)
    case p256(x: String, y: String)
    case rsa(modulus: String, exponent: String, bytes: Int)

    var method: SigningMethod {
      switch self {
      case .ed25519: .ed25519
      case .p256: .p256
      case .rsa: .rsa
      }
    }
  }

  /// Throws what the library says of numbers that are no key.
  init(_ numbers: Numbers, id: String?) throws {
    let identifier = JWKIdentifier(string: "key")
    let key: JWK
    let parts: [String]
    switch numbers {
    case .ed25519(let x):
      (signatureBytes, parts) = (64, [x])
      key = .octetKeyPair(.eddsa, identifier: identifier, x: x, y: nil, curve: .ed25519)
    case .p256(let x, let y):
      (signatureBytes, parts) = (64, [x, y])
      key = .ecdsa(.es256, identifier: identifier, x: x, y: y, curve: .p256)
    case .rsa(let modulus, let exponent, let bytes):
      (signatureBytes, parts) = (bytes, [modulus, exponent])
      key = .rsa(.rs256, identifier: identifier, modulus: modulus, exponent: exponent)
    }
    (method, self.id) = (numbers.method, id)
    digest = SHA256.digest(of: Array(([method.rawValue] + parts).joined(separator: " ").utf8))
    // The library hands out its keys from an actor; what it hands out is asked without one.
    algorithm = try CallerExecutor.run { try await JWTKeyCollection().add(jwk: key).getKey(for: identifier) }
  }

  /// Whether the key's owner has signed the bytes.
  func signs(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
    guard signature.count == signatureBytes, algorithm.name == method.rawValue else { return false }
    return (try? algorithm.verify(signature, signs: bytes)) ?? false
  }
}
