public import Logging
public import MartletValues

/// What a server is started with.
///
/// Always true: the defaults serve one machine's programs on loopback and nobody else.
public struct ServerConfiguration: Sendable {
  /// The data directory, made if it does not exist: one file `NAME.sqlite` per database.
  public var directory: String

  /// Where to listen. Beyond loopback and Unix sockets only with TLS and at least one role, unless `isInsecure`.
  public var listen: [MartletURL]

  /// What `martlet+tls://` addresses need; nil: there is none of them.
  public var tls: TLSSettings?

  /// Who may do what.
  public var access = AccessPolicy()

  /// Other machines may connect without TLS and without roles: for a private network.
  public var isInsecure = false

  /// Event loops, each with a thread; 0: one per core.
  public var loops: Int

  /// Who may connect to a Unix socket: the mode of its file.
  public var socketMode: UInt32 = 0o600

  public var limits: Limits
  /// What no client may do.
  public var denied: Permissions = []
  /// What clients over TCP may not do either. On a Unix socket the server knows which user of the machine is at the
  /// other end.
  public var deniedOverTCP: Permissions = []
  /// Whether databases that are made get a checksum in each page. Those of a file that has them are always compared.
  public var makesPageChecksums = true
  /// A file of its owner's alone with the key that all databases of the directory are encrypted with; nil: they are
  /// not. See `DatabaseKey`.
  public var keyFile: String?
  public var logger: Logger

  /// Requests that take this many milliseconds are logged with their SQL and plan, without values; nil: none. 0: all of
  /// them.
  public var slowQueryMs: Int?

  /// A log of who did what; nil: none.
  public var audit: AuditSettings?

  /// A file that gets one URL a line when the server listens, written in one step; nil: none.
  public var readyFile: String?

  public init(
    directory: String, listen: [MartletURL] = ServerConfiguration.defaultListen, loops: Int = 0,
    limits: Limits = Limits(), logger: Logger = Logger(label: "martlet"), readyFile: String? = nil
  ) {
    self.directory = directory
    self.listen = listen
    self.loops = loops
    self.limits = limits
    self.logger = logger
    self.readyFile = readyFile
  }

  /// Loopback, at Martlet's own port.
  public static var defaultListen: [MartletURL] {
    [try? MartletURL(address: .tcp(host: "127.0.0.1", port: MartletURL.defaultPort))].compactMap { $0 }
  }
}
