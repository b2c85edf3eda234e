import ArgumentParser
import Logging
import MartletEngine
import MartletServer
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `martlet serve`: the server, until a signal ends it.
///
/// Always true: SIGTERM and SIGINT let what is in flight finish; the exit code is 0 after a graceful end, and 70 if
/// threads did not come back in time, which the log says with their statements.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the databases of a directory.",
    discussion: """
      A database NAME is the file NAME.sqlite in the data directory; it is opened when a client asks for it. \
      --config names a file that holds all of these options and, beyond them, certificates for TLS, and the roles that \
      say who may do what (docs/CONFIGURATION.md); command-line options override it. Without TLS and roles \
      the server listens on loopback addresses and Unix sockets only.

      SIGTERM and Control-C end it gracefully: what is in flight finishes, and every acknowledged write is on disk. \
      SIGHUP reads the file of --config again; without one it ends the server like SIGTERM, unless nohup started it.

      EXAMPLES:
        martlet serve
        martlet serve --data /var/lib/martlet --listen martlet+unix:///run/martlet/martlet.sock
        martlet serve --config /etc/martlet/martlet.toml
        martlet serve --listen martlet://127.0.0.1:0 --ready-file /tmp/ready
      """)

  @Option(
    help: ArgumentHelp(
      "The configuration file, in TOML; `martlet config check` says whether it is right.", valueName: "path"))
  var config: String?

  @OptionGroup(title: "What the file can say as well") var options: ServeOptions

  /// The exit code if the server had to abandon threads: EX_SOFTWARE of sysexits.h.
  static let abandonedStatus: Int32 = 70

  func validate() throws {
    if config == nil, let contradiction = options.contradiction() { throw ValidationError(contradiction) }
  }

  func run() throws {
    if config != nil { EarlyHangUp.ignore() }
    ThreadCaches.limit()
    if config != nil { EarlyHangUp.remember() }
    var loaded: LoadedConfiguration
    do {
      loaded = try configuration()
    } catch {
      throw CommandFailure.explaining(error)
    }
    let log = loaded.startLogging()
    defer { log.flush(withinMs: CommandLimits.logFlushMs) }
    Engine.tellOfCutFiles()
    do {
      // A program that waits for the file must not read that of a former server.
      if let readyFile = loaded.server.readyFile { unlink(readyFile) }
      loaded.logWarnings()
      let server = try Server(configuration: loaded.server)
      let metrics = try listenForMetrics(server, at: loaded.metricsListen)
      defer { metrics?.stop() }
      _ = try server.start(reactions: [.stop(on: SIGTERM), .stop(on: SIGINT)] + reactionToHangUp(after: loaded))
      if config != nil { EarlyHangUp.pass() }
      let ending = server.wait()
      // Nobody answers at its addresses any more.
      if let readyFile = loaded.server.readyFile { unlink(readyFile) }
      if case .abandoned = ending {
        log.flush(withinMs: CommandLimits.logFlushMs)
        // Threads that did not come back still run, so the process ends without freeing what they use.
        _exit(Self.abandonedStatus)
      }
    } catch {
      throw CommandFailure.explaining(error)
    }
  }

  /// What the command line and the file say together; after a change of the file it gives the new one, or throws.
  func configuration() throws -> LoadedConfiguration {
    let commandLine = try options.settings()
    guard let config else { return try LoadedConfiguration(commandLine) }
    return try LoadedConfiguration.load(config, under: commandLine)
  }

  /// SIGHUP reads the file again. One that is wrong changes nothing. `start`: what the server was started with.
  ///
  /// Without a file it is what a terminal sends that goes away, and the server ends gracefully, unless it was started
  /// so that it stays.
  private func reactionToHangUp(after start: LoadedConfiguration) throws -> [SignalReaction] {
    guard let config else { return EarlyHangUp.isIgnored ? [] : [.stop(on: SIGHUP)] }
    let commandLine = try options.settings()
    let reload = SignalReaction.call(on: SIGHUP) { server in
      do {
        let changed: LoadedConfiguration
        do {
          changed = try LoadedConfiguration.load(config, under: commandLine)
        } catch {
          server.reloadRefused()
          throw error
        }
        try server.reload(changed.server, alsoDiffering: changed.keysThatStay(since: start))
        changed.logWarnings()
      } catch {
        server.configuration.logger.error(
          "The configuration was not reloaded; the former one stays in force", metadata: ["reason": "\(error)"])
      }
    }
    return [reload]
  }

  /// Before the server starts, so that an address that is taken is told at once; it is not ready until then.
  private func listenForMetrics(
    _ server: Server, at address: MetricsListener.Address?
  ) throws -> MetricsListener? {
    guard let address else { return nil }
    let listener = MetricsListener()
    let port = try listener.start(at: address, for: server)
    server.configuration.logger.info(
      "Answering HTTP", metadata: ["url": "http://\(address.urlHost):\(port)/metrics"])
    return listener
  }
}
