/// What a subject may do.
///
/// Always true: what is not in the set is refused before anything runs, with an error whose reason is `PERMISSION` and
/// which names what is missing.
public struct Permissions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// SQL text: statements of text, and fragments of text inside of trees.
  public static let raw = Permissions(rawValue: 1 << 0)
  /// Making a database that does not exist.
  public static let create = Permissions(rawValue: 1 << 2)
  /// Asking for the server's counters and its busiest shapes, with their SQL.
  public static let inspect = Permissions(rawValue: 1 << 3)
  /// Checking a database, letting a fenced one take writes again, and, as SQL text, which needs `raw` too, `VACUUM`,
  /// `ANALYZE`, `REINDEX` and `PRAGMA optimize`.
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

  /// Making tables, full-text tables too.
  public static let createTable = Permissions(rawValue: 1 << 10)
  /// Renaming tables, and adding, renaming and dropping columns.
  public static let alterTable = Permissions(rawValue: 1 << 11)
  /// Dropping tables with all that belongs to them.
  public static let dropTable = Permissions(rawValue: 1 << 12)
  public static let createIndex = Permissions(rawValue: 1 << 13)
  public static let dropIndex = Permissions(rawValue: 1 << 14)
  public static let createView = Permissions(rawValue: 1 << 15)
  public static let dropView = Permissions(rawValue: 1 << 16)
  /// Making triggers, which needs what their statements need, too; afterwards they run whoever writes.
  public static let createTrigger = Permissions(rawValue: 1 << 17)
  public static let dropTrigger = Permissions(rawValue: 1 << 18)

  /// Pragmas: as SQL text, which needs `raw` too, and as the tables that SQLite has for those that read.
  public static let pragmas = Permissions(rawValue: 1 << 19)

  /// Reading and writing rows with trees.
  public static let rows: Permissions = [.select, .insert, .update, .delete]

  /// Making, changing and dropping tables, indexes, views and triggers as trees. Text that does one of these needs all.
  public static let schema: Permissions = [
    .createTable, .alterTable, .dropTable, .createIndex, .dropIndex, .createView, .dropView, .createTrigger,
    .dropTrigger,
  ]

  /// Everything: what programs of this machine have by default.
  public static let all: Permissions = [
    .rows, .raw, .schema, .pragmas, .create, .inspect, .maintain, .drop,
  ]

  /// Each with the word by which a command line or a configuration calls it.
  public static let named: [(name: String, permission: Permissions)] = [
    ("raw", .raw), ("create-table", .createTable), ("alter-table", .alterTable), ("drop-table", .dropTable),
    ("create-index", .createIndex), ("drop-index", .dropIndex), ("create-view", .createView),
    ("drop-view", .dropView), ("create-trigger", .createTrigger), ("drop-trigger", .dropTrigger),
    ("pragmas", .pragmas),
    ("create", .create), ("inspect", .inspect), ("maintain", .maintain), ("drop", .drop),
    ("select", .select), ("insert", .insert), ("update", .update), ("delete", .delete),
  ]

  /// Words for several at once.
  public static let groups: [(name: String, permission: Permissions)] = [
    ("rows", .rows), ("schema", .schema), ("all", .all),
  ]

  /// What a word means; nil if it is none.
  public init?(word: String) {
    guard let found = (Self.named + Self.groups).first(where: { $0.name == word }) else { return nil }
    self = found.permission
  }

  /// The words for these, `schema` in the place of all of its kinds.
  public var words: [String] {
    let hasSchema = isSuperset(of: .schema)
    let single = hasSchema ? subtracting(.schema) : self
    var words = Self.named.filter { single.contains($0.permission) }.map(\.name)
    if hasSchema { words.insert("schema", at: contains(.raw) ? 1 : 0) }
    return words
  }

  /// The first of these for an error that names one; all of `schema` if all of its kinds are among them.
  public var first: Permissions? {
    words.first.flatMap { Permissions(word: $0) }
  }
}

extension RequestError {
  /// The error for what these permissions lack. `missing` is one permission.
  public static func permissionMissing(_ missing: Permissions) -> RequestError {
    let operators = "Ask the server's operator to allow it."
    let (deed, advice) =
      switch missing {
      case .raw: ("send SQL text", "Send the statement as a tree.")
      case .schema: ("change the schema", "Use the tables that are there.")
      case .pragmas: ("ask pragmas", operators)
      case .create: ("make databases", "Use one that exists.")
      case .maintain: ("check, unfence, vacuum, reindex or analyze databases", "Ask the server's operator to do it.")
      case .select: ("read rows", operators)
      case .insert: ("insert rows", operators)
      case .update: ("update rows", operators)
      case .delete: ("delete rows", operators)
      case .drop: ("drop or rename databases", "Ask the server's operator to do it.")
      case .inspect: ("inspect the server", "Ask the server's operator to do it.")
      default: (schemaDeed(missing), operators)
      }
    return RequestError(
      .permissionDenied, .permission,
      "This client may not \(deed): the server's operator has denied it '\(missing.words.first ?? "")'. \(advice)")
  }

  /// `create tables`, of `create-table`.
  private static func schemaDeed(_ missing: Permissions) -> String {
    let word = missing.words.first ?? ""
    let parts = word.split(separator: "-")
    guard parts.count == 2 else { return "do this" }
    return "\(parts[0]) \(parts[1] == "index" ? "indexes" : parts[1] + "s")"
  }
}
