public import Foundation

/// A server and, if it names one, a database.
///
/// Always true: the database's name, if there is one, is 1 to 64 of `A-Z a-z 0-9 _ -`; the port is 0 to 65535;
/// printing a URL and parsing the text gives the same URL.
public struct MartletURL: Sendable, Hashable {
  /// The address of a server.
  public enum Address: Sendable, Hashable {
    /// A name or an IP address (an IPv6 address without brackets). Port 0 lets the system choose, when listening.
    case tcp(host: String, port: Int)
    /// The same with TLS around it.
    case tls(host: String, port: Int)
    /// A Unix socket by its absolute path.
    case unix(path: String)
  }

  /// The port if a URL names none: M-A-R-T on a keypad.
  public static let defaultPort = 6278

  public var address: Address

  /// Nil if the URL names no database, as one that only says where to listen.
  public var database: String?

  /// Throws if the database's name or the port is out of bounds.
  public init(address: Address, database: String? = nil) throws(InvalidMartletURL) {
    switch address {
    case .tcp(let host, let port), .tls(let host, let port):
      guard !host.isEmpty else {
        throw InvalidMartletURL("A martlet:// URL needs a host, as in martlet://localhost/name.")
      }
      guard (0...65_535).contains(port) else { throw InvalidMartletURL.port }
    case .unix(let path):
      guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw InvalidMartletURL.path }
    }
    if let database { try Self.check(database: database) }
    self.address = address
    self.database = database
  }

  /// Parses a URL; the error is a sentence that shows the form that is expected.
  public init(_ text: String) throws(InvalidMartletURL) {
    if let rest = text.removing(prefix: "martlet+unix://") {
      try self.init(unix: rest)
    } else if let rest = text.removing(prefix: "martlet+tls://") {
      let (host, port, database) = try Self.split(internet: rest)
      try self.init(address: .tls(host: host, port: port), database: database)
    } else if let rest = text.removing(prefix: "martlet://") {
      let (host, port, database) = try Self.split(internet: rest)
      try self.init(address: .tcp(host: host, port: port), database: database)
    } else {
      throw InvalidMartletURL(
        "A Martlet URL starts with martlet://, martlet+tls:// or martlet+unix://, as in martlet://localhost:6278/name.")
    }
  }

  /// The same server with another database, or with none.
  public func with(database: String?) throws(InvalidMartletURL) -> MartletURL {
    try MartletURL(address: address, database: database)
  }

  /// `host:port/database`.
  private static func split(
    internet text: Substring
  ) throws(InvalidMartletURL) -> (host: String, port: Int, database: String?) {
    guard !text.contains("@"), !text.contains("?"), !text.contains("#") else {
      throw InvalidMartletURL("A martlet:// URL has only a host, a port and a database: martlet://host:port/database.")
    }
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    let (host, port) = try Self.split(authority: text[..<slash])
    let path = slash == text.endIndex ? "" : text[text.index(after: slash)...]
    return (host, port, path.isEmpty ? nil : String(path))
  }

  private init(unix text: Substring) throws(InvalidMartletURL) {
    let question = text.firstIndex(of: "?") ?? text.endIndex
    guard let path = String(percentEncoded: text[..<question]) else { throw InvalidMartletURL.path }
    var database: String?
    if question != text.endIndex {
      let query = text[text.index(after: question)...]
      guard let name = query.removing(prefix: "db="), !name.contains("&") else {
        throw InvalidMartletURL("A martlet+unix:// URL names its database as ?db=name and takes no other option.")
      }
      database = name.isEmpty ? nil : String(name)
    }
    try self.init(address: .unix(path: path), database: database)
  }

  /// `host`, `host:port`, `[v6]` or `[v6]:port`.
  private static func split(authority: Substring) throws(InvalidMartletURL) -> (host: String, port: Int) {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else {
        throw InvalidMartletURL("An IPv6 address stands in brackets: martlet://[::1]:6278/name.")
      }
      host = authority[authority.index(after: authority.startIndex)..<close]
      let rest = authority[authority.index(after: close)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw InvalidMartletURL.port }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
      guard port?.contains(":") != true else {
        throw InvalidMartletURL("An IPv6 address stands in brackets: martlet://[::1]:6278/name.")
      }
    }
    guard let port else { return (String(host), defaultPort) }
    guard port.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(port), number <= 65_535 else {
      throw InvalidMartletURL.port
    }
    return (String(host), number)
  }

  /// Whether what is said there is encrypted.
  public var isEncrypted: Bool { if case .tls = address { true } else { false } }

  /// Whether the URL leaves the port to the system, which only a server can.
  public var leavesPortOpen: Bool {
    switch address {
    case .tcp(_, let port), .tls(_, let port): port == 0
    case .unix: false
    }
  }

  /// The rule that names of databases obey: they become file names.
  public static func check(database: String) throws(InvalidMartletURL) {
    guard SimpleName.isValid(database) else { throw InvalidMartletURL(SimpleName.rule("A database's name")) }
  }
}

extension MartletURL: CustomStringConvertible {
  public var description: String {
    switch address {
    case .tcp(let host, let port): "martlet://" + Self.place(host, port, database)
    case .tls(let host, let port): "martlet+tls://" + Self.place(host, port, database)
    case .unix(let path):
      "martlet+unix://\(path.percentEncoded)" + (database.map { "?db=\($0)" } ?? "")
    }
  }

  private static func place(_ host: String, _ port: Int, _ database: String?) -> String {
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(shown):\(port)" + (database.map { "/\($0)" } ?? "")
  }
}

/// Why a text is not a Martlet URL; the message is a sentence.
public struct InvalidMartletURL: Error, Sendable, Equatable, CustomStringConvertible {
  public var message: String
  public init(_ message: String) { self.message = message }
  public var description: String { message }

  static let port = InvalidMartletURL("A port is a number from 0 to 65535, as in martlet://localhost:6278/name.")
  static let path = InvalidMartletURL(
    "A martlet+unix:// URL needs the absolute path of a socket, as in martlet+unix:///run/martlet.sock?db=name.")
}

extension StringProtocol {
  fileprivate func removing(prefix: String) -> Substring? {
    hasPrefix(prefix) ? Substring(self).dropFirst(prefix.count) : nil
  }

  /// What a URL may not show as it is: controls, space, `%`, `?`, `#` and all that is not ASCII.
  fileprivate var percentEncoded: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case 0...32, 127..., 35, 37, 63:
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      default: text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return text
  }
}

extension String {
  /// Nil if an escape is incomplete or the bytes are not UTF-8.
  fileprivate init?(percentEncoded text: Substring) {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let decoded = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { return nil }
    self = decoded
  }
}

extension InvalidMartletURL: LocalizedError {
  /// The error's sentence.
  public var errorDescription: String? { description }
}
