/// What a subject may do.
///
/// Always true: what is not in the set is refused before anything runs, with an error whose reason is `PERMISSION` and
/// which names what is missing.
public struct Permissions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

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

  /// Reading rows.
  public static let select = Permissions(rawValue: 1 << 6)
  /// Making rows.
  public static let insert = Permissions(rawValue: 1 << 7)
  /// Changing rows; what an insert does to a row that is there already, too.
  public static let update = Permissions(rawValue: 1 << 8)
  /// Deleting rows; what `INSERT OR REPLACE` does to a row that is there already, too.
  public static let delete = Permissions(rawValue: 1 << 9)

  /// Reading and writing rows with trees.
  public static let rows: Permissions = [.select, .insert, .update, .delete]

  /// Everything: what programs of this machine have by default.
  public static let all: Permissions = [.rows, .raw, .schema, .create, .inspect, .maintain, .drop]

  /// Each with the word by which a command line or a configuration calls it.
  public static let named: [(name: String, permission: Permissions)] = [
    ("raw", .raw), ("schema", .schema), ("create", .create), ("inspect", .inspect),
    ("maintain", .maintain), ("drop", .drop), ("select", .select), ("insert", .insert), ("update", .update),
    ("delete", .delete),
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
      case .select: ("read rows", "Ask the server's operator to allow it.")
      case .insert: ("insert rows", "Ask the server's operator to allow it.")
      case .update: ("update rows", "Ask the server's operator to allow it.")
      case .delete: ("delete rows", "Ask the server's operator to allow it.")
      case .drop: ("drop or rename databases", "Ask the server's operator to do it.")
      default: ("inspect the server", "Ask the server's operator to do it.")
      }
    let word = Permissions.named.first { $0.permission == missing }?.name ?? ""
    return RequestError(
      .permissionDenied, .permission,
      "This client may not \(deed): the server's operator has denied it '\(word)'. \(advice)")
  }
}
