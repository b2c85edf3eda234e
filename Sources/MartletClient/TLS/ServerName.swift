internal import Foundation
internal import NIOSSL

/// The name or IP address that a server's certificate has to bear.
///
/// Always true: only the certificate's subject alternative names count, DNS names for a name and IP addresses for an
/// address. NIOSSL's own check also accepts a certificate for the address that a name was resolved to, and so trusts
/// whoever answers the look-up.
struct ServerName: Sendable, Equatable {
  private enum Kind: Sendable, Equatable {
    /// A name in lower case, without a dot at its end.
    case name(String)
    /// 4 or 16 bytes.
    case address([UInt8])
  }

  private let kind: Kind

  init(_ text: String) {
    if let address = Self.address(text) {
      kind = .address(address)
    } else {
      kind = .name((text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased())
    }
  }

  /// An IP address of a certificate; nil if it has another number of bytes.
  init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    kind = .address(bytes)
  }

  /// The name by which the handshake asks for the server (SNI); nil for an address, which it does not say.
  var indication: String? {
    guard case .name(let name) = kind, (1...255).contains(name.utf8.count), !name.utf8.contains(0) else { return nil }
    return name
  }

  /// Whether a name of the certificate matches this name or address.
  func isBorne(by certificate: NIOSSLCertificate) -> Bool {
    certificate._subjectAlternativeNames().contains { alternative in
      let content = alternative.contents.withUnsafeBufferPointer { Array($0) }
      switch kind {
      case .address(let bytes): return alternative.nameType == .ipAddress && content == bytes
      case .name(let name):
        return alternative.nameType == .dnsName && Self.matches(name, pattern: String(decoding: content, as: UTF8.self))
      }
    }
  }

  /// A star stands for one whole label at the front, with two labels behind it at least.
  static func matches(_ name: String, pattern: String) -> Bool {
    let pattern = (pattern.hasSuffix(".") ? String(pattern.dropLast()) : pattern).lowercased()
    guard pattern.hasPrefix("*.") else { return !name.isEmpty && pattern == name }
    let rest = pattern.dropFirst(2)
    guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return false }
    return rest.contains(".") && !rest.contains("*") && name[name.index(after: dot)...] == rest
  }

  private static func address(_ text: String) -> [UInt8]? {
    // The zone says which network to take and is no part of the address.
    let literal = String(text.prefix { $0 != "%" })
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, literal, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, literal, &bytes) == 1 ? bytes : nil
  }

  /// Whether the name is this machine's own: `localhost` or an address of the loopback.
  var isLoopback: Bool {
    switch kind {
    case .name(let name): return name == "localhost"
    case .address(let bytes) where bytes.count == 4: return bytes[0] == 127
    case .address(let bytes): return bytes == Array(repeating: 0, count: 15) + [1]
    }
  }
}

extension ServerName: CustomStringConvertible {
  var description: String {
    switch kind {
    case .name(let name): name
    case .address(let bytes) where bytes.count == 4: bytes.map(String.init).joined(separator: ".")
    case .address(let bytes):
      stride(from: 0, to: bytes.count, by: 2)
        .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }
  }
}
