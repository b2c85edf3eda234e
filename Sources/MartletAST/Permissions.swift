/// What the clients of a server may do beyond reading and writing rows with trees.
///
/// Always true: what is not in the set is refused before anything is compiled for it, with an error whose reason is
/// `PERMISSION` and which names what is missing.
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

  /// Everything: what a server gives that only programs of this machine reach.
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
    let deed =
      switch missing {
      case .raw: "take SQL text; send the statement as a tree"
      case .schema: "let its clients change the schema"
      case .create: "let its clients make databases; use one that exists"
      case .maintain: "let its clients check or unfence databases"
      case .drop: "let its clients drop or rename databases"
      default: "let its clients inspect it"
      }
    let word = Permissions.named.first { $0.permission == missing }?.name ?? ""
    return RequestError(
      .permissionDenied, .permission, "This server does not \(deed). Its operator has denied '\(word)'.")
  }
}
