public import MartletValues

/// What somebody may do: in which databases, and with which permissions.
///
/// Always true: what it does not name is refused.
public struct Role: Sendable, Hashable {
  public var name: String
  /// The databases that it may open; none: it may open none.
  public var databases: [DatabasePattern]
  public var permissions: Permissions
  /// Which tables, columns and rows it may use; nil: all.
  public var tables: TableRules?
  /// Files of the shapes that it may run, as `martlet shapes register` makes them; nil: it may run any statement.
  public var shapeFiles: [String]?
  /// How much of the server its clients may use.
  public var quotas: RoleQuotas

  public init(
    name: String, databases: [DatabasePattern] = [.all], permissions: Permissions, tables: TableRules? = nil,
    quotas: RoleQuotas = RoleQuotas()
  ) {
    self.quotas = quotas
    self.tables = tables
    self.name = name
    self.databases = databases
    self.permissions = permissions
  }

  /// Whether a text may be the name of a role: 1 to 64 of `A-Z a-z 0-9 _ -`.
  public static func isName(_ text: String) -> Bool { (try? MartletURL.check(database: text)) != nil }

  /// Whether somebody with these claims may open a database of that name.
  public func mayOpen(_ database: String, claims: [String: String] = [:]) -> Bool {
    databases.contains { $0.matches(database, claims: claims) }
  }

  /// Whether somebody with the right claims may open it.
  func mayOpenWithSomeClaims(_ database: String) -> Bool { databases.contains { $0.mayMatch(database) } }
}

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
    guard (1...64).contains(text.utf8.count) else { return nil }
    var parts: [Part] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case 48...57, 65...90, 97...122, 95, 45: parts.append(.byte(byte))
      case UInt8(ascii: "*"): parts.append(.anything)
      case UInt8(ascii: "{"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")), let claim = String(rest[..<end]),
          RowRule.isClaimName(claim)
        else { return nil }
        parts.append(.claim(claim))
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    self.init(text, parts)
  }

  private init(_ text: String, _ parts: [Part]) { (self.text, self.parts) = (text, parts) }

  /// In time that grows with the product of the two lengths at most. What a claim says stands for itself, `*` too; a
  /// pattern with a claim that is missing or empty matches nothing.
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

  /// Whether it matches with some values of its claims.
  func mayMatch(_ name: String) -> Bool {
    Self.matches(Array(name.utf8), parts.map { if case .claim = $0 { .anything } else { $0 } })
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
