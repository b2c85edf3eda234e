import ArgumentParser
import Logging
import MartletValues

/// The options of `martlet serve` that a configuration file can say as well.
///
/// Always true: each is a key of the file, with the same rule; nil means that nothing was said.
struct ServeOptions: ParsableArguments {
  /// Changes of the schema that can be denied by themselves.
  private static let kindsOfSchema = Permissions.named.filter { Permissions.schema.contains($0.permission) }
    .map(\.name).joined(separator: ", ")

  @Option(
    help: ArgumentHelp(
      "The data directory, made if it does not exist. (default: \(ServeSettings.standardData))",
      valueName: "directory"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      "Where to listen; may be given more than once. Port 0 lets the system choose. (default: martlet://127.0.0.1:6278)",
      valueName: "url"),
    transform: valid("--listen", OptionRule.url))
  var listen: [MartletURL] = []

  @Flag(help: "Listen beyond this machine without TLS and roles: for a network whose machines you all trust.")
  var insecure = false

  @Option(help: ArgumentHelp("A file that gets one URL a line once the server answers.", valueName: "path"))
  var readyFile: String?

  @Option(
    help: ArgumentHelp(
      "Who may connect to Unix sockets: the mode of their files. 660 lets the group in. (default: 600)",
      valueName: "mode"),
    transform: valid("--socket-mode", OptionRule.socketMode))
  var socketMode: UInt32?

  @Option(help: "Event loops, each a thread. 0: one for each core. (default: 0)")
  var loops: Int?

  @Option(
    help: ArgumentHelp(
      "What is logged: trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "level"),
    transform: valid("--log-level", OptionRule.logLevel))
  var logLevel: Logger.Level?

  @Option(
    help: ArgumentHelp(
      "How the log is written: text, or json with one object a line. (default: text)", valueName: "format"),
    transform: valid("--log-format", OptionRule.logFormat))
  var logFormat: LogFormat?

  @Option(
    help: ArgumentHelp(
      "Log requests that take so long with their SQL and plan, without values; 0: all. (default: none)",
      valueName: "ms"))
  var slowQueryMs: Int?

  @Option(
    help: ArgumentHelp(
      "Where to answer HTTP: /metrics for Prometheus, /healthz and /readyz. Anybody who reaches it may read the numbers. "
        + "(default: nowhere)", valueName: "host:port"),
    transform: valid("--metrics-listen", OptionRule.metricsAddress))
  var metricsListen: MetricsListener.Address?

  @Option(
    help: ArgumentHelp(
      "What clients may not do, separated by commas: raw (SQL text), schema (changes of it: \(Self.kindsOfSchema), all "
        + "together), pragmas, create (databases), inspect (counters, shapes and sessions), maintain (check, "
        + "unfence, VACUUM, ANALYZE, REINDEX), drop (and rename databases), select, insert, update and delete (rows: "
        + "the four together), all.",
      valueName: "permissions"),
    transform: valid("--deny", OptionRule.permissions))
  var deny: Permissions?

  @Option(
    help: ArgumentHelp(
      "The same for clients over TCP alone; those on a Unix socket may do it.", valueName: "permissions"),
    transform: valid("--deny-tcp", OptionRule.permissions))
  var denyTCP: Permissions?

  @Option(
    help: ArgumentHelp(
      "Memory for requests, results and SQLite, such as 512M or 2G; at least 64M. (default: a quarter of the machine's, "
        + "half of its control group's, at most 1G)", valueName: "size"),
    transform: valid("--memory", OptionRule.memory))
  var memory: Int?

  @Option(
    help: ArgumentHelp(
      "Whether databases that are made get a checksum in each page: on or off. Those of a file that has them are always "
        + "compared. (default: on)", valueName: "on|off"),
    transform: valid("--page-checksums", OptionRule.onOrOff))
  var pageChecksums: Bool?

  @Option(
    help: ArgumentHelp(
      "A file with the key of all databases of the directory, which are encrypted with it. Nobody but its owner may read "
        + "it. It needs a martlet that is built with SQLCipher. (default: none)", valueName: "path"))
  var keyFile: String?

  @OptionGroup var limits: LimitOptions

  func validate() throws {
    do throws(InvalidOption) {
      _ = try checkedSettings()
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// What does not go together, if no file says more.
  func contradiction() -> String? {
    (try? checkedSettings()).flatMap { Contradiction.among($0, name: { "--" + $0 }).first?.sentence }
  }

  /// The settings that the options give.
  func settings() throws -> ServeSettings { try checkedSettings() }

  private func checkedSettings() throws(InvalidOption) -> ServeSettings {
    var settings = ServeSettings()
    if !listen.isEmpty { settings.listen = listen }
    settings.data = data
    settings.readyFile = readyFile
    settings.socketMode = socketMode
    settings.isInsecure = insecure ? true : nil
    settings.loops = try loops.map { number throws(InvalidOption) in try OptionRule.loops(number, "--loops") }
    settings.logLevel = logLevel
    settings.logFormat = logFormat
    settings.slowQueryMs = try slowQueryMs.map { number throws(InvalidOption) in
      try OptionRule.slowQueryMs(number, "--slow-query-ms")
    }
    settings.metricsListen = metricsListen
    settings.deny = deny
    settings.denyTCP = denyTCP
    settings.memory = memory
    settings.pageChecksums = pageChecksums
    settings.keyFile = keyFile
    settings.limits = try limits.settings()
    return settings
  }
}

/// A rule as the command line's parser takes it.
private func valid<Value>(
  _ name: String, _ rule: @escaping @Sendable (String, String) throws(InvalidOption) -> Value
) -> @Sendable (String) throws -> Value {
  { text in
    do throws(InvalidOption) {
      return try rule(text, name)
    } catch {
      throw ValidationError(error.description)
    }
  }
}
