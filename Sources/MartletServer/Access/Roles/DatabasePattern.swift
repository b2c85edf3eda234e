internal import MartletValues

/// Names of databases: a name, or one with `*` for any characters, such as `tenant-*`, or with the value of a claim,
/// such as `tenant-{tenant}`.
public struct DatabasePattern: Sendable, Hashable {
  public let text: String
  private let parts: [Part]

  private enum Part: Sendable, Hashable {
    case byte(UInt8)
    case anything
    case claim(String)
  }

  /// Every database.
  public static let all = DatabasePattern("*", [.anything])

  /// Nil if it is empty, longer than 64, has characters other than `A-Z a-z 0-9 _ - *`, or braces around what is no
  /// claim's name.
  public init?(_ text: String) {
    guard SimpleName.lengths.contains(text.utf8.count) else { return nil }
    var parts: [Part] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case _ where SimpleName.isPart(byte): parts.append(.byte(byte))
      case UInt8(ascii: "*"): parts.append(.anything)
      case UInt8(ascii: "{"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")), let claim = String(rest[..<end]),
          SimpleName.isValid(claim)
        else { return nil }
        parts.append(.claim(claim))
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    self.init(text, parts)
  }

  private init(_ text: String, _ parts: [Part]) { (self.text, self.parts) = (text, parts) }

  /// Takes time that grows at most with the product of the two lengths. The value of a claim matches itself only, a `*`
  /// in it too; a pattern with a claim that is missing or empty matches nothing.
  public func matches(_ name: String, claims: [String: String] = [:]) -> Bool {
    var pattern: [Part] = []
    for part in parts {
      guard case .claim(let claim) = part else {
        pattern.append(part)
        continue
      }
      guard let value = claims[claim], !value.isEmpty else { return false }
      pattern += value.utf8.map(Part.byte)
    }
    return Self.matches(Array(name.utf8), pattern)
  }

  /// Whether the pattern matches with some values of its claims.
  func mayMatch(_ name: String) -> Bool {
    Self.matches(Array(name.utf8), parts.map { if case .claim = $0 { .anything } else { $0 } })
  }

  /// The claims that the pattern asks for.
  var claims: [String] { parts.compactMap { if case .claim(let name) = $0 { name } else { nil } } }

  /// Whether the pattern asks for a claim, so that the database is its client's.
  public var hasClaim: Bool { !claims.isEmpty }

  /// Whether clients with different claims could mean one name: `{org}-{user}` is `a-b-c` for two of them.
  public var isAmbiguous: Bool {
    claims.count > 1 || (claims.count == 1 && parts.contains(.anything))
  }

  /// Whether some name fits both, with the right claims.
  public func mayMeet(_ other: DatabasePattern) -> Bool {
    Self.meet(Self.open(parts)[...], Self.open(other.parts)[...])
  }

  /// Whether each name that fits the other fits it, too, as far as that shows without claims.
  public func covers(_ other: DatabasePattern) -> Bool {
    if self == other || self == .all { return true }
    let isName = other.parts.allSatisfy { if case .byte = $0 { true } else { false } }
    return isName && matches(other.text, claims: [:])
  }

  /// The parts with anything in the place of claims.
  private static func open(_ parts: [Part]) -> [Part] { parts.map { if case .claim = $0 { .anything } else { $0 } } }

  private static func meet(_ left: ArraySlice<Part>, _ right: ArraySlice<Part>) -> Bool {
    // Row by row: which beginnings of the right fit the beginning of the left that was read.
    let (left, right) = (Array(left), Array(right))
    var fits = [true]
    for part in right { fits.append(fits[fits.count - 1] && part == .anything) }
    for part in left {
      var next = [fits[0] && part == .anything]
      for (index, other) in right.enumerated() {
        // `anything` matches nothing, or one more part of the other.
        let isAnything = (part == .anything || other == .anything) && (fits[index + 1] || next[index])
        next.append(isAnything || (fits[index] && (part == other || part == .anything || other == .anything)))
      }
      fits = next
    }
    return fits[right.count]
  }

  private static func matches(_ name: [UInt8], _ pattern: [Part]) -> Bool {
    var (p, n) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == .anything {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == .byte(name[n]) {
        p += 1
        n += 1
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        p = last.pattern + 1
        n = last.name + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == .anything }
  }
}
