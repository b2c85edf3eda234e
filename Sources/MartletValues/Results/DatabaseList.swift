/// Databases of a server's directory, by name.
///
/// Always true: if `hasMore` there is at least one entry, and the list goes on after the last one.
public struct DatabaseList: Sendable, Equatable {
  /// Whether somebody uses a database, and whether it takes writes.
  public enum State: UInt32, Sendable {
    /// Nobody uses the database.
    case closed = 1
    case open = 2
    /// Open, and takes no writes until it is unfenced.
    case fenced = 3

    public var word: String {
      switch self {
      case .closed: "closed"
      case .open: "open"
      case .fenced: "fenced"
      }
    }
  }

  /// One database.
  public struct Entry: Sendable, Equatable {
    public var name: String
    public var state: State
    /// Bytes of the database's file, with what stands in the log only and makes it longer.
    public var bytes: UInt64
    /// Bytes of the log, which SQLite keeps beside the file.
    public var logBytes: UInt64
    /// Sessions that have the database open.
    public var sessions: Int

    public init(name: String, state: State, bytes: UInt64 = 0, logBytes: UInt64 = 0, sessions: Int = 0) {
      self.name = name
      self.state = state
      self.bytes = bytes
      self.logBytes = logBytes
      self.sessions = sessions
    }
  }

  public var entries: [Entry]
  public var hasMore: Bool

  public init(entries: [Entry] = [], hasMore: Bool = false) {
    self.entries = entries
    self.hasMore = hasMore
  }
}
