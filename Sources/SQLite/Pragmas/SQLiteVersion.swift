/// A version of SQLite, to ask for what it can do.
public struct SQLiteVersion: Comparable, Hashable, Sendable {
  public let major: Int
  public let minor: Int
  public var point: Int = 0

  public init(major: Int, minor: Int, point: Int = 0) {
    self.major = major
    self.minor = minor
    self.point = point
  }

  public static func < (left: SQLiteVersion, right: SQLiteVersion) -> Bool {
    (left.major, left.minor, left.point) < (right.major, right.minor, right.point)
  }

  /// Stands for a version of SQLite that cannot be read.
  public static let zero = SQLiteVersion(major: 0, minor: 0)
}

extension SQLiteVersion: CustomStringConvertible {
  public var description: String { "SQLite \(major).\(minor).\(point)" }
}

extension Connection {
  /// The version of SQLite that this connection's statements run on: a server has its own. `.zero` if it cannot be
  /// asked.
  public var sqliteVersion: SQLiteVersion {
    let text = (try? scalar(Pragma.sqliteVersion)) as? String ?? ""
    let parts = text.split(separator: ".").compactMap { Int($0) }
    guard parts.count >= 2 else { return .zero }
    return SQLiteVersion(major: parts[0], minor: parts[1], point: parts.count > 2 ? parts[2] : 0)
  }
}
