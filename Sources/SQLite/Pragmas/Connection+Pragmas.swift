/// Settings and numbers of a database file.
///
/// Always true: a setter that SQLite or a server refuses changes nothing, and the getter shows it; `set` throws why.
extension Connection {
  /// The version that the program gives to its schema, from 0; nil if it cannot be read. For migrations.
  public var userVersion: Int32? {
    get { number(of: .userVersion) }
    set { try? set(.userVersion, newValue ?? 0) }
  }

  /// The number that says which program a file belongs to.
  public var applicationId: Int32? {
    get { number(of: .applicationID) }
    set { try? set(.applicationID, newValue ?? 0) }
  }

  /// Whether rows may point only to rows that are there. A server always sees to it.
  public var foreignKeys: Bool {
    get { number(of: .foreignKeys) == 1 }
    set { try? set(.foreignKeys, newValue ? 1 : 0) }
  }

  /// Whether foreign keys are checked when the transaction that is open commits, and not before.
  public var deferForeignKeys: Bool {
    get { number(of: .deferForeignKeys) == 1 }
    set { try? set(.deferForeignKeys, newValue ? 1 : 0) }
  }

  private func number(of pragma: Pragma) -> Int32? {
    ((try? scalar(pragma.text)) as? Int64).flatMap { Int32(exactly: $0) }
  }

  private func set(_ pragma: Pragma, _ value: Int32) throws { try execute(pragma.text(setting: value)) }

  /// How a file keeps what a transaction that is not committed yet has changed.
  public enum JournalMode: String, CaseIterable, Sendable {
    case delete
    case truncate
    case persist
    case memory
    case wal
    case off
  }

  /// How the file keeps its journal. A file that is opened here has a write-ahead log, `wal`. SQLite may refuse another
  /// mode: `off` always, and each while another connection is open. A server's databases are `wal`.
  public var journalMode: JournalMode {
    get {
      ((try? scalar(Pragma.journalMode.text)) as? String).flatMap { JournalMode(rawValue: $0.lowercased()) } ?? .wal
    }
    set { _ = try? scalar(Pragma.journalMode.text(setting: newValue.rawValue)) }
  }

  /// When SQLite waits for the disk.
  public enum SynchronousMode: Int32, CaseIterable, Sendable {
    /// Never: a power failure may damage the file.
    case off = 0
    /// At checkpoints: a power failure may undo the last commits.
    case normal = 1
    /// At each commit, which is how a file is opened here.
    case full = 2
    /// As `full`, and for the directory too.
    case extra = 3
  }

  /// When SQLite waits for the disk. A server's databases are `full`.
  public var synchronous: SynchronousMode {
    get { number(of: .synchronous).flatMap { SynchronousMode(rawValue: $0) } ?? .full }
    set { try? set(.synchronous, newValue.rawValue) }
  }
}
