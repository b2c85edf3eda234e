public import MartletValues

/// What somebody may do: in which databases, and with which permissions.
///
/// Always true: what it does not name is refused.
public struct Role: Sendable, Hashable {
  public var name: String
  /// The databases that it may open; none: it may open none.
  public var databases: [DatabasePattern]
  public var permissions: Permissions

  public init(name: String, databases: [DatabasePattern] = [.all], permissions: Permissions) {
    self.name = name
    self.databases = databases
    self.permissions = permissions
  }

  /// Whether a text may be the name of a role: 1 to 64 of `A-Z a-z 0-9 _ -`.
  public static func isName(_ text: String) -> Bool { (try? MartletURL.check(database: text)) != nil }

  /// Whether it may open a database of that name.
  public func mayOpen(_ database: String) -> Bool { databases.contains { $0.matches(database) } }
}

/// Names of databases: a name, or one with `*` for any characters, such as `tenant-*`.
public struct DatabasePattern: Sendable, Hashable {
  public let text: String

  /// Every database.
  public static let all = DatabasePattern(unchecked: "*")

  /// Nil if it is empty, longer than 64, or has characters other than `A-Z a-z 0-9 _ - *`.
  public init?(_ text: String) {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, 95, 45, 42: true
      default: false
      }
    }
    guard isAllowed, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  private init(unchecked text: String) { self.text = text }

  /// In time that grows with the product of the two lengths at most.
  public func matches(_ name: String) -> Bool {
    let pattern = Array(text.utf8)
    let name = Array(name.utf8)
    var (p, n) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        star = (p, n)
        p += 1
      } else if p < pattern.count, pattern[p] == name[n] {
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
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
