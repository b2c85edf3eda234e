/// What a subject may do beyond reading and writing rows with trees.
///
/// Always true: what is not in the set is refused before anything runs, with an error whose reason is `PERMISSION` and
/// which names what is missing.
public struct Permissions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// SQL text: statements of text, and fragments of text inside of trees.
  public static let raw = Permissions(rawValue: 1 << 0)
  /// Making, changing and dropping tables, indexes, views and triggers, as trees or as text.
  public static let schema = Permissions(rawValue: 1 << 1)
  /// Making a database that does not exist.
  public static let create = Permissions(rawValue: 1 << 2)
  /// Asking for the server's counters and its busiest shapes, with their SQL.
  public static let inspect = Permissions(rawValue: 1 << 3)
  /// Checking a database, and letting a fenced one take writes again.
  public static let maintain = Permissions(rawValue: 1 << 4)
  /// Dropping and renaming databases; both need `schema` too, and renaming needs `create`.
  public static let drop = Permissions(rawValue: 1 << 5)

  /// Everything: what programs of this machine have by default.
  public static let all: Permissions = [.raw, .schema, .create, .inspect, .maintain, .drop]

  /// Each with the word by which a command line or a configuration calls it.
  public static let named: [(name: String, permission: Permissions)] = [
    ("raw", .raw), ("schema", .schema), ("create", .create), ("inspect", .inspect),
    ("maintain", .maintain), ("drop", .drop),
  ]

  /// The permissions that a list of words names, such as `raw,schema`; nil if one of the words is none of them.
  public init?(words: String) {
    var permissions: Permissions = []
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      guard let found = Self.named.first(where: { $0.name == word }) else { return nil }
      permissions.insert(found.permission)
    }
    self = permissions
  }
}

extension RequestError {
  /// The error for what these permissions lack. `missing` is one permission.
  public static func permissionMissing(_ missing: Permissions) -> RequestError {
    let (deed, advice) =
      switch missing {
      case .raw: ("send SQL text", "Send the statement as a tree.")
      case .schema: ("change the schema", "Use the tables that are there.")
      case .create: ("make databases", "Use one that exists.")
      case .maintain: ("check or unfence databases", "Ask the server's operator to do it.")
      case .drop: ("drop or rename databases", "Ask the server's operator to do it.")
      default: ("inspect the server", "Ask the server's operator to do it.")
      }
    let word = Permissions.named.first { $0.permission == missing }?.name ?? ""
    return RequestError(
      .permissionDenied, .permission,
      "This client may not \(deed): the server's operator has denied it '\(word)'. \(advice)")
  }
}
