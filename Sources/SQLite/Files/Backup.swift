internal import MartletDatabase
internal import MartletSQLite

/// A copy of one connection's database over another's, some pages at a time. `Connection.backup` begins one.
///
/// Always true: the copy is as the source was at one moment; what changes meanwhile is copied again. Until it is
/// complete nobody uses the other database.
// Unchecked because a step keeps both connections while it runs.
public final class Backup: @unchecked Sendable {
  /// Which of a connection's databases.
  public enum DatabaseName: Sendable {
    /// The connection's own file.
    case main
    /// The database of the connection's temporary tables.
    case temp
    /// A file that was attached under this name.
    case attached(name: String)

    var name: String {
      switch self {
      case .main: "main"
      case .temp: "temp"
      case .attached(let name): name
      }
    }
  }

  /// How many pages a step copies.
  public enum Pages: Sendable {
    case all
    case limited(number: Int32)

    fileprivate var number: Int {
      switch self {
      case .all: -1
      // A step that copies nothing would never come to an end.
      case .limited(let number): Int(max(1, number))
      }
    }
  }

  private let source: Connection
  private let target: Connection
  private var copy: MartletSQLite.Backup?
  private var pages: (all: Int, remaining: Int) = (0, 0)

  /// Begins a copy. Throws `Result` if the target is in use.
  public init(
    sourceConnection: Connection, sourceName: DatabaseName = .main, targetConnection: Connection,
    targetName: DatabaseName = .main
  ) throws {
    source = sourceConnection
    target = targetConnection
    copy = try Self.keeping(source, target) {
      try source.on { from in
        try targetConnection.on { into in try from.backup(sourceName.name, into: into, targetName.name) }
      }
    }
  }

  /// Keeps both connections, always in the same order: two copies that go both ways wait for each other otherwise.
  private static func keeping<T>(_ first: Connection, _ second: Connection, _ body: () throws -> T) rethrows -> T {
    let isOrdered = ObjectIdentifier(first) < ObjectIdentifier(second)
    let (outer, inner) = isOrdered ? (first, second) : (second, first)
    return try outer.exclusively { try inner.exclusively(body) }
  }

  deinit { finish() }

  /// Pages of the source, as of the last step; 0 before the first.
  public var pageCount: Int { source.exclusively { pages.all } }

  /// Pages that are still to be copied, as of the last step; 0 before the first.
  public var remainingPages: Int { source.exclusively { pages.remaining } }

  /// Copies pages. Throws `Result` if something is locked: it can be called again then. When nothing is left, the copy
  /// is complete, and a further step does nothing.
  public func step(pagesToCopy pages: Pages = .all) throws {
    try Self.keeping(source, target) {
      try source.on { from in
        try target.on(writes: true) { _ in
          guard let copy else { return }
          let hasMore = try from.step(copy, pages: pages.number)
          self.pages = (copy.pageCount, copy.remainingPages)
          if !hasMore { self.copy = nil }
        }
      }
    }
  }

  /// Ends the backup: a copy that is not complete is undone.
  public func finish() { Self.keeping(source, target) { copy = nil } }
}
