public import MartletValues

@_exported public import struct MartletValues.DatabaseKey

#if Client
  @_exported public import struct MartletClient.ClientCredential
  @_exported public import struct MartletClient.ClientTLS
  @_exported public import class MartletClient.ShapeRecorder
#endif

/// The options of `DatabaseQueue`, `DatabasePool` and `RemoteDatabase`.
///
/// Always true: what `prepareDatabase` collects runs once on each connection, before anything else does.
public struct Configuration: Sendable {
  /// What to do while another process holds the file's lock.
  public enum BusyMode: Sendable {
    /// Throw at once.
    case immediateError
    /// Seconds to wait.
    case timeout(Double)
  }

  /// A name for errors and logs.
  public var label: String?

  /// Opens the file for reading only; it must exist.
  public var readonly = false

  /// Rows may point only to rows that are there.
  public var foreignKeysEnabled = true

  /// How long a statement waits for the lock that another process holds: 5 seconds if nothing else is said.
  public var busyMode = BusyMode.timeout(5)

  /// Connections of a pool that may read at once; one at least.
  public var maximumReaderCount = 5

  /// Compiled statements that a connection keeps.
  public var maximumStatementCount = 256

  /// Memory that a connection may use for pages, in bytes.
  public var pageCacheBytes = 8 << 20

  /// Memory that aggregates written in Swift may use for the rows of the groups that one connection works on, in bytes.
  /// They are about twice the size of a row's Swift value, and its texts and blobs.
  public var maximumGroupBytes = Limits().functionGroupBytesMax

  /// A file that is made gets a checksum in each page, in the format of SQLite's `cksumvfs`, and whoever reads it
  /// through this library is told of a damaged page. Other programs can read such a file; one that writes to it without
  /// the extension leaves checksums that no longer hold. Those of a file that has them are always compared.
  public var pageChecksums = false

  /// The commits of `write` closures that come together share one sync of the disk: the next closure runs while the
  /// disk works. Each returns when the disk has its commit, and a `read` when it has what was read. It is done while
  /// nobody else has the file open, neither another process nor another database of this one: they could see a commit
  /// before the disk has it. False: each commit waits for its own sync before anybody sees it. After a failed sync, a
  /// database that shares syncs takes nothing more.
  public var sharesSyncs = true

  /// What the file is encrypted with; nil: it is not. A file that is made is encrypted from its first page on. It needs
  /// SQLCipher, which is linked if the package is built with the trait of that name.
  public var key: DatabaseKey?
  /// The file may be of a former version of SQLCipher.
  var migratesKey = false

  /// What only a database on a server has.
  public var remote = RemoteOptions()

  private(set) var preparations: [@Sendable (Database) throws -> Void] = []

  /// The options' defaults.
  public init() {}

  /// Runs `setup` on each connection that is opened: for temporary views and triggers, functions and tracing. Several
  /// run in their order.
  public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) {
    preparations.append(setup)
  }

  /// Waits `ms` milliseconds for a lock.
  mutating func setBusyTimeout(ms: Int) { busyMode = .timeout(Double(ms) / 1000) }

  var busyTimeoutMs: Int {
    switch busyMode {
    case .immediateError: 0
    case .timeout(let seconds): Int(max(0, min(seconds * 1000, 3_600_000)))
    }
  }
}

/// How a remote database connects and waits.
public struct RemoteOptions: Sendable {
  /// Make the database at the server if it does not exist.
  public var createsDatabase = false

  /// Connections that may be open at once.
  public var maximumConnectionCount = 8

  /// How long one attempt to connect may take.
  public var connectTimeout = Duration.seconds(5)

  /// In `write`, statements whose results nobody asks for (`execute`) are sent without waiting for their answers, and
  /// the commit with the last of them. What one of them did wrong is thrown by the next statement that waits, or at the
  /// end of the closure, which is undone then; nothing of it can stay. Inside of `inSavepoint` each statement is waited
  /// for, so an error can be caught there. False: each is waited for everywhere.
  public var defersStatements = true

  /// How long a query may take, up to its last row. Anything else has 5 seconds, or this if it is shorter; so has what
  /// may write, outside of a transaction. A `withDeadline` around it says otherwise.
  public var statementTimeout = Duration.seconds(600)

  /// Bytes of rows that the server may send ahead of whoever reads them.
  public var windowBytes = 1 << 20

  #if Client
    /// How a server at `martlet+tls://` is verified, and what this program shows it.
    public var tls = ClientTLS()

    /// The token that says who asks; nil: none. It is sent over TLS, over Unix sockets and to this machine's own
    /// addresses.
    public var credential: ClientCredential?

    /// Notes the shapes of all statements that are sent; nil: nobody does.
    public var recorder: ShapeRecorder?

    /// Send the credential to other machines without TLS too. Everyone on the way can then read it and use it.
    public var allowsCredentialInClear = false
  #endif

  /// The options' defaults.
  public init() {}
}
