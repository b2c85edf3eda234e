import ArgumentParser
import Logging
import MartletServer
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `martlet serve`: the server, until a signal ends it.
///
/// Always true: SIGTERM and SIGINT let what is in flight finish; the exit code is 0 after a graceful end, and 70 where
/// threads did not come back in time, which the log says with their statements.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the databases of a directory.",
    discussion: """
      A database NAME is the file NAME.sqlite in the data directory; it is opened when a client asks for it. The \
      server \
      listens on loopback addresses and Unix sockets only: it has no TLS and no passwords yet.

      SIGTERM and Control-C end it gracefully: what is in flight finishes, and every acknowledged write is on disk.

      EXAMPLES:
        martlet serve
        martlet serve --data /var/lib/martlet --listen martlet+unix:///run/martlet/martlet.sock
        martlet serve --listen martlet://127.0.0.1:0 --ready-file /tmp/ready
      """)

  @Option(help: ArgumentHelp("The data directory, made if it does not exist.", valueName: "directory"))
  var data = "./martlet-data"

  @Option(
    help: ArgumentHelp(
      "Where to listen; may be given more than once. Port 0 lets the system choose. (default: martlet://127.0.0.1:6278)",
      valueName: "url"))
  var listen: [String] = []

  @Option(help: ArgumentHelp("A file that gets one URL a line once the server answers.", valueName: "path"))
  var readyFile: String?

  @Option(
    help: ArgumentHelp(
      "Who may connect to Unix sockets: the mode of their files. 660 lets the group in. (default: 600)",
      valueName: "mode"),
    transform: { text in
      guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
        throw ValidationError("--socket-mode is three octal digits, such as 660.")
      }
      return mode
    })
  var socketMode: UInt32 = 0o600

  @Option(help: "Event loops, each a thread. 0: one for each core.")
  var loops = 0

  @Option(
    help: ArgumentHelp(
      "What is logged: trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "level"),
    transform: { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("The log level is trace, debug, info, notice, warning, error or critical.")
      }
      return level
    })
  var logLevel = Logger.Level.info

  @Option(help: ArgumentHelp("How the log is written: text, or json with one object a line.", valueName: "format"))
  var logFormat = LogFormat.text

  @Option(
    help: ArgumentHelp(
      "Log requests that take so long with their SQL and plan, without values; 0: all. (default: none)",
      valueName: "ms"))
  var slowQueryMs: Int?

  @Option(
    help: ArgumentHelp(
      "Where to answer HTTP: /metrics for Prometheus, /healthz and /readyz. Anybody who reaches it may read the numbers. "
        + "(default: nowhere)", valueName: "host:port"),
    transform: { text in
      guard let address = MetricsListener.Address(text) else {
        throw ValidationError("--metrics-listen is an address and a port, such as 127.0.0.1:9278.")
      }
      return address
    })
  var metricsListen: MetricsListener.Address?

  @Option(
    help: ArgumentHelp(
      "What clients may not do, separated by commas: raw (SQL text), schema (changes of it), create (databases), "
        + "inspect (counters, shapes and sessions), maintain (check and unfence), drop (and rename databases).",
      valueName: "permissions"),
    transform: { try permissions($0, of: "--deny") })
  var deny: Permissions = []

  @Option(
    help: ArgumentHelp(
      "The same for clients over TCP alone; those on a Unix socket may do it.", valueName: "permissions"),
    transform: { try permissions($0, of: "--deny-tcp") })
  var denyTCP: Permissions = []

  private static func permissions(_ text: String, of option: String) throws -> Permissions {
    if let permissions = Permissions(words: text) { return permissions }
    throw ValidationError(
      "\(option) takes words out of raw, schema, create, inspect, maintain and drop, separated by commas.")
  }

  @Option(
    help: ArgumentHelp(
      "Memory for requests, results and SQLite, such as 512M or 2G; at least 64M. (default: a quarter of the machine's, "
        + "half of its control group's, at most 1G)", valueName: "size"),
    transform: { text in
      guard let size = ByteSize(text), size.bytes >= 64 << 20 else {
        throw ValidationError("--memory is a number with a unit, such as 512M or 2G, and at least 64M.")
      }
      return size.bytes
    })
  var memory: Int?

  @Option(
    help: ArgumentHelp(
      "Whether databases that are made get a checksum in each page: on or off. Those of a file that has them are always "
        + "compared. (default: on)", valueName: "on|off"),
    transform: { text in
      guard text == "on" || text == "off" else { throw ValidationError("--page-checksums is on or off.") }
      return text == "on"
    })
  var pageChecksums = true

  @Option(help: "Connections at the same time.")
  var connectionsMax = Limits().connectionsMax

  @Option(help: ArgumentHelp("How long a new connection may take to say hello.", valueName: "ms"))
  var helloDeadlineMs = Limits().helloDeadlineMs

  @Option(help: ArgumentHelp("The deadline of requests that name none.", valueName: "ms"))
  var deadlineMs = Limits().deadlineDefaultMs

  @Option(
    name: [.customLong("write-time-max"), .customLong("write-time-max-ms")],
    help: ArgumentHelp(
      "The longest deadline that a write may name, below a read's because all writes of a database wait for one another.",
      valueName: "ms"))
  var writeTimeMaxMs = Limits().writeTimeMaxMs

  @Option(help: ArgumentHelp("The longest deadline that a request may name.", valueName: "ms"))
  var deadlineMaxMs = Limits().deadlineMaxMs

  @Option(help: ArgumentHelp("How long what is in flight may take when the server ends.", valueName: "ms"))
  var drainMs = Limits().shutdownDrainMs

  @Option(
    help: ArgumentHelp(
      "How much a database's write-ahead log may grow while one read keeps its snapshot, before that read ends.",
      valueName: "mib"))
  var walMib = Limits().walBytesMax >> 20

  @Option(help: ArgumentHelp("How long a transaction may stay open.", valueName: "ms"))
  var transactionMs = Limits().transactionTotalMs

  @Option(help: ArgumentHelp("Each connection's page cache of a database.", valueName: "mib"))
  var pageCacheMib = Limits().pageCacheBytes >> 20

  /// The exit code where the server had to leave threads behind: EX_SOFTWARE of sysexits.h.
  static let abandonedStatus: Int32 = 70

  func validate() throws {
    if let slowQueryMs, !(0...1_000_000_000).contains(slowQueryMs) {
      throw ValidationError("--slow-query-ms is a number from 0.")
    }
    guard (0...256).contains(loops) else { throw ValidationError("--loops is 0 to 256.") }
    let positives = [
      ("--connections-max", connectionsMax), ("--deadline-ms", deadlineMs),
      ("--deadline-max-ms", deadlineMaxMs), ("--drain-ms", drainMs), ("--wal-mib", walMib),
      ("--transaction-ms", transactionMs), ("--write-time-max", writeTimeMaxMs),
      ("--hello-deadline-ms", helloDeadlineMs), ("--page-cache-mib", pageCacheMib),
    ]
    for (name, value) in positives where !(1...1_000_000_000).contains(value) {
      throw ValidationError("\(name) is a number from 1.")
    }
    guard walMib <= 1 << 22 else { throw ValidationError("--wal-mib is at most 4194304.") }
    guard deadlineMs <= deadlineMaxMs else {
      throw ValidationError("--deadline-ms must not exceed --deadline-max-ms.")
    }
    guard pageCacheMib <= 1 << 16 else { throw ValidationError("--page-cache-mib is at most 65536.") }
  }

  func run() throws {
    let (level, format) = (logLevel, logFormat)
    LoggingSystem.bootstrap { label -> any LogHandler in
      if format == .json { return JSONLogHandler(level: level) }
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
    do {
      // A program that waits for the file must not read that of a former server.
      if let readyFile { unlink(readyFile) }
      let server = try Server(configuration: serverConfiguration())
      let metrics = try listenForMetrics(server)
      defer { metrics?.stop() }
      _ = try server.start()
      server.stopOnSignals([SIGTERM, SIGINT])
      if case .abandoned = server.wait() {
        // Threads that do not come back would run on into a process that takes itself apart.
        _exit(Self.abandonedStatus)
      }
    } catch {
      throw CommandFailure.explaining(error)
    }
  }

  /// Before the server starts, so that an address that is taken is told at once; it is not ready until then.
  private func listenForMetrics(_ server: Server) throws -> MetricsListener? {
    guard let metricsListen else { return nil }
    let listener = MetricsListener()
    do {
      let port = try listener.start(at: metricsListen, for: server)
      server.configuration.logger.info(
        "Answering HTTP", metadata: ["url": "http://\(metricsListen.urlHost):\(port)/metrics"])
    } catch {
      throw CommandFailure(
        "The server cannot listen at \(metricsListen.urlHost):\(metricsListen.port) for metrics: \(error).")
    }
    return listener
  }

  private func serverConfiguration() throws -> ServerConfiguration {
    var limits = Limits()
    limits.connectionsMax = connectionsMax
    limits.helloDeadlineMs = helloDeadlineMs
    limits.deadlineDefaultMs = deadlineMs
    limits.deadlineMaxMs = deadlineMaxMs
    limits.shutdownDrainMs = drainMs
    limits.walBytesMax = walMib << 20
    limits.walCheckpointBytes = min(limits.walCheckpointBytes, limits.walBytesMax / 4)
    // What names no deadline is a write, too, so the default must fit.
    limits.writeTimeMaxMs = min(max(writeTimeMaxMs, deadlineMs), deadlineMaxMs)
    limits.longWriteTurnMaxMs = min(limits.longWriteTurnMaxMs, limits.writeTimeMaxMs)
    limits.longWriteTurnMs = min(limits.longWriteTurnMs, limits.longWriteTurnMaxMs)
    limits.writeSliceMs = min(limits.writeSliceMs, limits.longWriteTurnMs)
    limits.transactionTotalMs = transactionMs
    limits.transactionIdleMs = min(limits.transactionIdleMs, transactionMs)
    limits.pageCacheBytes = pageCacheMib << 20
    limits.memoryBudgetBytes = memory ?? 0
    var configuration = ServerConfiguration(
      directory: data, loops: loops, limits: limits, logger: Logger(label: "martlet"), readyFile: readyFile)
    configuration.denied = deny
    configuration.deniedOverTCP = denyTCP
    configuration.socketMode = socketMode
    configuration.makesPageChecksums = pageChecksums
    configuration.slowQueryMs = slowQueryMs
    if !listen.isEmpty { configuration.listen = try listen.map { try MartletURL($0) } }
    return configuration
  }
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

extension MetricsListener.Address {
  /// As a URL shows it.
  var urlHost: String { host.contains(":") ? "[\(host)]" : host }
}
